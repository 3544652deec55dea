import { randomUUID } from 'node:crypto';
import type { Person } from '#domain/access.ts';
import { refuseMarkAttendance } from '#domain/bookings/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { draftDeskChange } from '../notify-booking.ts';
import { readBookingMessageData } from '../queries.ts';

type Mark = { bookingId: string; attended: boolean | null };

/**
 * Marks a participant as attended (true) or absent (false) at this coach's lesson, or removes the mark (null). A change
 * is audited. Throws `not_found` for another coach's booking, and `conflict` before the lesson starts or for a booking
 * that is cancelled or not paid.
 */
export function markAttendance(
  db: Database,
  coach: Person,
  mark: Mark,
): Promise<{ status: 'attended' | 'booked'; attended: boolean | null }> {
  return db.transaction().execute(async (tx) => {
    await writeMark(tx, coach, mark, coach.userId);
    return { status: mark.attended ? 'attended' : 'booked', attended: mark.attended };
  });
}

/**
 * Marks attendance at any coach's lesson, and notifies the coach of a change. Throws the errors of {@link
 * markAttendance}.
 */
export function markAttendanceAtDesk(db: Database, admin: Person, mark: Mark): Promise<void> {
  return db.transaction().execute((tx) => markAsAdmin(tx, admin, mark));
}

/** {@link markAttendanceAtDesk} within a transaction. */
export async function markAsAdmin(tx: Tx, admin: Person, mark: Mark): Promise<void> {
  if (!(await writeMark(tx, admin, mark))) return;
  const data = await readBookingMessageData(tx, mark.bookingId);
  if (!data) return;
  const change = { kind: 'marked', attended: mark.attended } as const;
  await writeNotifications(tx, [draftDeskChange(data, change, `marked ${randomUUID()}`)]);
}

/**
 * Writes a mark for a lesson of this coach or, without `coachId`, of any coach. Returns whether the mark has changed.
 */
async function writeMark(
  tx: Tx,
  actor: Person,
  { bookingId, attended }: Mark,
  coachId?: string,
): Promise<boolean> {
  const booking = await tx
    .selectFrom('bookings as booking')
    .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
    .select(['booking.status', 'booking.attended', 'slot.startTime'])
    .where('booking.bookingId', '=', bookingId)
    .$if(coachId !== undefined, (query) => query.where('slot.coachId', '=', coachId!))
    .forUpdate('booking')
    .executeTakeFirst();
  if (!booking) throw new AppError('not_found', 'Booking not found.');
  assertAllowed(refuseMarkAttendance(booking, Date.now()));
  if (booking.attended === attended) return false;
  const status = attended ? ('attended' as const) : ('booked' as const);
  await tx.updateTable('bookings').set({ status, attended }).where('bookingId', '=', bookingId).execute();
  await recordAudit(tx, actor, {
    action: 'attendance.marked',
    subjectType: 'booking',
    subjectId: bookingId,
    before: { attended: booking.attended },
    after: { attended },
  });
  return true;
}
