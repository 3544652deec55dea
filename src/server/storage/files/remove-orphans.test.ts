import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openDiskStore } from './disk-store.ts';
import { removeOrphans } from './remove-orphans.ts';

const app = setUpTestApp();

test('removes nothing while the volume with the files is not mounted', async () => {
  const { folder } = app.config.storage as { folder: string };
  const files = openDiskStore(folder);
  const person = await app.signIn('customer');
  const said: string[] = [];
  const log = { ...createLog('silent'), error: (_: object, text: string) => said.push(text) };
  const run = () => removeOrphans({ db: app.db, files, log: log as never });
  let stored = 0;
  for (const count of [3, 30]) {
    for (; stored < count; stored += 1) await addDocument(`d${stored}`);
    await rename(folder, `${folder}-aside`);
    expect(await run()).toEqual({ contents: 0, objects: 0 });
    expect(said.splice(0)).toEqual([expect.stringMatching(/^too many orphans in storage, nothing removed/)]);
    await rename(`${folder}-aside`, folder);
    expect(await run()).toEqual({ contents: 0, objects: 0 });
    expect(said).toEqual([]);
    expect(await app.db.selectFrom('storageObjects').selectAll().execute()).toHaveLength(count);
  }

  async function addDocument(name: string): Promise<void> {
    const contentId = randomUUID();
    await files.put(`documents/${contentId}/original.pdf`, Buffer.from('%PDF-1.7'), 'application/pdf');
    await app.db
      .insertInto('storageObjects')
      .values({
        ...{ bucket: 'documents', ownerUserId: person.userId, path: `${person.userId}/${name}`, contentId },
        ...{ contentType: 'application/pdf', bytes: 8 },
      })
      .execute();
  }
});

test('ignores folders that the server did not create', async () => {
  const { folder } = app.config.storage as { folder: string };
  const old = new Date(Date.now() - 2 * 3_600_000);
  const [lost, kept] = [`documents/${randomUUID()}`, ['documents/notes', 'postgres/base']];
  for (const path of [lost, ...kept]) {
    await mkdir(join(folder, path), { recursive: true });
    await utimes(join(folder, path), old, old);
  }
  const parts = { db: app.db, files: openDiskStore(folder), log: createLog('silent') };
  expect(await removeOrphans(parts)).toEqual({ contents: 1, objects: 0 });
  for (const path of kept) expect((await stat(join(folder, path))).isDirectory()).toBe(true);
});
