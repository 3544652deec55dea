import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { bookingsOfHolds } from '../booking/release-hold.ts';

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

export type LockedSlot = Awaited<ReturnType<typeof lockCoachSlot>>;

/** SQL: whether a booking (aliased `booking`) was cancelled without a full refund. */
export const isPartOwed = sql`(booking.status in ('cancelled', 'refunded') and booking.refunded_cents < booking.charged_cents)`;

/**
 * Locks the bookings of an already locked slot that have or hold a seat or were cancelled without a full refund, and
 * the bookings that share a payment with one of its holds. The lock waits for payments that are being confirmed, so
 * that the next statement sees their bookings as booked.
 */
export async function lockBookingsOf(tx: Tx, slotId: string): Promise<void> {
  await sql`
    select from bookings where booking_id in (
      select booking_id from bookings booking where slot_id = ${slotId}::uuid and (is_active or ${isPartOwed})
      union
      ${bookingsOfHolds(slotId)})
    order by booking_id for update`.execute(tx);
}

/**
 * Thrown to try again: payments that hold a seat in this slot have seats in other slots, which must be locked as well.
 */
class HoldAppeared extends Error {}

const maxTries = 5;

/**
 * Runs a transaction that changes one of the coach's own slots and releases its holds. Locks the slot and, in ascending
 * order as everywhere, the slots in which the payments of these holds have other seats. Throws `not_found` for any
 * other slot, and `unavailable` if new holds have appeared at every attempt.
 */
export async function changeSlotWithHolds<T>(
  db: Database,
  { coachId, slotId }: { coachId: string; slotId: string },
  change: (tx: Tx, slot: LockedSlot) => Promise<T>,
): Promise<T> {
  // Payments for seats in several slots are rare, so the first attempt assumes that there are none.
  let others: string[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        if (others.length > 0) {
          await sql`
            select from lesson_slots where slot_id = any(${[slotId, ...others]}::uuid[])
            order by slot_id for no key update`.execute(tx);
        }
        const slot = await lockCoachSlot(tx, coachId, slotId);
        const now = await readSlotsOfHolds(tx, slotId);
        if (now.some((other) => !others.includes(other))) {
          others = now;
          throw new HoldAppeared();
        }
        return change(tx, slot);
      });
    } catch (error) {
      if (!(error instanceof HoldAppeared)) throw error;
      if (attempt === maxTries) {
        throw new AppError('unavailable', 'Many people are booking this lesson. Please try again.');
      }
    }
  }
}

/** The other slots in which payments of this slot's holds have seats. */
async function readSlotsOfHolds(tx: Tx, slotId: string): Promise<string[]> {
  const { rows } = await sql<{ slotId: string }>`
    select distinct slot_id from bookings
    where booking_id in (${bookingsOfHolds(slotId)}) and status = 'pending' and slot_id <> ${slotId}::uuid`.execute(
    tx,
  );
  return rows.map((row) => row.slotId);
}
