import { type RawBuilder, sql } from 'kysely';
import type { PaymentFailure } from '#domain/payments/rules.ts';
import type { Database } from '#server/platform/db/db.ts';
import { lockSlotsOf, type PaymentRecord, pendingBookings } from '../payment/payment-records.ts';

/**
 * SQL for the CTEs `released` (booking_id, slot_id, payment_id) and `failed`, which release the matching pending
 * bookings and mark their payments as failed. `matches` must include all bookings of a payment or none. The surrounding
 * statement must free the seats. If `intentId` is null, the stored intent stays.
 */
const releaseBookings = (
  matches: RawBuilder<unknown>,
  { code, message }: PaymentFailure,
  intentId: string | null,
) => sql`
  released as (
    update bookings set status = 'released'
    where ${matches}
    returning booking_id, slot_id, payment_id
  ), failed as (
    update payments
    set status = 'failed', failure_code = ${code}, failure_message = ${message},
        stripe_payment_intent_id = coalesce(${intentId}::text, stripe_payment_intent_id), updated_at = now()
    from released where payments.payment_id = released.payment_id
  )`;

/** SQL query: the ids of a slot's pending bookings and of the bookings that share a payment with one of them. */
export const bookingsOfHolds = (slotId: string) => sql`
  select line.booking_id
  from bookings held
  join payment_lines own on own.booking_id = held.booking_id
  join payment_lines line on line.payment_id = own.payment_id
  where held.slot_id = ${slotId}::uuid and held.status = 'pending'`;

/**
 * SQL for CTEs that release all holds of a slot that the surrounding statement changes: `released` and `failed`, and
 * `freed`, which frees the seats that the same payments hold in other slots. The surrounding statement must free the
 * slot's own seats; the caller has locked all of these slots (`changeSlotWithHolds`).
 */
export const releaseHoldsOf = (slotId: string, failure: PaymentFailure) => sql`
  ${releaseBookings(sql`status = 'pending' and booking_id in (${bookingsOfHolds(slotId)})`, failure, null)}, freed as (
    ${freeSeats(sql`released.slot_id <> ${slotId}::uuid`)}
  )`;

const freeSeats = (condition: RawBuilder<unknown>) => sql`
  update lesson_slots set booked_count = booked_count - gone.seats
  from (
    select slot_id, count(*)::integer as seats from released where ${condition} group by slot_id
  ) gone
  where lesson_slots.slot_id = gone.slot_id
  returning lesson_slots.slot_id`;

/**
 * Releases all seats that a payment holds and marks the payment as failed. False if its bookings are no longer pending.
 */
export async function releaseHold(
  db: Database,
  payment: Pick<PaymentRecord, 'bookings'>,
  failure: PaymentFailure,
  intentId: string | null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockSlotsOf(tx, payment);
    const { cte, matches } = pendingBookings(payment);
    const { rows } = await sql`
      with ${cte}${releaseBookings(matches, failure, intentId)}
      ${freeSeats(sql`true`)}`.execute(tx);
    return rows.length > 0;
  });
}
