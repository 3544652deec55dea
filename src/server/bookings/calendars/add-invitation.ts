import type { Message } from '#domain/message.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { BookingNotice } from '../queries.ts';
import { writeEvent } from './calendar-file.ts';
import { toBookedEvent } from './lesson-events.ts';
import { organizerOf } from './organizer.ts';

/**
 * Adds the calendar file to a message about a booking: an invitation or its update, or the cancellation of an earlier
 * invitation. File and message must come from the same state of the booking. A customer whose calendar program reads a
 * feed gets no invitation, but still gets updates and cancellations of events that were emailed before.
 */
export async function addInvitation<M extends Message>(
  { db, config }: { db: Database; config: Pick<Config, 'publicUrl' | 'email'> },
  notice: BookingNotice,
  message: M,
): Promise<M> {
  const {
    booking,
    recipient,
    sequence,
    isInvited,
    hasFeed,
    brand,
    fullName,
    participantName = null,
  } = notice;
  const event = toBookedEvent({ ...booking, sequence, participantName }, config.publicUrl);
  if (!isInvited && (hasFeed || event.isCancelled)) return message;
  if (!isInvited) {
    // Recorded before the email is sent. If the process is killed in between, the repeated job sends the email. A
    // booking that has been cancelled since it was read gets no invitation, because its cancellation has no calendar
    // file.
    const invited = await db
      .updateTable('bookings')
      .set({ isInvited: true })
      .where('bookingId', '=', booking.bookingId)
      .where('isActive', '=', true)
      .executeTakeFirst();
    if (invited.numUpdatedRows === 0n) return message;
  }
  const method = event.isCancelled ? 'CANCEL' : 'REQUEST';
  const attendee = { name: fullName, email: recipient.email };
  const organizer = organizerOf(config, brand);
  return { ...message, calendar: { method, content: writeEvent(event, { method, organizer, attendee }) } };
}
