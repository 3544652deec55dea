import type { Actor } from '#domain/access.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { type Recipient, readAdmins, readRecipient } from '#server/notifications/recipients.ts';
import { type NotificationEvent, writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** The actor's name for messages to others; "The operator" for a command or a job. */
export async function nameActor(tx: Tx, actor: Actor): Promise<string> {
  if ('system' in actor) return 'The operator';
  const { fullName, email } = await readRecipient(tx, actor.userId);
  return fullName || email;
}

/** Notifies every admin except those whose user ids are in `except`. */
export async function notifyAdmins(
  tx: Tx,
  event: NotificationEvent,
  {
    except = [],
    compose,
  }: { except?: readonly string[]; compose: (admin: Recipient) => NotificationMessage },
): Promise<void> {
  const admins = (await readAdmins(tx)).filter(({ userId }) => !except.includes(userId));
  await writeNotifications(
    tx,
    admins.map((admin) => ({ ...event, userId: admin.userId, message: compose(admin) })),
  );
}
