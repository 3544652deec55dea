import { AppError } from '#domain/errors.ts';

/** The largest JSON body an endpoint accepts, in bytes. */
export const bodyLimitBytes = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body of at most `limitBytes` as UTF-8. Throws `payload_too_large` as soon as the body exceeds the limit, and
 * `bad_request` if the body is cut off or not UTF-8.
 */
export async function readText(request: Request, limitBytes = bodyLimitBytes): Promise<string> {
  const bytes = await readBytes(request, limitBytes);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The body is not valid UTF-8.');
  }
}

/** Like {@link readText}, for a body of any bytes. */
export async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new AppError('payload_too_large', `The body is larger than ${limitBytes / 1024} kB.`);
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer());
    if (!request.body) return new Uint8Array();
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limitBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', 'The connection closed before the whole request arrived.', {
      cause: error,
    });
  }
  return Buffer.concat(chunks);
}
