import { findIntent, readIntent } from '#server/payments/payment-intents.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { type BookingParts, settleAnswer } from '../booking/settle-booking.ts';
import { chargeOf, readPayment } from './payment-records.ts';

const againInMs = 10_000;

/**
 * Ends, at Stripe, a payment whose hold was released because the coach cancelled or moved the lesson: cancels an open
 * authentication and refunds a charge made in the meantime. While a charge may still be in progress, the job is queued
 * again.
 */
export async function endPayment(parts: BookingParts, paymentId: string): Promise<void> {
  const payment = await readPayment(parts.db, { paymentId });
  if (payment?.paymentStatus !== 'failed' || payment.amountCents === 0) return;
  const { stripePaymentIntentId } = payment;
  const answer = stripePaymentIntentId
    ? await readIntent(parts.cards, stripePaymentIntentId)
    : await findIntent(parts.cards, chargeOf(payment));
  const { outcome } = await settleAnswer(parts, payment, answer);
  if (outcome !== 'processing') return;
  await enqueue(
    parts.db,
    'bookings.payment-released',
    { paymentId },
    { runAt: new Date(Date.now() + againInMs) },
  );
}
