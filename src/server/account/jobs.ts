import type { Database } from '#server/platform/db/db.ts';
import type { JobHandlers } from '#server/platform/jobs/jobs.ts';
import { deleteExpired } from './delete-expired.ts';

/** Schedule of the cleanup job, as a line of graphile-worker's crontab (UTC). */
export const cleanupCron = '27 * * * * account.cleanup';

/** The jobs about personal data. */
export function personalDataJobs({ db }: { db: Database }): JobHandlers {
  return {
    'account.cleanup': async () => {
      await deleteExpired(db);
    },
  };
}
