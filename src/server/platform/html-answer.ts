import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Context } from 'hono';

const packGzip = promisify(gzip);
// A better grade takes longer than it saves on the way.
const packBrotli = (text: Buffer) =>
  promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } });

/** A text as it goes out: plain and packed, with the tag by which a browser asks whether its copy still holds. */
export type Prepared = { type: string; plain: Buffer; gzip: Buffer; br: Buffer; tag: string };

/** Packs a text for {@link answerPrepared}. `type` is its content type. */
export async function prepare(text: string, type = 'text/html; charset=utf-8'): Promise<Prepared> {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const [gzip, br] = await Promise.all([packGzip(plain), packBrotli(plain)]);
  return { type, plain, gzip, br, tag };
}

/** Sends it: packed where the browser takes that, and nothing at all where its copy is still the same. */
export function answerPrepared(c: Context, prepared: Prepared, status = 200): Response {
  const { type, plain, tag } = prepared;
  const headers: Record<string, string> = {
    'content-type': type,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: tag,
  };
  if (
    status === 200 &&
    c.req
      .header('if-none-match')
      ?.split(/\s*,\s*/)
      .includes(tag)
  ) {
    return new Response(null, { status: 304, headers });
  }
  const taken = c.req.header('accept-encoding') ?? '';
  const packing = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(taken));
  if (packing) headers['content-encoding'] = packing;
  const body = packing ? prepared[packing] : plain;
  headers['content-length'] = String(body.byteLength);
  return new Response(c.req.method === 'HEAD' ? null : new Uint8Array(body), { status, headers });
}
