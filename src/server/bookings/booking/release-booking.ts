import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { explainFailure } from '#domain/payments/rules.ts';
import { consumeCardLookup } from '#server/payments/card-limits.ts';
import { type CardAnswer, cancelIntent, findIntent } from '#server/payments/payment-intents.ts';
import { chargeOf, type PaymentRecord, readPayment } from './payment-records.ts';
import { releaseHold } from './release-hold.ts';
import { type BookingParts, settleAnswer } from './settle-booking.ts';

/**
 * Releases an unpaid booking, with the others of its payment. The payment is cancelled at Stripe first, so that no released seat is charged.
 * Idempotent; throws `conflict` if the payment had already succeeded.
 */
export async function releaseBooking(
  parts: BookingParts,
  customer: Person,
  bookingId: string,
): Promise<void> {
  const { db } = parts;
  const payment = await readPayment(db, { bookingId });
  if (!payment || payment.customerUserId !== customer.userId) {
    throw new AppError('not_found', 'Booking not found.');
  }
  if (payment.bookingStatus === 'released') return;
  if (payment.bookingStatus !== 'pending') throw alreadyPaid(bookingId);
  await consumeCardLookup(db, customer.userId);
  // Ends the hold first, so that a charge still in progress is refunded.
  await db
    .updateTable('bookings')
    .set({ holdExpiresAt: sql<string>`now()` })
    .where(
      'bookingId',
      'in',
      payment.bookings.map((booking) => booking.bookingId),
    )
    .where('status', '=', 'pending')
    .execute();
  const answer = await endIntent(parts, payment);
  const isEnded =
    answer.kind === 'absent' || (answer.kind === 'intent' && answer.intent.status === 'canceled');
  if (isEnded) {
    const intentId = answer.kind === 'intent' ? answer.intent.id : null;
    await releaseHold(db, payment, explainFailure('given_up'), intentId);
    return;
  }
  const settlement = await settleAnswer(parts, payment, answer);
  if (settlement.outcome === 'booked') throw alreadyPaid(bookingId);
  if (settlement.outcome === 'failed') return;
  throw new AppError(
    'unavailable',
    "We can't reach Stripe right now. Your place will be released automatically within a few minutes.",
  );
}

const alreadyPaid = (bookingId: string) =>
  new AppError('conflict', "You've already paid for this booking. You can cancel it in My Bookings.", {
    details: { bookingId },
  });

async function endIntent({ cards }: BookingParts, payment: PaymentRecord): Promise<CardAnswer> {
  if (payment.amountCents === 0) return { kind: 'absent' };
  if (payment.stripePaymentIntentId) return cancelIntent(cards, payment.stripePaymentIntentId);
  const found = await findIntent(cards, chargeOf(payment));
  return found.kind === 'intent' ? cancelIntent(cards, found.intent.id) : found;
}
