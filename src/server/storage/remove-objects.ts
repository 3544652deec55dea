import type { Person } from '#domain/access.ts';
import type { BucketName } from '#domain/storage/buckets.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import type { StoredObject } from './queries.ts';
import { fileInUse } from './store-object.ts';

/**
 * Removes a person's own objects and returns them. A job deletes their bytes. Unknown paths are ignored. Throws
 * `conflict`, removing nothing, for the file of a document that the person has handed in.
 */
export const removeObjects = (
  db: Database,
  { userId }: Person,
  bucket: BucketName,
  paths: string[],
): Promise<StoredObject[]> =>
  db
    .deleteFrom('storageObjects')
    .where('ownerUserId', '=', userId)
    .where('bucket', '=', bucket)
    .where('path', 'in', paths)
    .returningAll()
    .execute()
    .catch((error: unknown) => {
      throw isViolation(error, 'coach_documents_file_kept') ? fileInUse() : error;
    });
