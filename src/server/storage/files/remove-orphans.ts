import { sql } from 'kysely';
import { z } from 'zod';
import type { BucketName } from '#domain/storage/buckets.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import { largestFileOf } from './file-name.ts';
import type { FileStore } from './file-store.ts';
import type { RemovalParts } from './remove-bytes.ts';

/** The minimum age of an orphan in milliseconds: newer bytes may belong to an upload whose row is not written yet. */
const graceMs = 60 * 60_000;
const perQuery = 200;

/** Whether there are too many orphans for failed uploads to explain. */
const isSuspicious = (orphans: number, all: number) =>
  (orphans > 2 && orphans > all / 2) || (orphans > 20 && orphans > all / 10);

type Content = { bucket: string; contentId: string };
type Found = { contents: number; objects: number };

/**
 * Compares rows and bytes in both directions. Deletes bytes without a row, and rows without bytes, which would show as
 * broken pictures, and logs each. The row of a document that a coach has submitted is logged but kept. If there are
 * suspiciously many orphans, removes nothing and logs an error: a volume may not be mounted, or the folder may belong
 * to another database. Returns how many of each were removed.
 */
export async function removeOrphans({ db, files, log }: RemovalParts): Promise<Found> {
  const bytes = await findBytesWithoutRow(db, files);
  const rows = await findRowsWithoutBytes(db, files);
  for (const [what, { orphans, all }] of [['bytes', bytes] as const, ['rows', rows] as const]) {
    if (!isSuspicious(orphans.length, all)) continue;
    log.error(
      { what, orphans: orphans.length, all },
      'too many orphans in storage, nothing removed: is the volume mounted, and does it belong to this database?',
    );
    return { contents: 0, objects: 0 };
  }
  for (const { bucket, contentId } of bytes.orphans) {
    await files.removeContent(bucket, contentId);
    log.warn({ bucket, contentId }, 'bytes without an object removed');
  }
  let objects = 0;
  for (const { objectId, bucket, contentId } of rows.orphans) {
    try {
      await db
        .deleteFrom('storageObjects')
        .where('objectId', '=', objectId)
        .where('contentId', '=', contentId)
        .execute();
    } catch (error) {
      if (!isViolation(error, 'coach_documents_file_kept')) throw error;
      log.error({ bucket, objectId, contentId }, 'bytes of a submitted document missing');
      continue;
    }
    log.warn({ bucket, objectId, contentId }, 'object without bytes removed');
    objects += 1;
  }
  return { contents: bytes.orphans.length, objects };
}

async function findBytesWithoutRow(db: Database, files: FileStore) {
  const orphans: Content[] = [];
  let all = 0;
  let batch: Content[] = [];
  const compare = async () => {
    const ids = batch.map(({ contentId }) => contentId);
    const { rows } = await sql<{ contentId: string }>`
      select content_id::text as content_id from storage_objects
      where content_id::text = any(${ids}::text[])
      union all
      select content_id::text from storage_removals where content_id::text = any(${ids}::text[])`.execute(db);
    const known = new Set(rows.map(({ contentId }) => contentId));
    orphans.push(...batch.filter(({ contentId }) => !known.has(contentId)));
    batch = [];
  };
  for await (const { bucket, contentId, changedAt } of files.listContents()) {
    // Skips anything else that an operator keeps in the folder.
    if (!z.uuid().safeParse(contentId).success) continue;
    all += 1;
    if (Date.now() - changedAt < graceMs) continue;
    batch.push({ bucket, contentId });
    if (batch.length === perQuery) await compare();
  }
  await compare();
  return { orphans, all };
}

async function findRowsWithoutBytes(db: Database, files: FileStore) {
  const orphans: (Content & { objectId: string })[] = [];
  let all = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const objects = await db
      .selectFrom('storageObjects')
      .select(['objectId', 'bucket', 'contentId', 'contentType'])
      .where('objectId', '>', after)
      .orderBy('objectId')
      .limit(perQuery)
      .execute();
    for (const object of objects) {
      all += 1;
      after = object.objectId;
      if (!(await hasBytes(files, object))) orphans.push(object);
    }
    if (objects.length < perQuery) return { orphans, all };
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
