import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { GalleryPicture } from '#domain/storage/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { listObjects, toPicture, versionOf } from './queries.ts';
import type { AddressSigner } from './signed-address.ts';

/** A coach's own gallery, oldest first. The addresses are signed, so they open hidden pictures too. */
export async function listGallery(
  { db, signer }: { db: Database; signer: AddressSigner },
  { userId }: Person,
): Promise<GalleryPicture[]> {
  const objects = await listObjects(db, 'gallery', userId);
  return objects.map((object) => ({
    ...toPicture(object, signer.signPicture(`gallery/${object.path}`, versionOf(object))),
    path: object.path,
    isHidden: object.state === 'hidden',
  }));
}

/** Changes the description of one of the coach's own gallery pictures; throws `not_found` for any other picture. */
export async function describePicture(
  db: Database,
  { userId }: Person,
  { pictureId, alt }: { pictureId: string; alt: string },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('storageObjects')
    .set({ alt })
    .where('objectId', '=', pictureId)
    .where('ownerUserId', '=', userId)
    .where('bucket', '=', 'gallery')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'This picture no longer exists.');
}
