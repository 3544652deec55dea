import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Context } from 'hono';

const pack = {
  // A better grade takes longer than it saves on the way.
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
const packings = ['br', 'gzip'] as const;

/** A text as it goes out: plain, packed as far as anybody asked, and the tag by which a browser's copy is compared. */
export type Prepared = {
  type: string;
  plain: Buffer;
  packed: Partial<Record<(typeof packings)[number], Promise<Buffer>>>;
  tag: string;
};

/** Makes a text ready for {@link answerPrepared}. `type` is its content type. */
export function prepare(text: string, type = 'text/html; charset=utf-8'): Prepared {
  const plain = Buffer.from(text);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, plain, packed: {}, tag };
}

/** Sends it: packed where the browser takes that, once for all who do, and nothing where its copy is still the same. */
export async function answerPrepared(
  c: Context,
  { type, plain, packed, tag }: Prepared,
  status = 200,
): Promise<Response> {
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
  const packing = packings.find((name) => new RegExp(`\\b${name}\\b`).test(taken));
  let body = plain;
  if (packing) {
    headers['content-encoding'] = packing;
    packed[packing] ??= pack[packing](plain);
    body = await packed[packing];
  }
  headers['content-length'] = String(body.byteLength);
  return new Response(c.req.method === 'HEAD' ? null : new Uint8Array(body), { status, headers });
}
