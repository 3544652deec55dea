import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { bucketNames, buckets } from '#domain/storage/buckets.ts';
import { createContentCipher } from '#server/storage/content-cipher.ts';
import { privateTraces } from '#server/storage/pictures.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openHostileUploads } from './hostile-uploads.test-support.ts';

const app = setUpTestApp();

/** `npm run bench -- hostile-uploads` sends more. */
const uploads = Number(process.env.HOSTILE_UPLOADS ?? 240);
const firstSeed = Number(process.env.HOSTILE_SEED ?? 1);
const atOnce = 6;

test('survives hostile uploads without a crash, a stray file or private metadata [FILE-5b]', {
  timeout: 120_000 + uploads * 250,
}, async () => {
  const makeUpload = await openHostileUploads();
  const people = await Promise.all(Array.from({ length: atOnce }, () => app.signIn('coach', 'customer')));
  const counts: Record<number, number> = {};
  let next = firstSeed;
  async function send(lane: number): Promise<void> {
    while (next < firstSeed + uploads) {
      const seed = next;
      next += 1;
      const { what, body, contentType, headers } = makeUpload(seed);
      // Another test covers the limit of 20 an hour.
      if (seed % 15 === 0) await app.db.deleteFrom('rateLimits').execute();
      const bucket = bucketNames[seed % bucketNames.length]!;
      const person = people[lane]!;
      const name = bucket === 'avatars' ? 'avatar' : `p${seed % buckets[bucket].maxObjects}`;
      const response = await fetch(`${app.url}/storage/v1/object/${bucket}/${person.userId}/${name}`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${person.token}`, 'x-upsert': 'true' },
          ...(contentType && { 'content-type': contentType }),
          ...headers,
        },
        body: new Uint8Array(body),
      });
      const text = await response.text();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
      expect([200, 400, 413, 415, 422, 429], `${what} → ${response.status} ${text.slice(0, 300)}`).toContain(
        response.status,
      );
      if (!response.ok)
        expect(JSON.parse(text), what).toMatchObject({ message: expect.stringMatching(/^[A-Z]/) });
    }
  }
  await Promise.all(people.map((_, lane) => send(lane)));
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  expect(counts[200], JSON.stringify(counts)).toBeGreaterThan(uploads / 40);

  const { folder } = app.config.storage as { folder: string };
  // The parent folder contains only the server's own folders.
  expect((await readdir(dirname(folder))).sort()).toEqual(
    ['card-network', 'files', 'outbox'].filter((name) => name !== 'outbox'),
  );
  // The job that deletes replaced pictures may delete a folder while the test lists it.
  const entries = await eventually(() =>
    readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    }),
  );
  const stored = entries.filter((entry) => entry.isFile());
  expect(stored.length).toBeGreaterThan(0);
  for (const { parentPath, name } of stored) {
    const path = join(parentPath, name);
    expect(path.slice(folder.length)).toMatch(
      /^\/(avatars|gallery|documents|attachments)\/[0-9a-f-]{36}\/(\d+\.webp|original\.pdf)$/,
    );
    if (!name.endsWith('.webp')) continue;
    // The job that deletes replaced pictures may have deleted this picture in the meantime.
    const raw = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const object = await app.db
      .selectFrom('storageObjects')
      .select(['contentId', 'keyEncrypted'])
      .where('contentId', '=', basename(parentPath))
      .executeTakeFirst();
    if (!raw || !object) continue;
    const bytes = createContentCipher(app.config.dataKeys).decrypt(object, raw);
    const { format, exif, xmp, icc } = await sharp(bytes).metadata();
    expect({ format, exif, xmp, icc }).toEqual({ format: 'webp' });
    for (const trace of privateTraces) expect(bytes.includes(trace), `${path} ${trace}`).toBe(false);
    expect(bytes.includes('<script>')).toBe(false);
  }
});
