import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { statusByCode } from '#domain/error-statuses.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { createLog } from '#server/platform/log.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { startS3Server } from '#tools/s3-server.ts';
import { openDiskStore } from './files/disk-store.ts';
import { removeBytes } from './files/remove-bytes.ts';
import { addGalleryPicture, makePicture, storageOf } from './pictures.test-support.ts';
import { openStorage } from './storage.ts';
import { storeObject, type Upload } from './store-object.ts';

const s3 = await startS3Server();
afterAll(() => s3.stop());
const app = setUpTestApp({ env: s3.env });

const uploadOf = async (userId: string): Promise<Upload> => ({
  ...{ bucket: 'avatars', path: `${userId}/avatar`, ownerUserId: userId, mode: 'create' },
  ...{ original: await makePicture(), cacheSeconds: 60, metadata: { alt: '', isConsentConfirmed: false } },
});

test('refuses a picture while thirty wait, and counts it separately from failures [FILE-7c]', async () => {
  const { userId } = await app.signIn('customer');
  const upload = await uploadOf(userId);
  const storage = openStorage(app.config);
  const parts = { ...storage, db: app.db, log: createLog('silent') };
  const countRefused = () => {
    const gauges = new Map(storage.readGauges().map(({ name, value }) => [name, value]));
    return [gauges.get('app_picture_decodes_refused'), gauges.get('app_failed_uploads')];
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Two pictures are decoded at a time, and thirty wait.
  const decoding = Array.from({ length: 32 }, () => storage.queue.run(() => ended));
  await expect(storeObject(parts, upload)).rejects.toMatchObject({ code: 'unavailable' });
  expect(statusByCode.unavailable).toBe(503);
  expect(countRefused()).toEqual([1, 0]);
  end();
  await Promise.all(decoding);

  const folder = await mkdtemp(join(tmpdir(), 'full-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Puts a file where the folder should be, so that every write fails, as on a full disk.
  await writeFile(join(folder, 'avatars'), '');
  await expect(storeObject({ ...parts, files: openDiskStore(folder) }, upload)).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(countRefused()).toEqual([1, 1]);
});

test('keeps an uploaded file if the response to the commit of its row is lost', async () => {
  const { userId, token } = await app.signIn('customer');
  const parts = { ...openStorage(app.config), log: createLog('silent') };
  const db = openDatabase(openPool(await loseResponsesToCommits(app.config.databaseUrl)));
  onTestFinished(() => db.destroy());
  await expect(storeObject({ ...parts, db }, await uploadOf(userId))).rejects.toThrow();
  const stored = await storageOf(app.url, { token }).from('avatars').download(`${userId}/avatar`);
  expect(stored.error).toBeNull();
});

test('fails an upload to a slow S3 within 30 s, and still serves other requests [FILE-11b]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const { url } = await addGalleryPicture(app.url, coach);
  onTestFinished(() => void Object.assign(s3.control, { delayMs: 0, sendsHalf: false }));
  s3.control.sendsHalf = true;
  const began = performance.now();
  const stalled = await fetch(url);
  expect(stalled.status).toBe(200);
  const half = expect(stalled.arrayBuffer()).rejects.toThrow();
  s3.control.delayMs = 15_000;
  const late = fetch(url);
  const uploading = storageOf(app.url, coach)
    .from('avatars')
    .upload(`${coach.userId}/avatar`, await makePicture());
  expect((await app.call(coach, accountsApi.getProfile, {})).status).toBe(200);
  expect((await uploading).error).toMatchObject({
    status: 503,
    message: expect.stringContaining('try again'),
  });
  await half;
  const { status, headers } = await late;
  expect([status, headers.get('cache-control'), headers.get('retry-after')]).toEqual([503, 'no-store', '1']);
  expect(performance.now() - began).toBeLessThan(30_000);
});

test("deletes other objects' files while the files of five cannot be deleted [FILE-10a]", async () => {
  const parts = { ...openStorage(app.config), db: app.db, log: createLog('silent') };
  await removeBytes(parts);
  const person = await app.signIn('customer');
  const documents = storageOf(app.url, person).from('documents');
  const before = new Set(s3.objects.keys());
  const added = () => [...s3.objects.keys()].filter((name) => !before.has(name));
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await documents.upload(`${person.userId}/${name}`, Buffer.from('%PDF-1.7'));
  const locked = added();
  for (const name of locked) s3.control.locked.add(name);
  await documents.upload(`${person.userId}/f`, Buffer.from('%PDF-1.7'));
  for (const name of [...names, 'f']) await documents.remove([`${person.userId}/${name}`]);
  // Objects are deleted in random order. A run that picks the five locked objects first ends without deleting the
  // other, but that won't happen a hundred times in a row.
  for (let run = 0; run < 100 && added().length > locked.length; run += 1) await removeBytes(parts);
  expect(added()).toEqual(locked);
  s3.control.locked.clear();
  await removeBytes(parts);
  expect(added()).toEqual([]);
});

/**
 * Starts a proxy to a database that closes a connection instead of forwarding the response to a commit. Returns the
 * proxy's URL.
 */
async function loseResponsesToCommits(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const proxy = createServer((client) => {
    const database = connect({ host: url.hostname, port: Number(url.port) });
    let isCommitting = false;
    client.on('data', (bytes) => {
      isCommitting ||= bytes.includes('commit');
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (isCommitting) client.destroy();
      else client.write(bytes);
    });
    for (const [end, other] of [[client, database] as const, [database, client] as const]) {
      end.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return Object.assign(new URL(url), {
    hostname: '127.0.0.1',
    port: String((proxy.address() as AddressInfo).port),
  }).href;
}
