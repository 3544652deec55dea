import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { pathOfProgram, runProgram } from '#server/test-support/built-programs.test-support.ts';
import { callEndpoint, openSession } from '#server/test-support/contract-client.test-support.ts';
import { eventually } from '#server/test-support/test-app.test-support.ts';
import { BackupRefusal } from './backup.ts';
import { restore } from './restore-backup.ts';

let folder: string;
let dataDir: string;
let file: string;
let url: string;
let running: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-backup-'));
  // If root runs the tests, the database runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  dataDir = join(folder, 'data');
  file = join(folder, 'app.backup');
});
afterAll(async () => {
  if (running) await stop();
  await rm(folder, { recursive: true, force: true });
});

const { DATABASE_URL: _url, ...surroundings } = process.env;

/** Starts the server on the embedded database, as npm start does. */
async function start(): Promise<void> {
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  running = spawn(process.execPath, [pathOfProgram('main')], {
    cwd: folder,
    env: { ...surroundings, DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
  await eventually(
    () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    150_000,
  );
}

async function stop(): Promise<void> {
  const ended = once(running!, 'exit');
  running!.kill('SIGTERM');
  await ended;
  running = undefined;
}

const run = (program: 'admin' | 'audit', ...args: string[]) =>
  runProgram(program, args, { ...surroundings, DATA_DIR: dataDir });
const admin = (...args: string[]) => run('admin', ...args);

/** Reads the coach's bank account and picture, and the customer's past bookings, over HTTP. */
async function look() {
  const open = async (email: string) => {
    const session = await openSession(url, { email, password: 'demo-lesson-2026' });
    return { token: session.access_token };
  };
  const coach = await open('coach@demo.test');
  const { body } = await callEndpoint(url, coach, payoutsApi.getBankDetails, {});
  const customer = await open('customer@demo.test');
  const { profile } = (await callEndpoint(url, coach, accountsApi.getProfile, {})).body;
  const picture = await fetch(`${url}${profile!.avatarUrl}`);
  expect(picture.headers.get('content-type')).toBe('image/webp');
  const face = Buffer.from(await picture.arrayBuffer()).toString('base64');
  const past = (await callEndpoint(url, customer, bookingsApi.listMine, { view: 'past' })).body;
  return { account: body.bankDetails!.maskedAccountNumber, past, face };
}

test('restores data, secrets, pictures and both ledgers from a live backup [FILE-10c]', async () => {
  await start();
  const before = await look();
  expect(before.account).toMatch(/^••••\d{4}$/);
  expect(JSON.stringify(before.past).length).toBeGreaterThan(200);
  const secrets = await readFile(join(dataDir, 'secrets.json'), 'utf8');

  const output = await admin('backup', file);
  expect(output).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`Wrote ${file} (`) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const again = await admin('backup', file);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('never overwritten') });
  for (const flag of [[], ['--replace']]) {
    const early = await admin('restore', file, ...flag);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it, then restore.') });
  }
  await stop();
  await rm(dataDir, { recursive: true });

  expect(await admin('restore', file)).toMatchObject({ code: 0, stderr: '' });
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  await start();
  expect(await look()).toEqual(before);
  expect(await run('audit')).toMatchObject({ code: 0, stdout: 'The ledger is in order.\n' });
  await stop();
}, 400_000);

/** A tar archive of one entry, without the two blocks that end an archive, so that more entries can follow. */
async function packEntry(name: string, text: string): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name }, text);
  archive.finalize();
  return (await buffer(archive)).subarray(0, -1024);
}

test('refuses invalid backups; replaces data only on request and keeps the old data', async () => {
  const full = await admin('restore', file);
  expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('add --replace') });

  const bytes = await readFile(file);
  const plain = gunzipSync(bytes);
  const older = JSON.stringify({ product: 'app', format: 1, postgres: 12, createdAt: '' });
  const bad: Record<string, Buffer> = {
    cut: bytes.subarray(0, bytes.length / 2),
    changed: Buffer.concat([
      bytes.subarray(0, 5_000),
      Buffer.from([bytes[5_000]! ^ 1]),
      bytes.subarray(5_001),
    ]),
    'of another version': gzipSync(
      Buffer.concat([await packEntry('app-backup.json', older), plain.subarray(1024)]),
    ),
    'with a path outside the folder': gzipSync(
      Buffer.concat([
        plain.subarray(0, 1024),
        await packEntry('postgres/../../stray', ''),
        plain.subarray(1024),
      ]),
    ),
    'not a backup': Buffer.from('hello'),
  };
  const sentences: Record<string, string> = { 'of another version': 'PostgreSQL 12' };
  const before = await readdir(dataDir);
  for (const [name, content] of Object.entries(bad)) {
    await writeFile(join(folder, 'bad.backup'), content);
    const refused = restore({
      dataDir,
      file: join(folder, 'bad.backup'),
      others: ['secrets.json', 'card-network/card-network.journal', 'files/'],
      isReplacing: true,
    });
    await expect(refused, name).rejects.toThrow(BackupRefusal);
    await expect(refused, name).rejects.toThrow(sentences[name] ?? 'bad.backup');
  }
  expect(await readdir(dataDir)).toEqual(before);

  const replaced = await admin('restore', file, '--replace');
  expect(replaced.stdout).toContain('The previous data is kept in');
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.replaced-'))).toHaveLength(1);

  await mkdir(join(folder, 'empty'));
  dataDir = join(folder, 'empty');
  const nothing = await admin('backup', join(folder, 'other.backup'));
  expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database in') });
}, 120_000);
