import { randomUUID } from 'node:crypto';
import { type BucketName, buckets } from '#domain/storage/buckets.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { fileNameOf, webp } from '#server/storage/files/file-name.ts';
import type { FileStore } from '#server/storage/files/file-store.ts';
import { renderPicture } from '#server/storage/render-picture.ts';
import { coachId } from './add-people.ts';
import { demoCoaches } from './demo-coaches.ts';
import { illustratePerson, illustrateScene, scenes } from './illustrations.ts';

// How many coaches at the start of the list have a gallery, and how many at its end have no avatar but show initials.
const galleries = 2;
const withoutAvatar = 1;

type Illustration = { bucket: BucketName; ownerUserId: string; path: string; svg: string; alt: string };

/** The illustrations of the demo coaches. Code generates them, so they show no real person. */
function listIllustrations(): Illustration[] {
  return demoCoaches.flatMap(({ sport }, index) => {
    const ownerUserId = coachId(index);
    const illustration: Illustration[] = [];
    if (index < demoCoaches.length - withoutAvatar) {
      const path = `${ownerUserId}/avatar`;
      illustration.push({
        bucket: 'avatars',
        ownerUserId,
        path,
        svg: illustratePerson(index, sport),
        alt: '',
      });
    }
    if (index < galleries) {
      for (const scene of scenes) {
        const path = `${ownerUserId}/${scene.name}`;
        illustration.push({
          bucket: 'gallery',
          ownerUserId,
          path,
          svg: illustrateScene(sport, scene),
          alt: scene.alt,
        });
      }
    }
    return illustration;
  });
}

/** Writes the bytes of the demo's pictures. Returns the rows, to be added with the rest of the demo. */
export async function storePictures(files: FileStore) {
  const rows = [];
  for (const { svg, ...illustration } of listIllustrations()) {
    const { sizes, fit } = buckets[illustration.bucket];
    const { width, height, files: rendered } = await renderPicture(Buffer.from(svg), { sizes, fit });
    const contentId = randomUUID();
    for (const { size, bytes } of rendered) {
      await files.put(`${illustration.bucket}/${contentId}/${fileNameOf(size)}`, bytes, webp);
    }
    const bytes = rendered.reduce((sum, file) => sum + file.bytes.length, 0);
    rows.push({ ...illustration, contentId, contentType: webp, bytes, width, height });
  }
  return rows;
}

export async function addPictures(
  tx: Tx,
  rows: Awaited<ReturnType<typeof storePictures>>,
  createdAt: string,
): Promise<void> {
  await tx
    .insertInto('storageObjects')
    .values(
      rows.map((row, index) => {
        // A gallery shows its pictures in the order in which they were added.
        const addedAt = new Date(Date.parse(createdAt) + index * 60_000).toISOString();
        return { ...row, createdAt: addedAt, updatedAt: addedAt, consentConfirmedAt: addedAt };
      }),
    )
    .execute();
}
