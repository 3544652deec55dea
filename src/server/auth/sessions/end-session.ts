import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Ends one of the person's own sessions immediately and records an audit event. Throws `not_found` for a session that
 * has ended or belongs to someone else.
 */
export async function endSession(db: Database, person: Person, sessionId: string): Promise<void> {
  const { userId } = person;
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('sessions')
      .set({ endedAt: sql<string>`now()` })
      .where('sessionId', '=', sessionId)
      .where('userId', '=', userId)
      .where('endedAt', 'is', null)
      .returning('sessionId')
      .executeTakeFirst();
    if (!ended) throw new AppError('not_found', 'That browser is already signed out.');
    const subject = { subjectType: 'profile', subjectId: userId };
    await recordAudit(tx, person, { action: 'sessions.ended', ...subject, after: { browsers: 1 } });
  });
}
