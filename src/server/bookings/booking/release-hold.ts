import { type RawBuilder, sql } from 'kysely';
import type { PaymentFailure } from '#domain/payments/rules.ts';
import type { Database } from '#server/platform/db/db.ts';
import { lockSlotOf, type PaymentRecord } from './payment-records.ts';

/**
 * SQL for the CTEs `released` (slot_id, payment_id) and `failed`, which release the matching pending bookings and mark
 * their payments as failed. The surrounding statement must free the seats. If `intentId` is null, the stored intent
 * stays.
 */
export const releaseHolds = (
  matches: RawBuilder<unknown>,
  { code, message }: PaymentFailure,
  intentId: string | null = null,
) => sql`
  released as (
    update bookings set status = 'released' where ${matches} and status = 'pending'
    returning slot_id, payment_id
  ), failed as (
    update payments
    set status = 'failed', failure_code = ${code}, failure_message = ${message},
        stripe_payment_intent_id = coalesce(${intentId}::text, stripe_payment_intent_id), updated_at = now()
    from released where payments.payment_id = released.payment_id
  )`;

/** Frees the seat of a hold and marks the payment as failed. Returns false if the booking is no longer pending. */
export async function releaseHold(
  db: Database,
  { bookingId }: Pick<PaymentRecord, 'bookingId'>,
  failure: PaymentFailure,
  intentId: string | null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockSlotOf(tx, bookingId);
    const { rows } = await sql`
      with ${releaseHolds(sql`booking_id = ${bookingId}::uuid`, failure, intentId)}
      update lesson_slots set booked_count = booked_count - 1
      from released where lesson_slots.slot_id = released.slot_id
      returning lesson_slots.slot_id`.execute(tx);
    return rows.length > 0;
  });
}
