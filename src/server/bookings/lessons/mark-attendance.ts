import type { Person } from '#domain/access.ts';
import { refuseMarkAttendance } from '#domain/bookings/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Marks a customer as attended (true) or absent (false) at this coach's lesson, or removes the mark (null). A change is
 * audited. Throws `not_found` for another coach's booking, and `conflict` before the lesson starts or for a booking
 * that is cancelled or not paid.
 */
export function markAttendance(
  db: Database,
  coach: Person,
  { bookingId, attended }: { bookingId: string; attended: boolean | null },
): Promise<{ status: 'attended' | 'booked'; attended: boolean | null }> {
  return db.transaction().execute(async (tx) => {
    const booking = await tx
      .selectFrom('bookings as booking')
      .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
      .select(['booking.status', 'booking.attended', 'slot.startTime'])
      .where('booking.bookingId', '=', bookingId)
      .where('slot.coachId', '=', coach.userId)
      .forUpdate('booking')
      .executeTakeFirst();
    if (!booking) throw new AppError('not_found', 'Booking not found.');
    assertAllowed(refuseMarkAttendance(booking, Date.now()));
    const marked = { status: attended ? ('attended' as const) : ('booked' as const), attended };
    if (booking.attended === attended) return marked;
    await tx.updateTable('bookings').set(marked).where('bookingId', '=', bookingId).execute();
    await recordAudit(tx, coach, {
      action: 'attendance.marked',
      subjectType: 'booking',
      subjectId: bookingId,
      before: { attended: booking.attended },
      after: { attended },
    });
    return marked;
  });
}
