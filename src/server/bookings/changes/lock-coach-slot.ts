import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Locks one of the coach's own slots before it is changed; throws `not_found` for any other slot. */
export async function lockCoachSlot(tx: Tx, coachId: string, slotId: string) {
  const slot = await tx
    .selectFrom('lessonSlots')
    .select([
      'slotId',
      'status',
      'startTime',
      'endTime',
      'lessonType',
      'minCapacity',
      'maxCapacity',
      'priceCents',
      'bookedCount',
      'locationId',
    ])
    .where('slotId', '=', slotId)
    .where('coachId', '=', coachId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!slot) throw new AppError('not_found', 'Lesson not found.');
  return slot;
}

/** SQL: whether a booking (aliased `booking`) was cancelled without a full refund. */
export const isPartOwed = sql`(booking.status in ('cancelled', 'refunded') and booking.refunded_cents < booking.amount_cents)`;

/**
 * Locks those bookings of an already locked slot that have a seat, hold a seat, or were cancelled without a full
 * refund. The lock waits for payments that are being confirmed, so that the next statement sees their bookings as
 * booked.
 */
export async function lockBookingsOf(tx: Tx, slotId: string): Promise<void> {
  await sql`
    select from bookings booking where slot_id = ${slotId}::uuid and (is_active or ${isPartOwed})
    order by booking_id for update`.execute(tx);
}
