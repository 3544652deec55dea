import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { type BucketName, buckets, uploadLimits } from '#domain/storage/buckets.ts';
import { refuseFullBucket, refuseMetadata, type UploadMetadata } from '#domain/storage/rules.ts';
import { classifyDatabaseFailure } from '#server/platform/db/database-failure.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import type { Log } from '#server/platform/log.ts';
import type { ContentCipher } from './content-cipher.ts';
import type { DecodeQueue } from './decode-queue.ts';
import { readFileHeader } from './file-header.ts';
import { fileNameOf, pdf, pdfName, webp } from './files/file-name.ts';
import type { FileStore } from './files/file-store.ts';
import type { StoredObject } from './queries.ts';
import { renderPicture } from './render-picture.ts';

/** An upload and its target. `mode`: `create` refuses an existing path, `replace` a missing one, `upsert` neither. */
export type Upload = {
  bucket: BucketName;
  path: string;
  ownerUserId: string;
  original: Buffer;
  cacheSeconds: number;
  metadata: UploadMetadata;
  mode: 'create' | 'replace' | 'upsert';
};

export type StoreParts = {
  db: Database;
  files: FileStore;
  queue: DecodeQueue;
  cipher: ContentCipher;
  log: Log;
  /** `failed` counts the files whose bytes could not be written. */
  uploads: { failed: number };
};

type Rendered = {
  contentType: string;
  files: { name: string; bytes: Uint8Array }[];
  width: number | null;
  height: number | null;
};

/**
 * Stores a file: checks its header, decodes and re-encodes a picture, writes the bytes and then the row. Bytes without
 * a row are orphans, which a nightly job removes; a row always has its bytes. Throws `conflict` for an existing name or
 * the file of a document that has been submitted, `not_found` for a missing name, `payload_too_large` and
 * `unsupported_media_type` for a file that is not accepted, `unprocessable` for a damaged picture, invalid metadata, a
 * full bucket or a hidden picture, `unauthenticated` if the account was deleted in the meantime, and `unavailable` if
 * the picture has to wait too long or the bytes cannot be stored.
 */
export async function storeObject(parts: StoreParts, upload: Upload): Promise<StoredObject> {
  const { db, files, cipher, log, uploads } = parts;
  const { bucket } = upload;
  assertAllowed(refuseMetadata(bucket, upload.metadata));
  // Checked again under a lock below. This first check saves decoding a file that would be refused.
  await assertRoom(db, upload, 0);
  const rendered = await render(parts, upload);
  const bytes = rendered.files.reduce((sum, file) => sum + file.bytes.length, 0);
  const contentId = randomUUID();
  const key = buckets[bucket].isPublic ? null : cipher.create(contentId);
  const discard = () =>
    files.removeContent(bucket, contentId).catch((error: unknown) => {
      log.warn({ bucket, contentId, reason: String(error) }, 'bytes of a failed upload not removed');
    });
  try {
    for (const file of rendered.files) {
      const stored = key ? key.encrypt(file.bytes) : file.bytes;
      await files.put(`${bucket}/${contentId}/${file.name}`, stored, rendered.contentType);
    }
  } catch (error) {
    log.error({ bucket, err: error }, 'upload not stored');
    uploads.failed += 1;
    // Not awaited, because removing may take as long again. The nightly job removes any bytes that are left.
    void discard();
    throw new AppError(
      'unavailable',
      "We couldn't save your file right now. Nothing was changed. Please try again later.",
      { cause: error },
    );
  }
  try {
    return await db.transaction().execute(async (tx) => {
      await lockOwner(tx, upload.ownerUserId);
      await assertRoom(tx, upload, bytes);
      const saved = await saveRow(tx, upload, {
        ...rendered,
        ...{ contentId, bytes, keyEncrypted: key?.keyEncrypted ?? null },
      });
      // The decided reports were about the previous picture, so the same people may report this one.
      await tx
        .deleteFrom('storageReports')
        .where('objectId', '=', saved.objectId)
        .where('decidedAt', 'is not', null)
        .execute();
      return saved;
    });
  } catch (error) {
    // If only the response to the commit was lost, the row exists and needs its bytes.
    if (classifyDatabaseFailure(error) === null) await discard();
    if (isViolation(error, 'storage_objects_path_unique')) throw duplicate();
    if (isViolation(error, 'coach_documents_file_kept')) throw fileInUse();
    throw error;
  }
}

/** The refusal to replace or remove the file of a document that has been submitted. */
export const fileInUse = () =>
  new AppError(
    'conflict',
    "This file belongs to a document that you've submitted, so it can't be replaced or removed.",
  );

/** The refusal to replace or remove a picture that awaits an admin's decision. */
export const pictureHidden = () =>
  new AppError(
    'unprocessable',
    'Visitors have reported this picture. You can replace or remove it once an admin has made a decision.',
  );

const duplicate = () => new AppError('conflict', 'The resource already exists');

/**
 * Converts an upload to the files to store. Its content determines the format; the client's content type is ignored.
 */
async function render({ queue }: StoreParts, { bucket, original }: Upload): Promise<Rendered> {
  const { sizes, fit, acceptsPdf } = buckets[bucket];
  const header = readFileHeader(original);
  if (header.format === 'pdf' && acceptsPdf) {
    const files = [{ name: pdfName, bytes: original }];
    return { contentType: pdf, files, width: null, height: null };
  }
  if (!('width' in header)) throw refuseFormat(header.format, acceptsPdf);
  if (header.width * header.height > uploadLimits.maxPixels) {
    const size = `${header.width} × ${header.height}`;
    throw new AppError(
      'payload_too_large',
      `This picture has ${size} pixels. Please choose one with at most 40 megapixels.`,
    );
  }
  const picture = await queue.run(() => renderPicture(original, { sizes, fit }));
  return {
    contentType: webp,
    files: picture.files.map(({ size, bytes }) => ({ name: fileNameOf(size), bytes })),
    width: picture.width,
    height: picture.height,
  };
}

const formatNames = {
  gif: 'GIF files',
  heic: 'HEIC and AVIF files',
  svg: 'SVG files',
  pdf: 'PDF files',
  unknown: 'files of this kind',
};

function refuseFormat(format: keyof typeof formatNames, acceptsPdf: boolean): AppError {
  const accepted = acceptsPdf ? 'a JPEG, PNG or WebP picture or a PDF' : 'a JPEG, PNG or WebP picture';
  return new AppError(
    'unsupported_media_type',
    `We can't use ${formatNames[format]} here. Please choose ${accepted}.`,
  );
}

/**
 * Serialises one person's uploads, so that concurrent uploads cannot exceed a limit together. Throws `unauthenticated`
 * if the account was deleted in the meantime.
 */
async function lockOwner(tx: Tx, userId: string): Promise<void> {
  const { rows } = await sql`
    select user_id from users where user_id = ${userId}::uuid for no key update`.execute(tx);
  if (rows.length === 0)
    throw new AppError('unauthenticated', 'Your session has ended. Please sign in again.');
}

async function assertRoom(
  db: Database | Tx,
  { bucket, path, ownerUserId, mode }: Upload,
  bytes: number,
): Promise<void> {
  type Row = { objects: number; bytes: number; exists: boolean; isHidden: boolean };
  const { rows } = await sql<Row>`
    select count(*) filter (where bucket = ${bucket} and path <> ${path}) as objects,
      coalesce(sum(bytes) filter (where bucket <> ${bucket} or path <> ${path}), 0)::float8 as bytes,
      coalesce(bool_or(bucket = ${bucket} and path = ${path}), false) as exists,
      coalesce(bool_or(bucket = ${bucket} and path = ${path} and state = 'hidden'), false) as is_hidden
    from storage_objects where owner_user_id = ${ownerUserId}::uuid`.execute(db);
  const { exists, isHidden, ...kept } = rows[0]!;
  if (exists && mode === 'create') throw duplicate();
  if (!exists && mode === 'replace') throw new AppError('not_found', 'Object not found');
  // Otherwise an admin would decide on a picture that nobody has reported.
  if (isHidden) throw pictureHidden();
  assertAllowed(refuseFullBucket(bucket, kept, bytes));
}

function saveRow(
  tx: Tx,
  { bucket, path, ownerUserId, cacheSeconds, metadata }: Upload,
  {
    contentId,
    contentType,
    bytes,
    width,
    height,
    keyEncrypted,
  }: Rendered & { contentId: string; bytes: number; keyEncrypted: string | null },
): Promise<StoredObject> {
  const content = { contentId, contentType, bytes, width, height, cacheSeconds, keyEncrypted };
  const said = {
    alt: metadata.alt,
    consentConfirmedAt: metadata.isConsentConfirmed ? sql<string>`now()` : null,
  };
  return tx
    .insertInto('storageObjects')
    .values({ bucket, path, ownerUserId, ...content, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(['bucket', 'path'])
        // Undecided reports stay, because otherwise replacing a picture would undo them.
        .doUpdateSet({ ...content, ...said, updatedAt: sql<string>`now()` })
        .where('storageObjects.ownerUserId', '=', ownerUserId),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}
