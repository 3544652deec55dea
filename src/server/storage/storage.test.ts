import { readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { recurringJobs } from '#domain/jobs.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { createLog } from '#server/platform/log.ts';
import { makePicture, privateTraces, storageOf } from '#server/storage/pictures.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { startS3Server } from '#tools/s3-server.ts';
import { removeBytes } from './files/remove-bytes.ts';
import { removeOrphans } from './files/remove-orphans.ts';
import { createAddressSigner } from './signed-address.ts';
import { openStorage } from './storage.ts';

const s3 = await startS3Server();
afterAll(() => s3.stop());

const consent = { metadata: { alt: 'Serving', isConsentConfirmed: true } };
const oldEnough = new Date(Date.now() - 2 * 3_600_000);

describe.each([
  ['disk', {}],
  ['S3', s3.env],
])('on %s', (kind, env) => {
  const app = setUpTestApp({ env });
  const partsOf = () => ({
    db: app.db,
    files: openStorage(app.config).files,
    log: createLog('silent'),
  });
  const folder = () => (app.config.storage as { folder: string }).folder;

  /** The names of all stored files, `{bucket}/{content id}/{file}`. */
  async function listFiles(): Promise<string[]> {
    if (kind === 'S3') return [...s3.objects.keys()].sort();
    const entries = await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder().length + 1))
      .sort();
  }
  const readStored = async (name: string) =>
    kind === 'S3' ? s3.objects.get(name)!.bytes : readFile(join(folder(), name));

  const read = (path: string, init?: RequestInit) => fetch(`${app.url}${path}`, init);
  const publicUrl = (bucket: string, path: string) => `/storage/v1/object/public/${bucket}/${path}`;

  test('uploads, lists, reads, replaces and removes files through storage-js [FILE-1, FILE-2a, FILE-11a]', async () => {
    const coach = await app.signIn('coach', 'customer');
    const avatars = storageOf(app.url, coach).from('avatars');
    const path = `${coach.userId}/avatar`;
    const blob = new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' });
    const before = await listFiles();
    const made = await avatars.upload(path, blob);
    expect(made.error).toBeNull();
    const stored = (await listFiles()).filter((name) => !before.includes(name));
    expect(stored.map((name) => name.replace(/[\da-f-]{36}/, '{id}'))).toEqual([
      'avatars/{id}/128.webp',
      'avatars/{id}/512.webp',
    ]);
    expect(made.data).toMatchObject({ path, fullPath: `avatars/${path}` });

    const info = await avatars.info(path);
    expect(info.data).toMatchObject({ name: path, contentType: 'image/webp', cacheControl: 'max-age=3600' });
    expect((await avatars.exists(path)).data).toBe(true);
    expect((await avatars.exists(`${coach.userId}/other`)).data).toBe(false);

    const listed = await avatars.list(coach.userId);
    expect(listed.data?.map(({ name, id }) => ({ name, id }))).toEqual([
      { name: 'avatar', id: made.data!.id },
    ]);
    expect((await avatars.list()).data?.map(({ name, id }) => ({ name, id }))).toEqual([
      { name: coach.userId, id: null },
    ]);

    const downloaded = await avatars.download(path);
    expect((await sharp(await downloaded.data!.arrayBuffer()).metadata()).format).toBe('webp');
    const url = avatars.getPublicUrl(path).data.publicUrl;
    const shown = await fetch(url);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    expect(shown.headers.get('cache-control')).toBe('public, max-age=3600');

    const replaced = await avatars.update(path, await makePicture({ width: 300, height: 300 }), {
      cacheControl: '60',
    });
    expect(replaced.data?.id).toBe(made.data!.id);
    expect((await fetch(url)).headers.get('cache-control')).toBe('public, max-age=60');
    expect((await avatars.update(`${coach.userId}/none`, blob)).error).toMatchObject({ status: 404 });

    const signed = await avatars.createSignedUrl(path, 60);
    expect((await fetch(signed.data!.signedUrl)).status).toBe(200);
    const several = await avatars.createSignedUrls([path, `${coach.userId}/none`], 60);
    expect(several.data?.map(({ error, signedUrl }) => [error === null, signedUrl !== null])).toEqual([
      [true, true],
      [false, false],
    ]);

    const removed = await avatars.remove([path]);
    expect(removed.data).toMatchObject([{ name: path, bucket_id: 'avatars', id: made.data!.id }]);
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(signed.data!.signedUrl)).status).toBe(404);
  });

  test('lists files and folders by name, and applies limit, offset, order and search [FILE-1]', async () => {
    const person = await app.signIn('customer');
    const documents = storageOf(app.url, person).from('documents');
    const pdf = Buffer.from('%PDF-1.7\nA certificate');
    for (const name of ['beta.pdf', 'alpha.pdf', 'term/plan.pdf']) {
      const { error } = await documents.upload(`${person.userId}/${name}`, pdf, {
        contentType: 'application/pdf',
      });
      expect(error).toBeNull();
    }
    const names = async (options = {}, prefix = person.userId) =>
      (await documents.list(prefix, options)).data?.map(({ name }) => name);
    expect(await names()).toEqual(['alpha.pdf', 'beta.pdf', 'term']);
    expect(await names({}, `${person.userId}/term`)).toEqual(['plan.pdf']);
    expect(await names({ limit: 1, offset: 1 })).toEqual(['beta.pdf']);
    expect(await names({ sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'term',
      'beta.pdf',
      'alpha.pdf',
    ]);
    expect(await names({ search: 'BET' })).toEqual(['beta.pdf']);
    const listBare = async (): Promise<string[]> => {
      const bare = await read('/storage/v1/object/list/documents', {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prefix: person.userId }),
      });
      return (await bare.json()).map(({ name }: { name: string }) => name);
    };
    expect(await listBare()).toEqual(['alpha.pdf', 'beta.pdf', 'term']);
    const added = Array.from({ length: 101 }, (_, index) => `more-${String(index).padStart(3, '0')}.pdf`);
    await app.db
      .insertInto('storageObjects')
      .values(
        added.map((name) => ({
          ...{ bucket: 'documents', ownerUserId: person.userId, path: `${person.userId}/${name}`, bytes: 1 },
          ...{ contentId: crypto.randomUUID(), contentType: 'application/pdf' },
        })),
      )
      .execute();
    expect(await listBare()).toEqual(['alpha.pdf', 'beta.pdf', ...added.slice(0, 98)]);
    await app.db.deleteFrom('storageObjects').where('path', 'like', '%/more-%').execute();
  });

  test('returns 409 "Duplicate" for an existing name unless upsert is set [FILE-3a, FILE-8]', async () => {
    const coach = await app.signIn('coach');
    const avatars = storageOf(app.url, coach).from('avatars');
    const path = `${coach.userId}/avatar`;
    const picture = await makePicture();
    const first = await Promise.all([avatars.upload(path, picture), avatars.upload(path, picture)]);
    expect(first.filter(({ error }) => error === null)).toHaveLength(1);
    expect(first.find(({ error }) => error)?.error).toMatchObject({ status: 409, statusCode: '409' });
    const raw = await read(`/storage/v1/object/avatars/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${coach.token}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(picture),
    });
    expect(await raw.json()).toEqual({
      statusCode: '409',
      error: 'Duplicate',
      message: 'The resource already exists',
    });
    expect((await avatars.upload(path, picture, { upsert: true, cacheControl: '86400' })).error).toBeNull();
    const { headers } = await read(publicUrl('avatars', path));
    expect(headers.get('cache-control'), 'no longer than an hour').toBe('public, max-age=3600');
  });

  test('stores pictures upright, in every size, without camera metadata [FILE-3, FILE-5a, FILE-5b]', async () => {
    const coach = await app.signIn('coach', 'customer');
    const before = await listFiles();
    const client = storageOf(app.url, coach);
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const original = await makePicture({ width: 2_000, height: 1_000, format, orientation: 6 });
      expect(original.includes('Sam Secret'), format).toBe(true);
      const { error } = await client.from('gallery').upload(`${coach.userId}/${format}`, original, consent);
      expect(error).toBeNull();
    }
    await client.from('avatars').upload(`${coach.userId}/avatar`, await makePicture({ orientation: 3 }));
    const stored = (await listFiles()).filter((name) => !before.includes(name));
    // The server names the files, so no part of an uploaded name is in the path.
    for (const name of stored) expect(name).toMatch(/^(avatars|gallery)\/[\da-f-]{36}\/\d+\.webp$/);
    expect(stored.map((name) => name.replace(/\/[\da-f-]{36}\//, ' ')).sort()).toEqual([
      ...['avatars 128.webp', 'avatars 512.webp'],
      ...['gallery 1600.webp', 'gallery 1600.webp', 'gallery 1600.webp'],
      ...['gallery 400.webp', 'gallery 400.webp', 'gallery 400.webp'],
      ...['gallery 800.webp', 'gallery 800.webp', 'gallery 800.webp'],
    ]);
    for (const name of stored) {
      const bytes = await readStored(name);
      const { format, width, height, exif, xmp, icc, orientation } = await sharp(bytes).metadata();
      expect({ format, exif, xmp, icc, orientation }, name).toEqual({ format: 'webp' });
      const size = Number.parseInt(name.split('/').at(-1)!, 10);
      expect([width, height], name).toEqual(name.startsWith('avatars') ? [size, size] : [size / 2, size]);
      for (const trace of privateTraces) expect(bytes.includes(trace), `${name} ${trace}`).toBe(false);
      // In an upright picture, the red half of the original is at the top. In the upright avatar, it is on the right.
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const at = (x: number, y: number) => data[(y * info.width + x) * info.channels]!;
      const [first, last] = name.startsWith('avatars')
        ? [at(info.width - 5, 5), at(5, 5)]
        : [at(5, 5), at(5, info.height - 5)];
      expect(first, name).toBeGreaterThan(200);
      expect(last, name).toBeLessThan(80);
    }
  });

  test('returns 404 for the picture of anyone who is not a bookable coach [FILE-6c, FILE-9b]', async () => {
    const coach = await app.signIn('coach', 'customer');
    const path = `${coach.userId}/avatar`;
    const avatars = storageOf(app.url, coach).from('avatars');
    await avatars.upload(path, await makePicture());
    const url = publicUrl('avatars', path);
    const shown = await read(`${url}?size=128`);
    expect(shown.status).toBe(200);
    const etag = shown.headers.get('etag')!;
    expect((await read(`${url}?size=128`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const setActive = (isActive: boolean) =>
      app.db.updateTable('coaches').set({ isActive }).where('coachId', '=', coach.userId).execute();
    await setActive(false);
    expect((await read(url)).status).toBe(404);
    expect((await avatars.download(path)).error).toBeNull();
    await setActive(true);
    expect((await read(url)).status).toBe(200);

    const customer = await app.signIn('customer');
    const theirs = `${customer.userId}/avatar`;
    await storageOf(app.url, customer)
      .from('avatars')
      .upload(theirs, await makePicture());
    expect((await read(publicUrl('avatars', theirs))).status).toBe(404);
    expect((await storageOf(app.url, coach).from('avatars').download(theirs)).error).not.toBeNull();
  });

  test('serves private files as downloads, through an address signed for 60 s [FILE-8b]', async () => {
    const person = await app.signIn('customer');
    const path = `${person.userId}/first-aid.pdf`;
    const documents = storageOf(app.url, person).from('documents');
    const pdf = Buffer.from('%PDF-1.7\nA certificate');
    expect((await documents.upload(path, pdf, { contentType: 'text/html' })).error).toBeNull();
    expect((await read(publicUrl('documents', path))).status).toBe(404);
    expect((await read(`/storage/v1/object/documents/${path}`)).status).toBe(401);

    const { data } = await documents.createSignedUrl(path, 3600, { download: 'x"; filename="evil.html' });
    const opened = await fetch(data!.signedUrl);
    expect(await opened.text()).toBe(pdf.toString());
    expect(Object.fromEntries(opened.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+\.pdf"$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    const [one] = (await documents.createSignedUrls([path], 3600)).data!;
    const tokens = [data!, one!].map(({ signedUrl }) => new URL(signedUrl).searchParams.get('token')!);
    const signer = createAddressSigner(app.config);
    const seconds = tokens.map((given) => signer.verify(`documents/${path}`, given)!);
    expect(seconds.filter((left) => left <= 30 || left > 60)).toEqual([]);
    const readAs = (bearer: string) =>
      read(`/storage/v1/object/documents/${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    const own = await readAs(person.token);
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(own.headers.get('content-disposition')).toMatch(/^attachment/);
    const stranger = await app.signIn('customer');
    const { error } = await storageOf(app.url, stranger).from('documents').createSignedUrl(path, 60);
    expect([error?.message, (await readAs(stranger.token)).status]).toEqual(['Object not found', 404]);
    const statusOf = async (given: string, name = path) =>
      (await read(`/storage/v1/object/sign/documents/${name}?token=${given}`)).status;
    const expired = new URL(`http://x${signer.sign(`documents/${path}`, -1)}`).searchParams.get('token')!;
    for (const wrong of [expired, `${tokens[0]}A`, '']) expect(await statusOf(wrong)).toBe(400);
    expect(await statusOf(tokens[0]!, `${person.userId}/other.pdf`)).toBe(400);
  });

  test('deletes the files of every size with the picture, document or account [FILE-10, FILE-10a]', async () => {
    const parts = partsOf();
    await removeBytes(parts);
    const before = await listFiles();
    const coach = await app.signIn('coach', 'customer');
    const client = storageOf(app.url, coach);
    await client.from('avatars').upload(`${coach.userId}/avatar`, await makePicture());
    await client.from('gallery').upload(`${coach.userId}/a`, await makePicture(), consent);
    await client.from('gallery').upload(`${coach.userId}/b`, await makePicture(), consent);
    await client.from('avatars').update(`${coach.userId}/avatar`, await makePicture({ width: 400 }));
    await client.from('gallery').remove([`${coach.userId}/a`]);
    const pdf = Buffer.from('%PDF-1.7\nA certificate');
    for (const name of ['removed.pdf', 'kept.pdf']) {
      expect((await client.from('documents').upload(`${coach.userId}/${name}`, pdf)).error).toBeNull();
    }
    await client.from('documents').remove([`${coach.userId}/removed.pdf`]);
    await removeBytes(parts);
    const added = async () => (await listFiles()).filter((name) => !before.includes(name));
    expect((await added()).map((name) => name.split('/')[0])).toEqual([
      ...['avatars', 'avatars', 'documents', 'gallery', 'gallery', 'gallery'],
    ]);
    const { status, error } = await app.call(coach, ownAccountApi.deleteAccount, {});
    expect([status, error?.message]).toEqual([200, undefined]);
    // The server itself queues this job every minute.
    expect(recurringJobs['storage.remove-bytes']).toBe('* * * * *');
    await enqueue(app.db, 'storage.remove-bytes', {});
    await eventually(async () => (await added()).length === 0);
    const { avatarUrl } = await app.db
      .selectFrom('profiles')
      .select('avatarUrl')
      .where('userId', '=', coach.userId)
      .executeTakeFirstOrThrow();
    expect(avatarUrl).toBeNull();
  });

  test('logs and removes files without a row, and rows without a file [FILE-10b]', async () => {
    const coach = await app.signIn('coach', 'customer');
    const client = storageOf(app.url, coach);
    await client.from('avatars').upload(`${coach.userId}/avatar`, await makePicture());
    await client.from('gallery').upload(`${coach.userId}/kept`, await makePicture(), consent);
    const contentOf = async (bucket: 'avatars' | 'gallery') => {
      const objects = await app.db.selectFrom('storageObjects').selectAll().execute();
      return objects.find((one) => one.bucket === bucket && one.ownerUserId === coach.userId)!.contentId;
    };
    const { files } = partsOf();
    await files.removeContent('avatars', await contentOf('avatars'));
    const lost = '00000000-0000-4000-8000-000000000001';
    const fresh = '00000000-0000-4000-8000-000000000002';
    for (const id of [lost, fresh])
      await files.put(`gallery/${id}/400.webp`, Buffer.from('lost'), 'image/webp');
    await makeOld(lost);
    await makeOld(await contentOf('gallery'));
    const lines: string[] = [];
    const log = {
      ...createLog('silent'),
      warn: (facts: object, text: string) => lines.push(`${text} ${JSON.stringify(facts)}`),
    };
    expect(recurringJobs['storage.remove-orphans'], 'once a night').toBe('40 2 * * *');
    const found = await removeOrphans({ ...partsOf(), log: log as never });
    expect(found).toEqual({ contents: 1, objects: 1 });
    expect(lines).toEqual([
      expect.stringContaining(`bytes without an object removed {"bucket":"gallery","contentId":"${lost}"`),
      expect.stringContaining('object without bytes removed {"bucket":"avatars"'),
    ]);
    const left = await listFiles();
    expect(left.some((name) => name.includes(lost))).toBe(false);
    // The fresh bytes stay: an upload that is under way has no row yet.
    expect(left.some((name) => name.includes(fresh))).toBe(true);
    expect((await read(publicUrl('gallery', `${coach.userId}/kept`))).status).toBe(200);
    expect((await read(publicUrl('avatars', `${coach.userId}/avatar`))).status).toBe(404);
    await files.removeContent('gallery', fresh);

    async function makeOld(contentId: string): Promise<void> {
      if (kind === 'disk') {
        return utimes(join(folder(), 'gallery', contentId), oldEnough, oldEnough);
      }
      for (const [key, object] of s3.objects) if (key.includes(contentId)) object.changedAt = oldEnough;
    }
  });

  test('fails an upload with a message while storage is down, and stays ready [FILE-11b]', async () => {
    const coach = await app.signIn('coach', 'customer');
    const avatars = storageOf(app.url, coach).from('avatars');
    const path = `${coach.userId}/avatar`;
    const picture = await makePicture();
    const other = await app.signIn('coach');
    await storageOf(app.url, other).from('avatars').upload(`${other.userId}/avatar`, picture);
    await breakStorage(true);
    // A full S3 bucket can still be read.
    const shown = await read(publicUrl('avatars', `${other.userId}/avatar`));
    expect([shown.status, shown.headers.get('cache-control')]).toEqual(
      kind === 'S3' ? [200, 'public, max-age=3600'] : [503, 'no-store'],
    );
    await shown.arrayBuffer();
    const failed = await avatars.upload(path, picture);
    expect(failed.error).toMatchObject({
      status: 503,
      message: "We couldn't save your file right now. Nothing was changed. Please try again later.",
    });
    expect((await read('/readyz')).status).toBe(200);
    await breakStorage(false);
    expect((await avatars.exists(path)).data).toBe(false);
    expect((await avatars.upload(path, picture)).error).toBeNull();

    async function breakStorage(isBroken: boolean): Promise<void> {
      if (kind === 'S3') {
        s3.control.isFull = isBroken;
        return;
      }
      // Puts a file where the folder should be, so that every write fails, as on a full disk.
      const bucket = join(folder(), 'avatars');
      if (isBroken) {
        await rename(bucket, `${bucket}-aside`);
        await writeFile(bucket, '');
      } else {
        await rm(bucket);
        await rename(`${bucket}-aside`, bucket);
      }
    }
  });
});
