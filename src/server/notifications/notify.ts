import { type RawBuilder, sql } from 'kysely';
import type { Message, NotificationMessage } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import type { Channels } from './channels.ts';
import { findUndelivered, recordSent } from './delivery-records.ts';
import { type Draft, type NotificationEvent, writeNotifications, writeToAll } from './write-notifications.ts';

/**
 * Notifies a person of an event, once per kind, subject and version: the app lists the notification, and one job per
 * channel delivers it, except where the person has switched the channel off. Takes effect only if the transaction
 * commits; does nothing for a deleted account.
 */
export async function notify(
  tx: Database | Tx,
  { userId }: { userId: string },
  event: NotificationEvent,
  message: NotificationMessage,
): Promise<void> {
  await writeNotifications(tx, [{ ...event, userId, message }]);
}

/**
 * Notifies everyone whose user id the SQL selects, in one statement, because there may be thousands of recipients. Each
 * recipient is the subject of their own notification.
 */
export function notifyAll(
  tx: Tx,
  userIds: RawBuilder<unknown>,
  event: { kind: NotificationKind; version?: string },
  message: NotificationMessage,
): Promise<void> {
  return writeToAll(tx, userIds, event, message);
}

/**
 * Queues an email to an address, such as a link to reset a password or an invitation. The email is not a notification,
 * so neither preferences nor earlier bounces stop it.
 */
export const sendEmail = (tx: Database | Tx, to: string, message: Message): Promise<void> =>
  enqueue(tx, 'notifications.send', { to, ...message });

/**
 * Writes notifications within the job of an event, and emails the first, because a second job would cost the database
 * as much as a booking. The other deliveries are queued, and so is the email if it could not be sent. Safe to repeat
 * after an interruption at any point.
 */
export async function notifyNow(
  { db, channels }: { db: Database; channels: Channels },
  { email }: { email: string },
  draft: Draft,
  others: Draft[] = [],
): Promise<void> {
  const [written] = await writeNotifications(db, [{ ...draft, deliversNow: 'email' }, ...others]);
  const notificationId = written ?? (await findUndelivered(db, draft));
  if (!notificationId) return;
  const { kind, userId } = draft;
  try {
    await channels.email(email, draft.message, { notificationId, kind, userId });
  } catch {
    // The queued delivery handles a refusal, and retries if the mail server is down.
    await queueDelivery(db, notificationId, draft);
    return;
  }
  await recordSent(db, { notificationId, channel: 'email', to: email });
}

async function queueDelivery(db: Database, notificationId: string, draft: Draft): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      insert into deliveries (notification_id, channel) values (${notificationId}::uuid, 'email')
      on conflict do nothing returning notification_id`.execute(tx);
    if (!rows[0]) return;
    await enqueue(tx, 'notifications.deliver', {
      notificationId,
      channel: 'email',
      message: draft.isComposedLater ? null : draft.message,
    });
  });
}
