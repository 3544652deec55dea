import { AppError } from '#domain/errors.ts';
import { maxCacheSeconds, uploadLimits } from '#domain/storage/buckets.ts';
import { readUploadMetadata, type UploadMetadata } from '#domain/storage/rules.ts';
import { readBytes } from '#server/platform/http/read-body.ts';

export type ReadUpload = { original: Buffer; cacheSeconds: number; metadata: UploadMetadata };

/** How many bytes a form may add to its file: boundaries, headers, the cache time and the description. */
const formBytes = 64 * 1024;

const tooLarge = () =>
  new AppError('payload_too_large', 'This file is larger than 8 MB. Please choose a smaller one.');

/**
 * Reads an upload as storage-js sends it: a form with `cacheControl`, `metadata` and the file, or only the file, with
 * the other two values in headers. Throws `payload_too_large` for a file of more than 8 MB, and `bad_request` for a
 * missing file, malformed form data or metadata that isn't JSON.
 */
export async function readUpload(request: Request): Promise<ReadUpload> {
  const bytes = await readBytes(request, uploadLimits.maxBytes + formBytes).catch((error) => {
    throw error instanceof AppError && error.code === 'payload_too_large' ? tooLarge() : error;
  });
  const contentType = request.headers.get('content-type') ?? '';
  const upload = /^multipart\/form-data\b/i.test(contentType)
    ? await readForm(bytes, contentType)
    : {
        original: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        cacheControl: /max-age=(\d+)/.exec(request.headers.get('cache-control') ?? '')?.[1],
        metadata: decodeBase64(request.headers.get('x-metadata')),
      };
  if (upload.original.length > uploadLimits.maxBytes) throw tooLarge();
  if (upload.original.length === 0) throw new AppError('bad_request', 'There is no file in this upload.');
  return {
    original: upload.original,
    cacheSeconds: readCacheSeconds(upload.cacheControl),
    metadata: readUploadMetadata(readJson(upload.metadata)),
  };
}

/** A form has a file and two fields. Reading a form with 100,000 parts would block the process for seconds. */
const maxFormParts = 10;

const malformed = (cause?: unknown) =>
  new AppError('bad_request', 'The form data of this upload is malformed.', { cause });

async function readForm(bytes: Uint8Array, contentType: string) {
  const boundary = /;\s*boundary="?([\w'()+,./:=?-]{1,70})/i.exec(contentType)?.[1];
  if (!boundary || countUpTo(maxFormParts + 2, bytes, `--${boundary}`) > maxFormParts + 1) throw malformed();
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch((error: unknown) => {
    throw malformed(error);
  });
  const file = [...form.values()].find((value) => typeof value !== 'string');
  if (!file) throw new AppError('bad_request', 'There is no file in this upload.');
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    original: Buffer.from(await file.arrayBuffer()),
    cacheControl: text('cacheControl'),
    metadata: text('metadata'),
  };
}

/** How often a text occurs in some bytes, counted up to `most`. */
function countUpTo(most: number, bytes: Uint8Array, text: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(text); at >= 0 && count < most; at = buffer.indexOf(text, at + 1)) count += 1;
  return count;
}

const decodeBase64 = (text: string | null) =>
  text === null ? undefined : Buffer.from(text, 'base64').toString('utf8');

function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    const message = 'The metadata is not well-formed JSON.';
    throw new AppError('bad_request', message, { fields: { metadata: message } });
  }
}

/** The requested cache time in seconds, but at most an hour; an hour if the time is missing or invalid. */
function readCacheSeconds(given: string | undefined): number {
  const seconds = Number.parseInt(given ?? '', 10);
  return Number.isSafeInteger(seconds) && seconds >= 0 ? Math.min(seconds, maxCacheSeconds) : maxCacheSeconds;
}
