import { type Selectable, sql } from 'kysely';
import type { BucketName } from '#domain/storage/buckets.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { StorageObjects } from '#server/platform/db/db-types.ts';

export type StoredObject = Selectable<StorageObjects>;

/** SQL: whether visitors can see an object: its owner is a coach who can be booked, and the object isn't hidden. */
export const isShownToVisitors = sql<boolean>`(storage_objects.state = 'live' and exists (
  select from coaches where coaches.coach_id = storage_objects.owner_user_id and coaches.is_active
    and coaches.is_listed))`;

/** SQL: the URL of the avatar of the coach whose id is in this column; null if visitors see none. */
export const publicAvatarOf = (column: string) => sql<string | null>`(
  select person.avatar_url from coaches shown join profiles person on person.user_id = shown.coach_id
  where shown.coach_id = ${sql.ref(column)} and shown.is_active and shown.is_listed)`;

/** The URL of a coach's avatar; null if visitors see none. */
export async function readPublicAvatar(db: Database | Tx, coachId: string): Promise<string | null> {
  const coach = await db
    .selectFrom('coaches')
    .select(publicAvatarOf('coaches.coachId').as('avatarUrl'))
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  return coach?.avatarUrl ?? null;
}

const selectObjects = (db: Database | Tx) => db.selectFrom('storageObjects').selectAll('storageObjects');

/** Any object by its bucket and path; callers check who may see it. */
export const findObject = (
  db: Database | Tx,
  bucket: BucketName,
  path: string,
): Promise<StoredObject | undefined> =>
  selectObjects(db).where('bucket', '=', bucket).where('path', '=', path).executeTakeFirst();

/** An object that visitors may see. Callers check that its bucket is public. */
export const findPublicObject = (
  db: Database,
  bucket: BucketName,
  path: string,
): Promise<StoredObject | undefined> =>
  selectObjects(db)
    .where('bucket', '=', bucket)
    .where('path', '=', path)
    .where(isShownToVisitors)
    .executeTakeFirst();

/** A public picture by its id, if visitors may see it. */
export const findPublicPicture = (db: Database | Tx, pictureId: string): Promise<StoredObject | undefined> =>
  selectObjects(db)
    .where('objectId', '=', pictureId)
    .where('bucket', 'in', ['avatars', 'gallery'])
    .where(isShownToVisitors)
    .executeTakeFirst();

/** A person's objects in a bucket, oldest first. Upload limits keep the list short. */
export const listObjects = (db: Database, bucket: BucketName, ownerUserId: string): Promise<StoredObject[]> =>
  selectObjects(db)
    .where('ownerUserId', '=', ownerUserId)
    .where('bucket', '=', bucket)
    .orderBy('createdAt')
    .orderBy('objectId')
    .execute();

/** The part of a picture's URL that changes with its bytes. */
export const versionOf = ({ contentId }: Pick<StoredObject, 'contentId'>): string => contentId.slice(0, 8);

/** The public URL of an object, relative to the site's address. */
export const publicUrlOf = (object: Pick<StoredObject, 'bucket' | 'path' | 'contentId'>): string =>
  `/storage/v1/object/public/${object.bucket}/${object.path}?v=${versionOf(object)}`;

/** The public pictures on a coach's profile page, oldest first. */
export async function listPublicPictures(db: Database, coachId: string) {
  const objects = await selectObjects(db)
    .where('ownerUserId', '=', coachId)
    .where('bucket', 'in', ['avatars', 'gallery'])
    .where(isShownToVisitors)
    .orderBy('createdAt')
    .orderBy('objectId')
    .execute();
  const pictures = objects.map((object) => ({
    ...toPicture(object, publicUrlOf(object)),
    bucket: object.bucket,
  }));
  return {
    avatar: pictures.find(({ bucket }) => bucket === 'avatars') ?? null,
    gallery: pictures.filter(({ bucket }) => bucket === 'gallery'),
  };
}

/** A picture as the API returns it. */
export const toPicture = ({ objectId, alt, width, height }: StoredObject, url: string) => ({
  pictureId: objectId,
  url,
  alt,
  width: width!,
  height: height!,
});
