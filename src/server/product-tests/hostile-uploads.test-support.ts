import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makePicture } from '#server/storage/pictures.test-support.ts';

/** A request body with its content type, and headers that a hostile client adds. */
export type HostileUpload = {
  what: string;
  body: Buffer;
  contentType: string;
  headers: Record<string, string>;
};

type Random = (below: number) => number;

/** A small generator of repeatable random numbers (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** Makes hostile uploads from a few genuine pictures; the same seed makes the same uploads. */
export async function openHostileUploads() {
  const genuine = await Promise.all([
    makePicture({ width: 120, height: 80 }),
    makePicture({ width: 90, height: 120, format: 'png' }),
    makePicture({ width: 70, height: 70, format: 'webp', orientation: 8 }),
    sharp({ create: { width: 40, height: 40, channels: 4, background: '#0000' } })
      .png({ palette: true })
      .toBuffer(),
    sharp(await makePicture({ width: 64, height: 64 }))
      .jpeg({ progressive: true })
      .withMetadata()
      .toBuffer(),
    sharp(await makePicture({ width: 60, height: 60 }))
      .greyscale()
      .toColourspace('b-w')
      .png()
      .withMetadata()
      .toBuffer(),
  ]);
  const pngText = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(3_000_000, 65))]);

  const damages: Record<string, (picture: Buffer, random: Random) => Buffer> = {
    unchanged: (picture) => picture,
    flipped: (picture, random) => {
      const copy = Buffer.from(picture);
      for (let n = 1 + random(30); n > 0; n -= 1) {
        const at = random(copy.length);
        copy[at] = copy[at]! ^ (1 << random(8));
      }
      return copy;
    },
    overwritten: (picture, random) => {
      const copy = Buffer.from(picture);
      const start = random(copy.length);
      copy.fill(random(256), start, Math.min(copy.length, start + random(200)));
      return copy;
    },
    'cut off': (picture, random) => picture.subarray(0, 1 + random(picture.length)),
    shifted: (picture, random) => Buffer.concat([Buffer.alloc(random(8)), picture]),
    repeated: (picture) => Buffer.concat([picture, picture]),
    'of another size': (picture, random) => {
      const copy = Buffer.from(picture);
      const sizes = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, random(50_000)];
      const [width, height] = [sizes[random(sizes.length)]!, sizes[random(sizes.length)]!];
      if (copy.toString('latin1', 1, 4) === 'PNG') {
        copy.writeUInt32BE(width, 16);
        copy.writeUInt32BE(height, 20);
      } else if (copy[0] === 0xff) {
        const frame = copy.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(copy[at + 1]!));
        if (frame > 0) {
          copy.writeUInt16BE(height & 0xffff, frame + 5);
          copy.writeUInt16BE(width & 0xffff, frame + 7);
        }
      } else if (copy.toString('latin1', 12, 16) === 'VP8X') {
        copy.writeUIntLE(width & 0xffffff, 24, 3);
        copy.writeUIntLE(height & 0xffffff, 27, 3);
      }
      return copy;
    },
    'with a page appended': (picture) =>
      Buffer.concat([picture, Buffer.from('<html><script>alert(document.domain)</script>')]),
    'with an archive appended': (picture, random) =>
      Buffer.concat([picture, Buffer.from('PK\x03\x04'), Buffer.alloc(random(2_000), random(256))]),
    'with large text inside': (picture) => {
      if (picture.toString('latin1', 1, 4) !== 'PNG') return picture;
      const head = Buffer.alloc(8);
      head.writeUInt32BE(pngText.length);
      head.write('zTXt', 4, 'latin1');
      return Buffer.concat([picture.subarray(0, 33), head, pngText, Buffer.alloc(4), picture.subarray(33)]);
    },
    'of random bytes': (picture, random) => {
      const bytes = Buffer.from(Array.from({ length: 12 + random(500) }, () => random(256)));
      return Buffer.concat([picture.subarray(0, 4 + random(30)), bytes]);
    },
    'of another kind': (_, random) => {
      const others = [
        'GIF89a',
        '%PDF-1.7\n',
        '<svg onload="alert(1)">',
        'BM',
        'II*\0',
        '\0\0\0\x18ftypheic',
        'MZ',
        '',
      ];
      return Buffer.from(others[random(others.length)]! + 'x'.repeat(random(100)), 'latin1');
    },
  };
  const kinds = Object.keys(damages);
  const fileNames = [
    'a.jpg',
    '../../etc/passwd',
    '..\\..\\a',
    'a\0.png',
    'x'.repeat(5_000),
    'a"; name="metadata',
    'é✓.png',
  ];
  const metadata = [
    '',
    '{}',
    'null',
    '[]',
    '{"alt":5}',
    '{',
    '{"__proto__":{"a":1}}',
    `{"alt":"${'x'.repeat(400)}"}`,
    '"\\ud800"',
  ];
  const types = [
    'image/png',
    'image/jpeg',
    'text/html',
    'image/svg+xml',
    '',
    'application/x-php',
    'multipart/form-data',
  ];

  return function makeUpload(seed: number): HostileUpload {
    const random = createRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const kind = pick(kinds);
    const file = damages[kind]!(pick(genuine), random);
    if (random(2) === 0) {
      const contentType = pick(types.slice(0, -1));
      const said = Buffer.from(pick(metadata)).toString('base64');
      return {
        what: `${kind}, seed ${seed}`,
        body: file,
        contentType,
        headers: {
          'x-metadata': random(2) ? said : '%%%',
          'cache-control': `max-age=${pick(['0', '99999999', 'x', '-1'])}`,
        },
      };
    }
    const boundary = pick(['b', '----WebKitFormBoundary7MA4YWxk', 'x'.repeat(70)]);
    const field = (head: string, content: Buffer | string) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from('\r\n'),
      ]);
    const name = pick(fileNames);
    const parts = [
      field('content-disposition: form-data; name="cacheControl"', pick(['3600', '', '1e9', 'x'])),
      field('content-disposition: form-data; name="metadata"', pick(metadata)),
      field(
        `content-disposition: form-data; name=""; filename="${name}"\r\ncontent-type: ${pick(types)}`,
        file,
      ),
      ...Array.from({ length: pick([0, 0, 0, 300]) }, (_, n) =>
        field(`content-disposition: form-data; name="f${n}"`, 'x'),
      ),
    ];
    if (random(4) === 0) parts.reverse();
    if (random(6) === 0) parts.push(parts[0]!);
    const end = pick([`--${boundary}--\r\n`, `--${boundary}--`, '', '--']);
    const stated = random(8) === 0 ? pick(['', 'other', '"', `${boundary}; boundary=c`]) : boundary;
    return {
      what: `${kind} in a form, seed ${seed}`,
      body: Buffer.concat([...parts, Buffer.from(end)]),
      contentType: `multipart/form-data; boundary=${stated}`,
      headers: {},
    };
  };
}
