import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import type { Log } from '#server/platform/log.ts';
import { removeBytes } from './files/remove-bytes.ts';
import { removeOrphans } from './files/remove-orphans.ts';
import type { Storage } from './storage.ts';

/** The jobs that delete bytes. They may wait for S3, so they have their own runner. */
export function storageJobs({ db, storage, log }: { db: Database; storage: Storage; log: Log }) {
  const parts = { db, files: storage.files, log };
  return {
    'storage.remove-bytes': async () => {
      await removeBytes(parts);
    },
    'storage.remove-orphans': async () => {
      await removeOrphans(parts);
    },
  } satisfies AreaHandlers<'storage'>;
}
