import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openDiskStore } from './files/disk-store.ts';
import { makePicture } from './pictures.test-support.ts';
import { openStorage } from './storage.ts';
import { storeObject, type Upload } from './store-object.ts';

const app = setUpTestApp();

test('counts uploads that cannot be stored apart from pictures that wait too long', async () => {
  const { userId } = await app.signIn('customer');
  const upload: Upload = {
    ...{ bucket: 'avatars', path: `${userId}/avatar`, ownerUserId: userId, mode: 'create' },
    ...{ original: await makePicture(), cacheSeconds: 60, metadata: { alt: '', isConsentConfirmed: false } },
  };
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
  await expect(storeObject(parts, upload)).rejects.toMatchObject({ status: 503 });
  expect(countRefused()).toEqual([1, 0]);
  end();
  await Promise.all(decoding);

  const folder = await mkdtemp(join(tmpdir(), 'full-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // A file where the folder should be: every write fails, as on a full disk.
  await writeFile(join(folder, 'avatars'), '');
  await expect(storeObject({ ...parts, files: openDiskStore(folder) }, upload)).rejects.toMatchObject({
    status: 503,
  });
  expect(countRefused()).toEqual([1, 1]);
});
