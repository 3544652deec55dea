import { execFile } from 'node:child_process';
import { randomBytes, scrypt } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskQueue } from './disk-queue.ts';
import { openDiskStore } from './disk-store.ts';

const pdf = 'application/pdf';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'disk-store-'));
  const pipes: string[] = [];
  onTestFinished(async () => {
    for (const pipe of pipes) await (await open(pipe, 'r+')).close();
    await rm(folder, { recursive: true });
  });
  /** Adds a file that does not open until the end of the test, as on a hung mount: a pipe without a writer. */
  async function addHanging(key: string): Promise<string> {
    const path = join(folder, key);
    await mkdir(join(path, '..'), { recursive: true });
    await promisify(execFile)('mkfifo', [path]);
    pipes.push(path);
    return key;
  }
  /** The paths of the files in the folder that this process has open; always empty outside Linux. */
  async function listOpen(): Promise<string[]> {
    const descriptors = await readdir('/proc/self/fd').catch(() => []);
    const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(folder));
  }
  return { folder, addHanging, listOpen };
}

test('closes a file after a complete, a failed and a cancelled read', async () => {
  const { folder, listOpen } = await openFolder();
  const files = openDiskStore(folder);
  const bytes = randomBytes(200_000);
  await files.put('documents/a/original.pdf', bytes, pdf);
  const read = async (key: string) => (await files.get(key))!.body;
  const whole = await new Response(await read('documents/a/original.pdf')).arrayBuffer();
  expect(Buffer.compare(Buffer.from(whole), bytes)).toBe(0);
  await (await read('documents/a/original.pdf')).cancel();
  // A folder can be opened, but not read.
  await expect(new Response(await read('documents/a')).arrayBuffer()).rejects.toThrow('EISDIR');
  await expect.poll(listOpen).toEqual([]);
  expect(await files.get('documents/none/original.pdf')).toBeNull();
});

test('fails reads, removals and lists on a hung mount, and leaves threads free', async () => {
  const { folder, addHanging } = await openFolder();
  const files = openDiskStore(folder, createDiskQueue({ timeoutMs: 2_000 }));
  await files.put('documents/a/original.pdf', Buffer.from('%PDF-1.7'), pdf);
  const refused = expect.stringContaining('No response from the disk within 2000 ms');
  const failures: unknown[] = [];
  const expectFailure = (work: Promise<unknown>) => work.catch((error) => failures.push(error.message));
  const listAll = async () => {
    for await (const content of files.listContents()) expect(content).toBeUndefined();
  };

  const first = expectFailure(files.get(await addHanging('documents/b/original.pdf')));
  const found = await files.get('documents/a/original.pdf');
  expect(await new Response(found!.body).text()).toBe('%PDF-1.7');
  await Promise.all([
    first,
    expectFailure(files.get(await addHanging('documents/c/original.pdf'))),
    expectFailure(files.get('documents/a/original.pdf')),
    expectFailure(files.removeContent('documents', 'a')),
    expectFailure(listAll()),
  ]);
  expect(failures).toEqual(Array(5).fill(refused));
  // Hashing a password needs one of Node's four threads, two of which are waiting for the disk.
  await promisify(scrypt)('password', 'salt', 16);
});

test('closes a file whose size could not be read', async () => {
  const { folder, addHanging, listOpen } = await openFolder();
  const files = openDiskStore(folder, createDiskQueue({ atOnce: 1, timeoutMs: 500 }));
  await openDiskStore(folder).put('documents/a/original.pdf', Buffer.from('%PDF-1.7'), pdf);
  const hanging = await addHanging('documents/b/original.pdf');
  // The second file takes the turn after the first one is open, so the size of the first is never read.
  const both = await Promise.allSettled([files.get('documents/a/original.pdf'), files.get(hanging)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect.poll(listOpen).toEqual([]);
});
