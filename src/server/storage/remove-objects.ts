import type { Person } from '#domain/access.ts';
import type { BucketName } from '#domain/storage/buckets.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import type { StoredObject } from './queries.ts';
import { fileInUse, pictureHidden } from './store-object.ts';

/**
 * Removes a person's own objects and returns them. A job deletes their bytes. Unknown paths are ignored. Removes
 * nothing and throws `conflict` for the file of a document that the person has submitted, or `unprocessable` for a
 * hidden picture.
 */
export const removeObjects = (
  db: Database,
  { userId }: Person,
  bucket: BucketName,
  paths: string[],
): Promise<StoredObject[]> =>
  db
    .transaction()
    .execute(async (tx) => {
      const removed = await tx
        .deleteFrom('storageObjects')
        .where('ownerUserId', '=', userId)
        .where('bucket', '=', bucket)
        .where('path', 'in', paths)
        .returningAll()
        .execute();
      // Otherwise removing the picture and adding it again would undo its reports.
      if (removed.some(({ state }) => state === 'hidden')) throw pictureHidden();
      return removed;
    })
    .catch((error: unknown) => {
      throw isViolation(error, 'coach_documents_file_kept') ? fileInUse() : error;
    });
