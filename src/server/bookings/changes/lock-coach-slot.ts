import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Locks one of the coach's own slots before anything else of it is touched; throws `not_found` for any other slot. */
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
  if (!slot) throw new AppError('not_found', 'Lesson not found');
  return slot;
}

/**
 * Locks the bookings of an already locked slot that have a seat, hold one, or were cancelled without a full refund. A
 * payment that is being confirmed at this moment is a booking afterwards, and the next statement must see it as one.
 */
export async function lockBookingsOf(tx: Tx, slotId: string): Promise<void> {
  await sql`
    select from bookings where slot_id = ${slotId}::uuid 
      and (is_active or (status in ('cancelled', 'refunded') and refunded_cents < amount_cents))
    order by booking_id for update`.execute(tx);
}
