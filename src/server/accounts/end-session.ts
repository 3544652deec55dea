import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db.ts';

/** Ends one of the person's own sessions at once. Throws `not_found` for one that has ended or is not theirs. */
export async function endSession(db: Database, { userId }: Person, sessionId: string): Promise<void> {
  const ended = await db
    .updateTable('sessions')
    .set({ endedAt: sql<string>`now()` })
    .where('sessionId', '=', sessionId)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .returning('sessionId')
    .executeTakeFirst();
  if (!ended) throw new AppError('not_found', 'This browser is signed out already.');
}
