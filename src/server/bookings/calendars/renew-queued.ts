import type { Composer, Composers } from '#server/notifications/deliver.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { isStill } from '../changes/is-still.ts';
import { type BookingNotice, readBookingMessageData } from '../queries.ts';
import { addInvitation } from './add-invitation.ts';

/**
 * Composers for messages about bookings that were queued because they could not be sent at once. They renew a message's
 * calendar file when the message is sent, and drop a message about a change that a later change or a cancellation has
 * replaced.
 */
export function queuedBookingMessages(parts: {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'email'>;
}): Composers {
  const renew =
    <To>(isTrue: (data: BookingNotice, to: To) => boolean): Composer =>
    async ({ subjectId, params }, queued) => {
      const data = queued && (await readBookingMessageData(parts.db, subjectId, parts.config.publicUrl));
      if (!data || !isTrue(data, params.to as To)) return null;
      const { calendar: _, ...message } = queued;
      return addInvitation(parts, data, message);
    };
  const renewChange = <To>(isTrue: (data: BookingNotice, to: To) => boolean) =>
    renew<To>((data, to) => data.booking.cancelledBy === null && isTrue(data, to));
  return {
    booked: renew(() => true),
    lesson_cancelled: renew(() => true),
    lesson_moved: renewChange(isStill.moved),
    lesson_changed: renewChange(isStill.changed),
    lesson_relocated: renewChange(isStill.relocated),
  };
}
