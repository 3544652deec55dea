import type Stripe from 'stripe';
import type { BookingAttempt } from '#domain/bookings/contract.ts';
import { AppError } from '#domain/errors.ts';
import { explainFailure, type PaymentFailure } from '#domain/payments/rules.ts';
import { countRefusedPayment } from '#server/payments/card-limits.ts';
import {
  type CardAnswer,
  cancelIntent,
  chargeCard,
  findIntent,
  readIntent,
} from '#server/payments/payment-intents.ts';
import { idOf } from '#server/payments/save-card.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Log } from '#server/platform/log.ts';
import { acceptLatePayment } from '../payment/accept-late-payment.ts';
import {
  chargeOf,
  confirmBookings,
  type PaymentRecord,
  readPayment,
  recordIntent,
} from '../payment/payment-records.ts';
import { releaseHold } from './release-hold.ts';

export type BookingParts = { db: Database; cards: Stripe; log: Log };

/**
 * The state of a payment's bookings. `failed`: released, with nothing charged or the whole charge being refunded.
 * `isCardRefused`: the bookings were pending, and Stripe reports a failed attempt to pay, such as a card that the bank
 * declined.
 */
export type Settlement =
  | BookingAttempt
  | { outcome: 'failed'; bookingId: string; message: string; isCardRefused?: boolean };

/**
 * Returns a settlement as the API response. If the outcome is `failed`, throws `payment_failed` with the message for
 * the customer.
 */
export function answerAttempt(settlement: Settlement): BookingAttempt {
  if (settlement.outcome !== 'failed') return settlement;
  throw new AppError('payment_failed', settlement.message, { details: { bookingId: settlement.bookingId } });
}

/**
 * Settles a payment while its customer waits; a failed attempt to pay counts against the request's IP address. See
 * {@link settlePayment}.
 */
export async function settleForCustomer(
  parts: BookingParts,
  payment: PaymentRecord,
  ipAddress: string,
): Promise<Settlement> {
  const settlement = await settlePayment(parts, payment, { ipAddress });
  if (settlement.outcome === 'failed' && settlement.isCardRefused) {
    await countRefusedPayment(parts.db, ipAddress);
  }
  return settlement;
}

/**
 * Reads a payment from Stripe and confirms or releases its bookings, or leaves them pending while the payment is
 * undecided. Idempotent, so any process may call this function. If no charge is recorded yet, charges the card while
 * the customer is waiting (`waiting`) and the hold has not expired. Otherwise, if Stripe has no charge, releases the
 * bookings once the hold has expired or the payment is overdue. Throws `internal` if Stripe's intent differs from our
 * charge.
 */
export async function settlePayment(
  parts: BookingParts,
  payment: PaymentRecord,
  waiting: { ipAddress: string } | null = null,
): Promise<Settlement> {
  if (payment.bookingStatus !== 'pending') return settlementOf(payment);
  if (payment.amountCents === 0) return confirm(parts, payment, null);
  return settleAnswer(parts, payment, await askStripe(parts.cards, payment, waiting));
}

function askStripe(
  cards: Stripe,
  payment: PaymentRecord,
  waiting: { ipAddress: string } | null,
): Promise<CardAnswer> {
  if (payment.stripePaymentIntentId) return readIntent(cards, payment.stripePaymentIntentId);
  return waiting && !payment.isHoldOver
    ? chargeCard(cards, chargeOf(payment), waiting)
    : findIntent(cards, chargeOf(payment));
}

/** Confirms or releases a payment's bookings according to Stripe's response; see {@link settlePayment}. */
export async function settleAnswer(
  parts: BookingParts,
  payment: PaymentRecord,
  answer: CardAnswer,
): Promise<Settlement> {
  const { bookingId } = payment;
  switch (answer.kind) {
    case 'unknown':
      parts.log.warn({ bookingId, reason: String(answer.error) }, 'Stripe did not respond');
      return { outcome: 'processing', bookingId };
    case 'refused':
      parts.log.warn({ bookingId, code: answer.failure.code }, 'Stripe refused a charge');
      return release(parts, payment, answer.failure, null);
    case 'absent':
      if (payment.isHoldOver) return release(parts, payment, explainFailure('hold_expired'), null);
      if (payment.isOverdue) return release(parts, payment, explainFailure('no_answer'), null);
      return { outcome: 'processing', bookingId };
    case 'intent':
      return settleIntent(parts, payment, answer.intent);
  }
}

async function settleIntent(
  parts: BookingParts,
  payment: PaymentRecord,
  intent: Stripe.PaymentIntent,
): Promise<Settlement> {
  const { bookingId } = payment;
  assertMatch(parts, payment, intent);
  const isPending = payment.bookingStatus === 'pending';
  if (intent.status === 'succeeded') return confirm(parts, payment, intent.id);
  if (intent.status === 'canceled') return release(parts, payment, failureOf(payment, intent), intent.id);
  const isWaiting =
    intent.status === 'processing' || (intent.status === 'requires_action' && !payment.isHoldOver);
  if (isPending && isWaiting) {
    if (!(await recordIntent(parts.db, payment, intent))) {
      return settleIntent(parts, (await readPayment(parts.db, { bookingId }))!, intent);
    }
    return intent.status === 'requires_action'
      ? { outcome: 'requiresAction', bookingId, clientSecret: intent.client_secret! }
      : { outcome: 'processing', bookingId };
  }
  // Nothing may be charged after the seat is freed, so the intent is cancelled before the hold is released.
  const ended = await cancelIntent(parts.cards, intent.id);
  if (ended.kind !== 'intent') return settleAnswer(parts, payment, ended);
  const { status } = ended.intent;
  if (status === 'succeeded') return confirm(parts, payment, intent.id);
  if (status === 'canceled') {
    const settlement = await release(parts, payment, failureOf(payment, intent), intent.id);
    const isCardRefused = isPending && intent.last_payment_error !== null;
    return settlement.outcome === 'failed' ? { ...settlement, isCardRefused } : settlement;
  }
  return { outcome: 'processing', bookingId };
}

/** Throws unless the intent is exactly the charge that we asked for. */
function assertMatch({ log }: BookingParts, payment: PaymentRecord, intent: Stripe.PaymentIntent): void {
  const isOurs =
    intent.metadata.payment_id === payment.paymentId &&
    intent.amount === payment.amountCents &&
    intent.currency === 'gbp' &&
    idOf(intent.customer) === payment.stripeCustomerId;
  if (isOurs) return;
  log.error(
    { paymentId: payment.paymentId, intentId: intent.id },
    'payment intent does not match the payment',
  );
  throw new AppError('internal', "Something is wrong with this payment. We're looking into it.");
}

function failureOf(payment: PaymentRecord, intent: Stripe.PaymentIntent): PaymentFailure {
  const error = intent.last_payment_error;
  if (error) return explainFailure(error.code, error.decline_code);
  return explainFailure(payment.isHoldOver ? 'hold_expired' : 'payment_intent_authentication_failure');
}

async function confirm(
  parts: BookingParts,
  payment: PaymentRecord,
  intentId: string | null,
): Promise<Settlement> {
  const { bookingId } = payment;
  if (await confirmBookings(parts.db, payment, intentId)) return { outcome: 'booked', bookingId };
  const now = (await readPayment(parts.db, { bookingId }))!;
  if (now.bookingStatus !== 'released' || now.paymentStatus === 'succeeded' || !intentId)
    return settlementOf(now);
  await acceptLatePayment(parts.db, now, intentId);
  return settlementOf((await readPayment(parts.db, { bookingId }))!);
}

async function release(
  parts: BookingParts,
  payment: PaymentRecord,
  failure: PaymentFailure,
  intentId: string | null,
): Promise<Settlement> {
  const { bookingId } = payment;
  if (await releaseHold(parts.db, payment, failure, intentId)) {
    return { outcome: 'failed', bookingId, message: failure.message };
  }
  return settlementOf((await readPayment(parts.db, { bookingId }))!);
}

function settlementOf({
  bookingId,
  bookingStatus,
  paymentStatus,
  failureMessage,
}: PaymentRecord): Settlement {
  if (bookingStatus === 'pending') return { outcome: 'processing', bookingId };
  if (bookingStatus !== 'released') return { outcome: 'booked', bookingId };
  const message =
    paymentStatus === 'succeeded'
      ? "Your payment came through after your place was released. We're refunding it in full to your card."
      : (failureMessage ?? explainFailure('hold_expired').message);
  return { outcome: 'failed', bookingId, message };
}
