import { AppError } from '#domain/errors.ts';
import { storageApi } from '#domain/storage/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { describePicture, listGallery } from './gallery.ts';
import { reportPicture } from './moderation/report-picture.ts';
import { decidePicture, listReportedPictures } from './moderation/reported-pictures.ts';
import { findPublicPicture, publicUrlOf, toPicture } from './queries.ts';
import type { Storage } from './storage.ts';

/** The endpoints of galleries and of reported pictures; files go through `createStorageApp`. */
export function storageRoutes({ db, storage: { signer } }: { db: Database; storage: Storage }): Route[] {
  const parts = { db, signer };
  return [
    route(storageApi.listGallery, async (_, coach) => ({ pictures: await listGallery(parts, coach) })),
    route(storageApi.describePicture, async (input, coach) => {
      await describePicture(db, coach, input);
      return {};
    }),
    route(storageApi.getPicture, async ({ pictureId }) => {
      const found = await findPublicPicture(db, pictureId);
      if (!found) throw new AppError('not_found', "This picture doesn't exist, or it's no longer public.");
      return { picture: toPicture(found, publicUrlOf(found)) };
    }),
    route(storageApi.reportPicture, async (input, reporter, { ipAddress }) => {
      await reportPicture(db, reporter, { ...input, ipAddress });
      return {};
    }),
    route(storageApi.listReportedPictures, async () => ({ pictures: await listReportedPictures(parts) })),
    route(storageApi.decidePicture, async (input, admin) => {
      await decidePicture(db, admin, input);
      return {};
    }),
  ];
}
