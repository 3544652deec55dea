import { sql } from 'kysely';
import type { BucketName } from '#domain/storage/buckets.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Log } from '#server/platform/log.ts';
import { largestFileOf } from './file-name.ts';
import type { FileStore } from './file-store.ts';

type Parts = { db: Database; files: FileStore; log: Log };

/** Content folders deleted per run, so that a run ends well within the ten minutes that a job may take. */
const removalsPerRun = 500;

/**
 * Deletes the bytes of removed and replaced objects, in every size. A failure leaves its row for the next run, so
 * deleting survives an outage of the disk or S3. Returns how many were deleted.
 */
export async function removeBytes({ db, files, log }: Parts): Promise<number> {
  const due = await db
    .selectFrom('storageRemovals')
    .select(['contentId', 'bucket'])
    .orderBy('removedAt')
    .limit(removalsPerRun)
    .execute();
  let removed = 0;
  for (const { bucket, contentId } of due) {
    try {
      await files.removeContent(bucket, contentId);
    } catch (error) {
      log.error({ bucket, contentId, err: error }, 'stored bytes not removed');
      // The rest would most likely fail in the same way, each after a timeout.
      break;
    }
    await db.deleteFrom('storageRemovals').where('contentId', '=', contentId).execute();
    removed += 1;
  }
  return removed;
}

/** Bytes younger than this may belong to an upload that has not written its row yet, in milliseconds. */
const graceMs = 60 * 60_000;
const contentsPerQuery = 200;

/**
 * Compares rows and bytes in both directions: bytes without a row are deleted, rows without bytes are removed, and the
 * log names each. A picture whose bytes are gone would stay a broken picture on every page.
 */
export async function removeOrphans({
  db,
  files,
  log,
}: Parts): Promise<{ contents: number; objects: number }> {
  const found = { contents: 0, objects: 0 };
  let batch: { bucket: string; contentId: string }[] = [];
  const sweep = async () => {
    const ids = batch.map(({ contentId }) => contentId);
    const { rows } = await sql<{ contentId: string }>`
      select content_id::text as content_id from storage_objects where content_id::text = any(${ids}::text[])`.execute(
      db,
    );
    const known = new Set(rows.map(({ contentId }) => contentId));
    for (const { bucket, contentId } of batch.filter((content) => !known.has(content.contentId))) {
      await files.removeContent(bucket, contentId);
      log.warn({ bucket, contentId }, 'bytes without an object removed');
      found.contents += 1;
    }
    batch = [];
  };
  for await (const { bucket, contentId, changedAt } of files.listContents()) {
    if (Date.now() - changedAt < graceMs) continue;
    batch.push({ bucket, contentId });
    if (batch.length === contentsPerQuery) await sweep();
  }
  await sweep();
  await removeObjectsWithoutBytes({ db, files, log }, found);
  return found;
}

async function removeObjectsWithoutBytes(
  { db, files, log }: Parts,
  found: { objects: number },
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const objects = await db
      .selectFrom('storageObjects')
      .select(['objectId', 'bucket', 'contentId', 'contentType'])
      .where('objectId', '>', after)
      .orderBy('objectId')
      .limit(contentsPerQuery)
      .execute();
    for (const object of objects) {
      after = object.objectId;
      if (await hasBytes(files, object)) continue;
      const { objectId, contentId, bucket } = object;
      await db
        .deleteFrom('storageObjects')
        .where('objectId', '=', objectId)
        .where('contentId', '=', contentId)
        .execute();
      log.warn({ bucket, objectId, contentId }, 'object without bytes removed');
      found.objects += 1;
    }
    if (objects.length < contentsPerQuery) return;
  }
}

async function hasBytes(
  files: FileStore,
  object: { bucket: BucketName; contentId: string; contentType: string },
): Promise<boolean> {
  const file = await files.get(`${object.bucket}/${object.contentId}/${largestFileOf(object)}`);
  await file?.body.cancel();
  return file !== null;
}
