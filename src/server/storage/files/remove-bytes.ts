import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { Log } from '#server/platform/log.ts';
import type { FileStore } from './file-store.ts';

export type RemovalParts = { db: Database; files: FileStore; log: Log };

/** The most content folders deleted per run, so that a run ends well within the ten minutes that a job may take. */
const removalsPerRun = 500;
/** A run ends after this many failures, because each may take 8 s and runs start every minute. */
const failuresPerRun = 5;

/**
 * Deletes the bytes of removed and replaced objects, in every size. If a deletion fails, its row stays for the next
 * run, so the bytes are deleted even after an outage of the disk or S3. Returns the number of objects whose bytes were
 * deleted.
 */
export async function removeBytes({ db, files, log }: RemovalParts): Promise<number> {
  const due = await db
    .selectFrom('storageRemovals')
    .select(['contentId', 'bucket'])
    // In order of age, a few folders that can never be deleted would keep all others from being deleted.
    .orderBy(sql`random()`)
    .limit(removalsPerRun)
    .execute();
  let removed = 0;
  let failed = 0;
  for (const { bucket, contentId } of due) {
    try {
      await files.removeContent(bucket, contentId);
    } catch (error) {
      log.error({ bucket, contentId, err: error }, 'stored bytes not removed');
      failed += 1;
      if (failed === failuresPerRun) break;
      continue;
    }
    await db.deleteFrom('storageRemovals').where('contentId', '=', contentId).execute();
    removed += 1;
  }
  return removed;
}
