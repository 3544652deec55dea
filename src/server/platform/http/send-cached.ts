import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Context } from 'hono';

const compress = {
  // A higher quality would take more time than the smaller size saves.
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
const encodings = ['br', 'gzip'] as const;

/** A response body with its content type, its ETag and the compressed versions made so far. */
export type CachedBody = {
  type: string;
  plain: Buffer;
  compressed: Partial<Record<(typeof encodings)[number], Promise<Buffer>>>;
  etag: string;
};

/** Creates a body for {@link sendCached}. `type` is its content type. */
export function createCachedBody(text: string, type = 'text/html; charset=utf-8'): CachedBody {
  const plain = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, plain, compressed: {}, etag };
}

/** Whether a client with this `If-None-Match` header already has the response with this ETag. */
export const isEtagKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(/\s*,\s*/).includes(etag) ?? false;

/** The encoding for a client with this `Accept-Encoding` header; undefined for no compression. */
export const pickEncoding = (accepted = ''): (typeof encodings)[number] | undefined =>
  encodings.find((name) => new RegExp(`\\b${name}\\b`).test(accepted));

/**
 * Sends the body in an encoding the client accepts, compressed once per encoding; sends 304 if the client's ETag
 * matches.
 */
export async function sendCached(
  c: Context,
  { type, plain, compressed, etag }: CachedBody,
  status = 200,
): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': type,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: etag,
  };
  if (status === 200 && isEtagKnown(c.req.header('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = pickEncoding(c.req.header('accept-encoding'));
  let body = plain;
  if (encoding) {
    headers['content-encoding'] = encoding;
    compressed[encoding] ??= compress[encoding](plain);
    body = await compressed[encoding];
  }
  headers['content-length'] = String(body.byteLength);
  return new Response(c.req.method === 'HEAD' ? null : new Uint8Array(body), { status, headers });
}
