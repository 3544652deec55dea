import type { Context } from 'hono';
import { AppError } from '#domain/errors.ts';
import { buckets } from '#domain/storage/buckets.ts';
import { encryptedOverhead } from '#server/platform/encryption.ts';
import type { ContentCipher } from './content-cipher.ts';
import { fileNameOf, largestFileOf, pdf } from './files/file-name.ts';
import type { FileStore, StoredFile } from './files/file-store.ts';
import type { StoredObject } from './queries.ts';

/** Who may cache a copy: `cache-control`'s directive and the longest time in seconds; null for nobody. */
export type Caching = { scope: 'public' | 'private'; seconds: number } | null;

/**
 * Query parameters of Supabase's image transformations. They are refused, because anyone could use them to cause
 * unlimited work.
 */
const transformations = ['width', 'height', 'resize', 'quality', 'format'];

/**
 * Sends an object, or one of the stored sizes of a picture (`?size=`). A browser that opens the response as a page runs
 * and loads nothing, because the content security policy forbids it. Private files are always a download. Throws
 * `bad_request` for a transformation or an unknown size, `not_found` if the bytes are missing, and `unavailable` while
 * they cannot be read.
 */
export async function serveObject(
  c: Context,
  { files, cipher }: { files: FileStore; cipher: ContentCipher },
  object: StoredObject,
  caching: Caching,
): Promise<Response> {
  const query = c.req.query();
  if (transformations.some((name) => name in query)) throw refuseTransformation();
  const name = chooseFile(object, query.size);
  const isPrivate = !buckets[object.bucket].isPublic;
  const seconds = caching && !isPrivate ? Math.min(caching.seconds, object.cacheSeconds) : 0;
  const etag = `"${object.contentId}-${name}"`;
  const headers: Record<string, string> = {
    'content-type': object.contentType,
    'cache-control': seconds > 0 ? `${caching!.scope}, max-age=${seconds}` : 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    // Lets webmail show public pictures in emails.
    ...(caching?.scope === 'public' && { 'cross-origin-resource-policy': 'cross-origin' }),
    etag,
  };
  if (isPrivate || 'download' in query) {
    headers['content-disposition'] = `attachment; filename="${nameDownload(object, query.download)}"`;
  }
  if (
    c.req
      .header('if-none-match')
      ?.split(/\s*,\s*/)
      .includes(etag)
  ) {
    return new Response(null, { status: 304, headers });
  }
  const file = await files.get(`${object.bucket}/${object.contentId}/${name}`).catch((error: unknown) => {
    const message = "We can't open this file right now. Please try again in a moment.";
    throw new AppError('unavailable', message, { cause: error });
  });
  if (!file) throw new AppError('not_found', 'Object not found');
  headers['content-length'] = String(file.bytes - (object.keyEncrypted === null ? 0 : encryptedOverhead));
  if (c.req.method === 'HEAD') {
    await file.body.cancel();
    return new Response(null, { headers });
  }
  return new Response(object.keyEncrypted === null ? file.body : await decryptFile(cipher, object, file), {
    headers,
  });
}

/** Reads the whole file (at most 8 MB), because nothing may be sent before the authentication tag is verified. */
async function decryptFile(cipher: ContentCipher, object: StoredObject, { body }: StoredFile) {
  try {
    return new Uint8Array(cipher.decrypt(object, Buffer.from(await new Response(body).arrayBuffer())));
  } catch (error) {
    const message = "We can't open this file right now. Please try again in a moment.";
    throw new AppError('unavailable', message, { cause: error });
  }
}

export const refuseTransformation = () =>
  new AppError('bad_request', 'Image transformations are not supported. Use ?size= with a stored size.');

function chooseFile({ bucket, contentType }: StoredObject, size: string | undefined): string {
  if (size === undefined || contentType === pdf) return largestFileOf({ bucket, contentType });
  const { sizes } = buckets[bucket];
  const known = sizes.find((stored) => String(stored) === size);
  if (known) return fileNameOf(known);
  throw new AppError('bad_request', `This picture is stored in the sizes ${sizes.join(', ')}.`);
}

/** A file name of harmless characters, with the extension of the format that is sent, not of the uploaded format. */
function nameDownload({ path, contentType }: StoredObject, given = ''): string {
  const base = (given || path.slice(path.lastIndexOf('/') + 1)).replace(/[^A-Za-z0-9._-]/g, '_');
  const stem = base.replace(/\.[A-Za-z0-9]{1,5}$/, '').slice(0, 80) || 'file';
  return `${stem}.${contentType === pdf ? 'pdf' : 'webp'}`;
}
