import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { checkoutApi, type SeatToBook } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { chargeCard } from '#server/payments/payment-intents.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';
import type { PaymentRecord } from '../payment/payment-records.ts';
import { createFactsReader } from './booking-facts.ts';
import { holdSeats } from './hold-seat.ts';

/** Books these seats through the API with one payment. Lessons cost £50, unless a seat says otherwise. */
export const checkOut = (
  app: Pick<TestApp, 'call'>,
  customer: Someone | null,
  seats: (Pick<SeatToBook, 'slotId'> & Partial<SeatToBook>)[],
) =>
  app.call(customer, checkoutApi.book, { seats: seats.map((seat) => ({ baseAmountCents: 5000, ...seat })) });

/** Holds a seat in each of these lessons for one payment; null if one of them has no free seat. */
export async function holdTogether(
  { db }: Pick<TestApp, 'db'>,
  { userId }: Pick<Someone, 'userId'>,
  slotIds: string[],
): Promise<PaymentRecord | null> {
  const readFacts = createFactsReader(db);
  const requested = await Promise.all(
    slotIds.map(async (slotId) => ({
      ...{ slotId, participantId: userId },
      facts: (await readFacts({ slotId, userId, participantId: userId, ipAddress: null }))!,
    })),
  );
  return holdSeats(db, userId, requested);
}

/**
 * Books these lessons with one payment, which the API charges and settles. Returns the payment as it was before the
 * charge.
 */
export async function bookTogether(
  app: TestApp,
  customer: Someone,
  slotIds: string[],
): Promise<PaymentRecord> {
  const payment = await holdTogether(app, customer, slotIds);
  const { body, error } = await app.call(customer, bookingsApi.settle, { bookingId: payment!.bookingId });
  expect([error?.message, body?.outcome]).toEqual([undefined, 'booked']);
  return payment!;
}

/** Charges a booking's customer a second time, as if its lesson had become more expensive. The fee doesn't change. */
export async function topUp({ db, cards }: TestApp, bookingId: string, cents: number): Promise<string> {
  const paymentId = randomUUID();
  const card = await db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.paymentId', 'bookings.paymentId')
    .select(['payments.customerUserId', 'stripeCustomerId', 'stripePaymentMethodId'])
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  const answer = await chargeCard(cards, {
    ...{ paymentId, amountCents: cents, description: 'Top-up', createdAt: new Date().toISOString() },
    stripeCustomerId: card.stripeCustomerId!,
    stripePaymentMethodId: card.stripePaymentMethodId!,
  });
  const intentId = answer.kind === 'intent' ? answer.intent.id : '';
  await sql`
    with payment as (
      insert into payments (payment_id, customer_user_id, amount_cents, status, stripe_customer_id,
        stripe_payment_method_id, stripe_payment_intent_id)
      values (${paymentId}::uuid, ${card.customerUserId}::uuid, ${cents}, 'succeeded', ${card.stripeCustomerId},
        ${card.stripePaymentMethodId}, ${intentId})
    ), line as (
      insert into payment_lines (payment_id, line_no, booking_id, amount_cents)
      values (${paymentId}::uuid, 1, ${bookingId}::uuid, ${cents})
    ), booking as (
      update bookings set amount_cents = amount_cents + ${cents}, charged_cents = charged_cents + ${cents}
      where booking_id = ${bookingId}::uuid
    )
    insert into ledger_entries (booking_id, kind, amount_cents, source_id)
    values (${bookingId}::uuid, 'charged', ${cents}, ${paymentId}::uuid)`.execute(db);
  return paymentId;
}
