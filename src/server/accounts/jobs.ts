import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import type { JobHandlers } from '#server/platform/jobs.ts';
import { deleteExpiredPoints } from '#server/platform/rate-limit.ts';
import { mailEmailChange } from './change-email.ts';
import { mailRecovery } from './recover-password.ts';
import { resendVerification } from './sign-up.ts';

/** When the recurring jobs of accounts run, as lines of graphile-worker's crontab (UTC). */
export const accountCron = '17 * * * * accounts.tidied';

/** The jobs of accounts. */
export function accountJobs(parts: { db: Database; config: Pick<Config, 'publicUrl'> }): JobHandlers {
  return {
    // The request itself only queues this, so that its answer takes as long for any address.
    'accounts.verification_requested': (payload: { email: string; redirectTo: string }) =>
      resendVerification(parts, payload),
    'accounts.recovery_requested': (payload: { email: string; redirectTo: string }) =>
      mailRecovery(parts, payload),
    'accounts.email_change_requested': (payload: { userId: string; newEmail: string }) =>
      mailEmailChange(parts, payload),
    'accounts.tidied': () => deleteExpired(parts.db),
  };
}

/** Deletes what nobody can use any more: counts, links, refresh tokens and sessions. */
async function deleteExpired(db: Database): Promise<void> {
  await deleteExpiredPoints(db);
  await db
    .deleteFrom('oneTimeTokens')
    .where('expiresAt', '<', sql<string>`now() - interval '7 days'`)
    .execute();
  await db.deleteFrom('emailChanges').where('expiresAt', '<', sql<string>`now()`).execute();
  await db.deleteFrom('factorChallenges').where('expiresAt', '<', sql<string>`now()`).execute();
  // For this long a token that comes back after its use still gives its thief away.
  await db
    .deleteFrom('refreshTokens')
    .where('usedAt', '<', sql<string>`now() - interval '60 days'`)
    .execute();
  await db
    .updateTable('sessions')
    .set({ endedAt: sql<string>`now()` })
    .where('endedAt', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('refreshedAt', '<', sql<string>`now() - interval '30 days'`),
        eb('createdAt', '<', sql<string>`now() - interval '180 days'`),
      ]),
    )
    .execute();
  await db.deleteFrom('sessions').where('endedAt', '<', sql<string>`now() - interval '60 days'`).execute();
}
