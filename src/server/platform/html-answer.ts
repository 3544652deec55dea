import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';

const compress = promisify(gzip);

/** A text as it goes out: plain and packed, with the tag by which a browser asks whether its copy still holds. */
export type Prepared = { type: string; plain: Buffer; packed: Buffer; tag: string };

/** Packs a text for {@link answerPrepared}. `type` is its content type. */
export async function prepare(text: string, type = 'text/html; charset=utf-8'): Promise<Prepared> {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, plain, packed: await compress(plain), tag };
}

/** Sends it: packed where the browser takes that, and nothing at all where its copy is still the same. */
export function answerPrepared(c: Context, { type, plain, packed, tag }: Prepared, status = 200): Response {
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
  const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  if (isPacked) headers['content-encoding'] = 'gzip';
  const body = isPacked ? packed : plain;
  headers['content-length'] = String(body.byteLength);
  return new Response(c.req.method === 'HEAD' ? null : new Uint8Array(body), { status, headers });
}
