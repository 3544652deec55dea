import type { Person } from '#domain/access.ts';
import type { BucketName } from '#domain/storage/buckets.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { StoredObject } from './queries.ts';

/** Removes a person's own objects and returns them. A job deletes their bytes. Unknown paths are ignored. */
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
    .execute();
