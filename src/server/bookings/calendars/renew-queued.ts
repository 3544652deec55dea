import type { Composer, Composers } from '#server/notifications/deliver.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { stillApplies } from '../changes/still-applies.ts';
import { type BookingNotice, readBookingMessageData } from '../queries.ts';
import { addInvitation } from './add-invitation.ts';

const isUncancelled = ({ booking }: BookingNotice) => booking.cancelledBy === null;

/**
 * Composers for messages about bookings that were queued because they could not be sent immediately. The composers
 * renew a message's calendar file when the message is sent, and drop a message about a change that a later change or a
 * cancellation has replaced. After a cancellation, the push message that confirms the booking and the coach's
 * notification of the booking are dropped as well.
 */
export function queuedBookingMessages(parts: {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'email'>;
}): Composers {
  const renew =
    <To>(isTrue: (data: BookingNotice, to: To) => boolean): Composer =>
    async ({ userId, subjectId, params }, queued, channel) => {
      const data = queued && (await readBookingMessageData(parts.db, subjectId));
      if (!data || !isTrue(data, params.to as To)) return null;
      // Only the payer gets the calendar file, and only by email.
      if (channel !== 'email' || userId !== data.recipient.userId) return queued;
      const { calendar: _, ...message } = queued;
      return addInvitation(parts, data, message);
    };
  const renewChange = <To>(isTrue: (data: BookingNotice, to: To) => boolean) =>
    renew<To>((data, to) => isUncancelled(data) && isTrue(data, to));
  return {
    // A receipt is always emailed, even if the booking has been cancelled.
    booked: async (notification, queued, channel) =>
      renew(channel === 'email' ? () => true : isUncancelled)(notification, queued, channel),
    // The coach gets no calendar file with this message.
    new_booking: async ({ subjectId }, queued) => {
      const data = queued && (await readBookingMessageData(parts.db, subjectId));
      return data && isUncancelled(data) ? queued : null;
    },
    lesson_cancelled: renew(() => true),
    lesson_moved: renewChange(stillApplies.moved),
    lesson_changed: renewChange(stillApplies.changed),
    lesson_relocated: renewChange(stillApplies.relocated),
  };
}
