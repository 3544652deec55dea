import type { Actor } from '#domain/access.ts';
import type { Tx } from './db.ts';

/** The actor in the two columns of a log table: a person's id, or the name of the job that acted. */
export function actorColumns(actor: Actor): { actorUserId: string | null; actorSystem: string | null } {
  return 'system' in actor
    ? { actorUserId: null, actorSystem: actor.system }
    : { actorUserId: actor.userId, actorSystem: null };
}

/** Writes one line of the audit log in the transaction of the deed itself. */
export async function recordAudit(
  tx: Tx,
  actor: Actor,
  deed: { action: string; subjectType: string; subjectId: string; before?: unknown; after?: unknown },
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await tx
    .insertInto('auditLog')
    .values({
      ...actorColumns(actor),
      action: deed.action,
      subjectType: deed.subjectType,
      subjectId: deed.subjectId,
      before: json(deed.before),
      after: json(deed.after),
    })
    .execute();
}
