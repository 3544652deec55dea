import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { emailEmailChange } from './change-email.ts';
import { emailRecovery } from './passwords/recover-password.ts';
import { resendVerification } from './sign-in/sign-up.ts';

export function authJobs(db: Database) {
  return {
    // Requests only queue the jobs named `…-requested`, so that the response takes equally long for any address.
    'auth.verification-requested': (payload) => resendVerification(db, payload),
    'auth.recovery-requested': (payload) => emailRecovery(db, payload),
    'auth.email-change-requested': (payload) => emailEmailChange(db, payload),
    'auth.sessions-expired': () => endExpiredSessions(db),
  } satisfies AreaHandlers<'auth'>;
}

/** Sessions ended per statement, to stay well below the statement timeout. */
const batchSize = 1_000;

/** Ends sessions that can no longer be refreshed: unused for 30 days, or begun more than 180 days ago. */
async function endExpiredSessions(db: Database): Promise<void> {
  // One statement per condition: each uses its own index, so finding that no session has expired is fast.
  for (const isOver of [
    sql<boolean>`refreshed_at < now() - interval '30 days'`,
    sql<boolean>`created_at < now() - interval '180 days'`,
  ]) {
    let ended = batchSize;
    while (ended === batchSize) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ endedAt: sql<string>`now()` })
        .where('endedAt', 'is', null)
        .where('sessionId', 'in', (find) =>
          find
            .selectFrom('sessions')
            .select('sessionId')
            .where('endedAt', 'is', null)
            .where(isOver)
            .limit(sql.lit(batchSize)),
        )
        .executeTakeFirst();
      ended = Number(numUpdatedRows);
    }
  }
}
