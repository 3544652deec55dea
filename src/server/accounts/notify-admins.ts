import type { Actor } from '#domain/access.ts';
import type { Message } from '#domain/message.ts';
import { notify } from '#server/notifications/notify.ts';
import { type NamedRecipient, readAdmins, readRecipient } from '#server/notifications/recipients.ts';
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
  { except = [], compose }: { except?: readonly string[]; compose: (admin: NamedRecipient) => Message },
): Promise<void> {
  for (const { userId, ...admin } of await readAdmins(tx)) {
    if (!except.includes(userId)) await notify(tx, admin, compose(admin));
  }
}
