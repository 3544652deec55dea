import type { MessageAction } from '#domain/message.ts';
import type { StoredNotification } from '#server/notifications/delivery-records.ts';
import { readAdmins } from '#server/notifications/recipients.ts';
import { openUsers } from '#server/notifications/templates/admins.ts';
import { openLesson } from '#server/notifications/templates/coach-bookings.ts';
import { composeNotReachedMessage } from '#server/notifications/templates/not-reached.ts';
import { type Draft, writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBookingMessageData } from './queries.ts';

/**
 * Notifies a lesson's coach and the admins that a customer could not be reached about the lesson's change or
 * cancellation. Notifies nobody if the customer has cancelled the booking, or if the person who could not be reached is
 * another guardian. Safe to repeat.
 */
export async function notifyUnreached(
  db: Database,
  { userId: unreachedId, kind, subjectId, version, title }: StoredNotification,
): Promise<void> {
  const data = await readBookingMessageData(db, subjectId);
  if (!data || data.booking.cancelledBy === 'customer') return;
  const { booking, recipient } = data;
  if (unreachedId !== recipient.userId) return;
  const draftFor = (
    userId: string,
    ofKind: 'not_reached' | 'customer_not_reached',
    action: MessageAction,
  ): Draft => ({
    kind: ofKind,
    userId,
    subjectId,
    version: `${kind} ${version}`,
    aboutUserId: recipient.userId,
    message: composeNotReachedMessage({
      booking,
      customerName: recipient.fullName || recipient.email || 'A customer',
      about: title,
      action,
    }),
  });
  const admins = await readAdmins(db);
  await writeNotifications(db, [
    draftFor(booking.coachId, 'not_reached', openLesson(booking)),
    ...admins.map(({ userId }) => draftFor(userId, 'customer_not_reached', openUsers)),
  ]);
}
