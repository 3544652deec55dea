import { sql } from 'kysely';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** The sessions to end: all of the person's sessions, only the current one, or all except the current one. */
export const signOutScopes = ['global', 'local', 'others'] as const;
export type SignOutScope = (typeof signOutScopes)[number];

/**
 * Ends sessions immediately: both their refresh tokens and their access tokens stop working. Returns the number of
 * sessions ended.
 */
export async function signOut(
  db: Database | Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
  scope: SignOutScope,
): Promise<number> {
  let query = db
    .updateTable('sessions')
    .set({ endedAt: sql<string>`now()` })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null);
  if (scope === 'local') query = query.where('sessionId', '=', sessionId);
  if (scope === 'others') query = query.where('sessionId', '<>', sessionId);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Ends sessions at the person's own request. Ending other browsers' sessions is audited; signing out of the current
 * browser is not.
 */
export async function signOutRecorded(
  db: Database,
  session: { userId: string; sessionId: string },
  scope: SignOutScope,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { userId } = session;
    const own = scope === 'others' ? 0 : 1;
    const ended = (await signOut(tx, session, scope)) - own;
    if (ended < 1) return;
    const subject = { subjectType: 'profile', subjectId: userId };
    await recordAudit(tx, { userId }, { action: 'sessions.ended', ...subject, after: { browsers: ended } });
  });
}
