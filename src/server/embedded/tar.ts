import { Readable } from 'node:stream';

/** One entry of an archive (POSIX ustar): a folder, or a file whose bytes follow in pieces. */
export type TarEntry = { path: string; isFolder: boolean; size: number };

const block = 512;
const padding = (size: number) => Buffer.alloc((block - (size % block)) % block);

/** The 512 bytes before an entry. Paths have at most 100 bytes; only their owner may read the files. */
export function describeEntry({ path, isFolder, size }: TarEntry): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long a name for the archive.`);
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'ascii');
  header.write(path, 0);
  octal(isFolder ? 0o700 : 0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.fill(' ', 148, 156);
  header.write(isFolder ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}

/** A whole file, with what fills its last block. */
export function* packFile(path: string, bytes: Buffer): Generator<Buffer> {
  yield describeEntry({ path, isFolder: false, size: bytes.length });
  yield bytes;
  yield padding(bytes.length);
}

/**
 * A file of exactly this size from chunks that may turn out longer or shorter, because the file is being written to.
 */
export async function* packPieces(
  path: string,
  size: number,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield describeEntry({ path, isFolder: false, size });
  let left = size;
  for await (const piece of pieces) {
    if (left === 0) break;
    yield piece.subarray(0, left);
    left -= Math.min(left, piece.length);
  }
  if (left > 0) yield* Readable.from(fill(left));
  yield padding(size);
}

function* fill(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
}

/** What ends an archive. */
export const endOfArchive = Buffer.alloc(2 * block);

/**
 * Reads an archive entry by entry. `take` returns where the bytes of a file go, null to skip them. Throws if the
 * archive is damaged or incomplete.
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  take: (
    entry: TarEntry,
  ) => Promise<{ write: (bytes: Buffer) => Promise<void>; end: () => Promise<void> } | null>,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const read = async (atMost: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { value, done } = await pieces.next();
      if (done) throw new Error('The archive breaks off.');
      rest = value;
    }
    const part = rest.subarray(0, atMost);
    rest = rest.subarray(part.length);
    return part;
  };
  const readBlock = async () => {
    const parts: Buffer[] = [];
    for (let left = block; left > 0; ) {
      const part = await read(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  };
  for (;;) {
    const header = await readBlock();
    if (header.every((byte) => byte === 0)) break;
    const entry = readHeader(header);
    const target = await take(entry);
    for (let left = entry.size; left > 0; ) {
      const part = await read(left);
      await target?.write(part);
      left -= part.length;
    }
    await target?.end();
    for (let left = padding(entry.size).length; left > 0; ) left -= (await read(left)).length;
  }
  // gzip's checksum is at the very end, and is verified by reading up to there.
  for (;;) if ((await pieces.next()).done) return;
}

function readHeader(header: Buffer): TarEntry {
  const text = (at: number, length: number) =>
    header
      .subarray(at, at + length)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (Number.parseInt(text(148, 8), 8) !== sum) throw new Error('The archive is damaged.');
  return { path: text(0, 100), isFolder: text(156, 1) === '5', size: Number.parseInt(text(124, 12), 8) };
}
