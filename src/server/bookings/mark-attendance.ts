import { refuseMarkAttendance } from '#domain/bookings/rules.ts';
import { AppError, insist } from '#domain/errors.ts';
import type { Database } from '#server/platform/db.ts';

/**
 * Marks somebody attended (true) or absent (false) at a lesson of this coach, or takes the mark off (null).
 * Throws `not_found` for another coach's booking, `conflict` before the lesson starts and for cancelled ones.
 */
export function markAttendance(
  db: Database,
  coachId: string,
  { bookingId, attended }: { bookingId: string; attended: boolean | null },
): Promise<{ status: 'attended' | 'booked'; attended: boolean | null }> {
  return db.transaction().execute(async (tx) => {
    const booking = await tx
      .selectFrom('bookings as booking')
      .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
      .select(['booking.status', 'slot.startTime'])
      .where('booking.bookingId', '=', bookingId)
      .where('slot.coachId', '=', coachId)
      .forUpdate('booking')
      .executeTakeFirst();
    if (!booking) throw new AppError('not_found', 'There is no such booking.');
    insist(refuseMarkAttendance(booking, Date.now()));
    const marked = { status: attended ? ('attended' as const) : ('booked' as const), attended };
    await tx.updateTable('bookings').set(marked).where('bookingId', '=', bookingId).execute();
    return marked;
  });
}
