import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { deleteExpired } from './cleanup/delete-expired.ts';

export function personalDataJobs({ db }: { db: Database }) {
  return {
    'account.cleanup': async () => {
      await deleteExpired(db);
    },
  } satisfies AreaHandlers<'account'>;
}
