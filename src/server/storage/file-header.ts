/** A picture in a format that can be decoded, with the width and height in pixels that its header states. */
export type PictureHeader = { format: 'jpeg' | 'png' | 'webp'; width: number; height: number };

/** The kind of a file, determined by its first bytes, because a client can send any name and content type. */
export type FileHeader = PictureHeader | { format: 'pdf' | 'gif' | 'heic' | 'svg' | 'unknown' };

/**
 * Recognises a file and reads a picture's size without decoding it, so that a small file that would decode to gigabytes
 * can be refused cheaply. Also returns `unknown` for a picture whose header is damaged.
 */
export function readFileHeader(bytes: Buffer): FileHeader {
  const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n')) return readPng(bytes);
  if (starts('\xff\xd8\xff')) return readJpeg(bytes);
  if (starts('RIFF') && starts('WEBP', 8)) return readWebp(bytes);
  if (starts('%PDF-')) return { format: 'pdf' };
  if (starts('GIF8')) return { format: 'gif' };
  if (starts('ftyp', 4) && /^(hei|hev|mif1|msf1|avif)/.test(bytes.toString('latin1', 8, 12))) {
    return { format: 'heic' };
  }
  if (/<svg[\s>]/i.test(bytes.toString('latin1', 0, 1024))) return { format: 'svg' };
  return { format: 'unknown' };
}

const unknown = { format: 'unknown' } as const;

const sized = (format: PictureHeader['format'], width: number, height: number): FileHeader =>
  width > 0 && height > 0 ? { format, width, height } : unknown;

function readPng(bytes: Buffer): FileHeader {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return unknown;
  return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** Walks the segments up to the frame header (SOF), which contains the size. */
function readJpeg(bytes: Buffer): FileHeader {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return unknown;
    const marker = bytes[at + 1]!;
    // Skips fill bytes, and markers without a length.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || marker === 0xd9 || marker === 0xda) return unknown;
    at += 2 + length;
  }
  return unknown;
}

function readWebp(bytes: Buffer): FileHeader {
  if (bytes.length < 30) return unknown;
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return sized('webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return sized('webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (chunk === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a) {
    return sized('webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  }
  return unknown;
}
