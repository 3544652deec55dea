import { sql } from 'kysely';
import type { Actor } from '#domain/access.ts';
import { type Email, enqueueEmail } from '#server/notifications/email-channel.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** The actor's name for emails to others; "The operator" for a command or a job. */
export async function nameActor(tx: Tx, actor: Actor): Promise<string> {
  if ('system' in actor) return 'The operator';
  const profile = await tx
    .selectFrom('profiles')
    .select(['fullName', 'email'])
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return profile.fullName || profile.email;
}

/** Queues an email to every admin but those of `except`, by their user ids. */
export async function notifyAdmins(
  tx: Tx,
  {
    except = [],
    compose,
  }: { except?: readonly string[]; compose: (admin: { email: string; fullName: string }) => Email },
): Promise<void> {
  const admins = await tx
    .selectFrom('profiles')
    .select(['userId', 'email', 'fullName'])
    .where(sql<boolean>`roles @> '{admin}'`)
    .orderBy('userId')
    .execute();
  for (const { userId, ...admin } of admins) {
    if (!except.includes(userId)) await enqueueEmail(tx, compose(admin));
  }
}
