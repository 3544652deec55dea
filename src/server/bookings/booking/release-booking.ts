import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { explainFailure } from '#domain/payments/rules.ts';
import { consumeCardLookup } from '#server/payments/card-limits.ts';
import { type CardAnswer, cancelIntent, findIntent } from '#server/payments/payment-intents.ts';
import { chargeOf, type PaymentRecord, readPayment } from '../payment/payment-records.ts';
import { releaseHold } from './release-hold.ts';
import { type BookingParts, settleAnswer } from './settle-booking.ts';

/**
 * Releases an unpaid booking and the other bookings of its payment, after cancelling the payment at Stripe. Idempotent.
 * Throws `not_found` for another customer's booking, `conflict` if the booking has already been paid for,
 * `too_many_requests`, and `unavailable` if the payment could not be cancelled yet.
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
  // Ends the hold first, so that a charge that succeeds after the release is refunded.
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
    "We couldn't cancel your payment just now. Unless it goes through, we'll release your place within a few minutes.",
  );
}

const alreadyPaid = (bookingId: string) =>
  new AppError(
    'conflict',
    "You've already paid for this booking. If you want to cancel it, go to My Bookings.",
    { details: { bookingId } },
  );

async function endIntent({ cards }: BookingParts, payment: PaymentRecord): Promise<CardAnswer> {
  if (payment.amountCents === 0) return { kind: 'absent' };
  if (payment.stripePaymentIntentId) return cancelIntent(cards, payment.stripePaymentIntentId);
  const found = await findIntent(cards, chargeOf(payment));
  return found.kind === 'intent' ? cancelIntent(cards, found.intent.id) : found;
}
