import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { uploadLimits } from '#domain/storage/buckets.ts';
import { readWorkMs } from '#server/test-support/accounts-server.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { makePicture, storageOf } from './pictures.test-support.ts';

const consent = { metadata: { alt: 'Serving', isConsentConfirmed: true } };

const app = setUpTestApp();

const uploadAs = (who: Someone, bytes: Buffer, name = 'avatar', bucket = 'avatars') =>
  storageOf(app.url, who)
    .from(bucket)
    .upload(`${who.userId}/${name}`, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), {
      upsert: true,
      ...consent,
    });

/** A lossy and a lossless WebP file without metadata. They state their size in different chunks. */
async function makePlainWebps() {
  const options = { create: { width: 60, height: 40, channels: 3, background: '#00ff00' } } as const;
  const lossy = await sharp(options).webp().toBuffer();
  const lossless = await sharp(options).webp({ lossless: true }).toBuffer();
  const chunks = [lossy, lossless].map((bytes) => bytes.toString('latin1', 12, 16));
  expect(chunks).toEqual(['VP8 ', 'VP8L']);
  return { lossy, lossless };
}

test('accepts JPEG, PNG and WebP by content and refuses other files with a message [FILE-4a]', async () => {
  const person = await app.signIn('customer');
  expect(uploadLimits).toMatchObject({ maxBytes: 8 * 1024 * 1024, maxPixels: 40_000_000 });
  const largest = Buffer.alloc(uploadLimits.maxBytes);
  largest.write('%PDF-1.7');
  expect((await uploadAs(person, largest, 'largest', 'documents')).error).toBeNull();
  await storageOf(app.url, person)
    .from('documents')
    .remove([`${person.userId}/largest`]);
  const cut = await makePicture();
  const refused: [Buffer, number, string][] = [
    [Buffer.from('GIF89a\x01\0\x01\0'), 415, 'GIF files'],
    [Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'SVG files'],
    [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), 415, 'HEIC and AVIF files'],
    [Buffer.from('%PDF-1.7'), 415, 'PDF files'],
    [Buffer.from('<html><script>alert(1)</script>'), 415, 'files of this kind'],
    [Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 415, 'files of this kind'],
    [cut.subarray(0, cut.length / 2), 422, "We couldn't read this picture"],
    [Buffer.alloc(uploadLimits.maxBytes + 1), 413, 'larger than 8 MB'],
    [Buffer.alloc(uploadLimits.maxBytes + 200_000), 413, 'larger than 8 MB'],
  ];
  for (const [bytes, status, sentence] of refused) {
    const { error } = await uploadAs(person, bytes);
    expect(error, sentence).toMatchObject({ status, message: expect.stringContaining(sentence) });
  }
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    expect((await uploadAs(person, await makePicture({ format }))).error, format).toBeNull();
  }
  for (const [kind, bytes] of Object.entries(await makePlainWebps())) {
    expect((await uploadAs(person, bytes)).error, kind).toBeNull();
  }
  const empty = await uploadAs(person, Buffer.alloc(0));
  expect(empty.error).toMatchObject({ status: 400 });
  const form = new FormData();
  for (let n = 0; n < 11; n += 1) form.append(`file${n}`, new Blob([new Uint8Array(cut)]));
  const crowded = await fetch(`${app.url}/storage/v1/object/avatars/${person.userId}/avatar`, {
    ...{ method: 'PUT', headers: { authorization: `Bearer ${person.token}` }, body: form },
  });
  expect([crowded.status, (await crowded.json()).message]).toEqual([
    400,
    'The form data of this upload is malformed.',
  ]);
  expect(await app.db.selectFrom('storageObjects').selectAll().execute()).toHaveLength(1);
});

test('refuses a decompression bomb by its header, without decoding it [FILE-4b]', async () => {
  const person = await app.signIn('customer');
  const bomb = makeBomb(20_000, 20_000);
  expect(bomb.length).toBeGreaterThan(1_000_000);
  await uploadAs(person, await makePicture());
  /** The processor time of an upload, in ms. */
  const workOf = async (bytes: Buffer, refusal: object) => {
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const began = readWorkMs();
      const { error } = await uploadAs(person, bytes);
      times.push(readWorkMs() - began);
      expect(error).toMatchObject(refusal);
    }
    return Math.min(...times);
  };
  const expected = await workOf(Buffer.alloc(bomb.length), { status: 415 });
  const before = process.memoryUsage().rss;
  const taken = await workOf(bomb, {
    status: 413,
    message: 'This picture has 20000 × 20000 pixels. Please choose one with at most 40 megapixels.',
  });
  const slightlyTooLarge = await uploadAs(person, makeBomb(8_000, 5_001));
  expect(slightlyTooLarge.error).toMatchObject({ status: 413 });
  // Decoding would take at least 400 MB and over a second. The time for sending as many bytes is subtracted.
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  expect(taken - expected).toBeLessThan(50);
  // A picture of exactly 40 megapixels is accepted.
  expect((await uploadAs(person, makeBomb(8_000, 5_000))).error).toBeNull();
});

test('refuses a JPEG and every kind of WebP with over 40 megapixels [FILE-4]', async () => {
  const person = await app.signIn('customer');
  const [width, height] = [8_000, 5_001];
  const jpeg = await makePicture();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  const { lossy, lossless } = await makePlainWebps();
  lossy.writeUInt16LE(width, 26);
  lossy.writeUInt16LE(height, 28);
  // Width and height take 14 bits each, and are stored as one less.
  lossless.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  const extended = await makePicture({ format: 'webp' });
  expect(extended.toString('latin1', 12, 16)).toBe('VP8X');
  extended.writeUIntLE(width - 1, 24, 3);
  extended.writeUIntLE(height - 1, 27, 3);
  for (const [kind, bytes] of Object.entries({ jpeg, lossy, lossless, extended })) {
    const { error } = await uploadAs(person, bytes);
    const message = expect.stringContaining('8000 × 5001 pixels');
    expect(error, kind).toMatchObject({ status: 413, message });
  }
});

test('limits a person to 20 uploads an hour, 12 gallery pictures and one avatar [FILE-7a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const picture = await makePicture({ width: 60, height: 40 });
  const began = performance.now();
  const statuses = [];
  for (let n = 0; n < 13; n += 1) {
    const { error } = await uploadAs(coach, picture, `p${n}`, 'gallery');
    statuses.push(error?.message ?? 'stored');
  }
  expect(statuses).toEqual([
    ...Array(12).fill('stored'),
    'You can keep 12 gallery pictures. Remove one first.',
  ]);
  expect((await uploadAs(coach, picture, 'me')).error).toBeNull();
  expect((await uploadAs(coach, picture, 'other')).error?.message).toContain('You already have a picture');
  for (let n = 15; n < 20; n += 1) expect((await uploadAs(coach, picture, 'me')).error).toBeNull();
  const limited = await uploadAs(coach, picture, 'me');
  expect(limited.error).toMatchObject({
    status: 429,
    message: expect.stringMatching(/^You've uploaded a lot of files/),
  });
  const { status, headers } = await fetch(`${app.url}/storage/v1/object/avatars/${coach.userId}/me`, {
    ...{ method: 'PUT', headers: { authorization: `Bearer ${coach.token}` }, body: new Uint8Array(picture) },
  });
  const waitSeconds = Number(headers.get('retry-after'));
  expect(status).toBe(429);
  // The hour began with the first upload.
  expect(waitSeconds).toBeGreaterThan(3600 - (performance.now() - began) / 1000 - 1);
  expect(waitSeconds).toBeLessThanOrEqual(3600);
});

test("limits all of a person's files together to 50 MB [FILE-7b]", async () => {
  expect(uploadLimits.maxTotalBytes).toBe(50 * 1024 * 1024);
  const person = await app.signIn('customer');
  const bytes = 7 * 1024 * 1024;
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(bytes)]);
  for (let n = 0; n < 7; n += 1) {
    expect((await uploadAs(person, pdf, `d${n}`, 'documents')).error, `d${n}`).toBeNull();
  }
  expect((await uploadAs(person, pdf, 'd7', 'documents')).error?.message).toContain('50 MB');
  expect((await uploadAs(person, await makePicture())).error).toBeNull();
  // Files in other buckets count: with a picture of 7 MB there is room for six documents.
  await app.db
    .updateTable('storageObjects')
    .set({ bytes })
    .where('bucket', '=', 'avatars')
    .where('ownerUserId', '=', person.userId)
    .execute();
  await storageOf(app.url, person)
    .from('documents')
    .remove([`${person.userId}/d6`]);
  expect((await uploadAs(person, pdf, 'd6', 'documents')).error?.message).toContain('50 MB');
});

test('requires and records confirmed consent for a gallery picture [FILE-9a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const gallery = storageOf(app.url, coach).from('gallery');
  const refused = await gallery.upload(`${coach.userId}/a`, await makePicture());
  expect(refused.error).toMatchObject({
    status: 422,
    message: 'Please confirm: “Everyone who can be recognised has agreed”.',
  });
  expect((await gallery.upload(`${coach.userId}/a`, await makePicture(), consent)).error).toBeNull();
  const row = await app.db
    .selectFrom('storageObjects')
    .selectAll()
    .where('ownerUserId', '=', coach.userId)
    .executeTakeFirstOrThrow();
  expect(row.alt).toBe('Serving');
  expect(row.consentConfirmedAt).not.toBeNull();
});

/** A PNG with 1 bit per pixel that really has this many pixels, padded with a megabyte of text. */
function makeBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type, 'latin1'), data])));
    return Buffer.concat([head, data, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(1_000_000, 0x61)])),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

test('lets a picture be cached for an hour if its upload states no cache time [FILE-1]', async () => {
  const coach = await app.signIn('coach');
  const path = `avatars/${coach.userId}/avatar`;
  const uploaded = await fetch(`${app.url}/storage/v1/object/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${coach.token}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(await makePicture()),
  });
  expect(uploaded.status).toBe(200);
  const { headers } = await fetch(`${app.url}/storage/v1/object/public/${path}`);
  expect(headers.get('cache-control')).toBe('public, max-age=3600');
});
