import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { isReachable } from './postgres-binaries.ts';
import { readPostmaster, stopPostmaster } from './postmaster.ts';

let dataDir: string;
const home = () => join(dataDir, 'postgres');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'app-postgres-'));
});

afterAll(async () => {
  await stopPostmaster(home());
  await rm(dataDir, { recursive: true });
});

test('keeps the data when the program is killed and the server stops or crashes', async () => {
  await startInProgramThenKillIt(dataDir);
  const survivor = await readPostmaster(home());
  expect(survivor).toMatchObject({ isAlive: true, isReady: true });

  const reused = await startEmbeddedPostgres({ dataDir });
  expect(await readPostmaster(home())).toEqual(survivor);
  expect(reused.isNew).toBe(false);
  await query(reused.url, 'create table lessons as select 1 as lesson_id');
  await reused.stop();
  expect(await readPostmaster(home())).toBeUndefined();

  const again = await startEmbeddedPostgres({ dataDir });
  await query(again.url, 'insert into lessons values (2)');
  process.kill((await readPostmaster(home()))!.pid, 'SIGKILL');

  const recovered = await startEmbeddedPostgres({ dataDir });
  expect(await query(recovered.url, 'select lesson_id from lessons order by 1')).toEqual([
    { lesson_id: 1 },
    { lesson_id: 2 },
  ]);
});

test('shares one server between three simultaneous starts', async () => {
  const all = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres({ dataDir })));
  expect(new Set(all.map(({ url }) => url)).size).toBe(1);
});

test('starts a durable, loopback-only server that requires the password', async () => {
  const { url } = await startEmbeddedPostgres({ dataDir });
  const [row] = await query(
    url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('listen_addresses') as addresses, current_setting('timezone') as zone,
      (select rolsuper from pg_roles where rolname = current_user) as is_superuser`,
  );
  expect(row).toEqual({
    fsync: 'on',
    commit: 'on',
    addresses: '127.0.0.1',
    zone: 'UTC',
    is_superuser: false,
  });
  const withWrongPassword = new URL(url);
  withWrongPassword.password = 'guess';
  await expect(query(withWrongPassword.href, 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('lets a role that is not a superuser create extensions; sorts as in English', async () => {
  const { url } = await startEmbeddedPostgres({ dataDir });
  for (const extension of ['btree_gist', 'pg_trgm', 'citext', 'pgcrypto']) {
    await query(url, `create extension if not exists ${extension}`);
  }
  expect(await query(url, `select lower('ÉTÉ') as lowered, 'a' < 'B' as is_english_order`)).toEqual([
    { lowered: 'été', is_english_order: true },
  ]);
});

test('refuses a database of another major version and says what to do', async () => {
  const database = await startEmbeddedPostgres({ dataDir });
  await database.stop();
  const version = await readFile(join(home(), 'PG_VERSION'), 'utf8');
  await writeFile(join(home(), 'PG_VERSION'), '12\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /another version of PostgreSQL.*pg_dump.*delete the folder/,
  );
  await writeFile(join(home(), 'PG_VERSION'), version);
});

test('refuses a data folder that another program created', async () => {
  const database = await startEmbeddedPostgres({ dataDir });
  await database.stop();
  await rename(join(home(), 'app-password'), join(home(), 'other-password'));
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /belongs to another version of this program.*Move the folder away/,
  );
  expect(await readPostmaster(home())).toBeUndefined();
  await rename(join(home(), 'other-password'), join(home(), 'app-password'));
});

test('detects whether another user can reach a folder', async () => {
  const folder = join(dataDir, 'closed', 'inside');
  await mkdir(folder, { recursive: true });
  const stranger = { uid: 54_321, gid: 54_321 };
  await chmod(join(dataDir), 0o711);
  await chmod(join(dataDir, 'closed'), 0o700);
  expect(await isReachable(folder, stranger)).toBe(false);
  await chmod(join(dataDir, 'closed'), 0o711);
  expect(await isReachable(folder, stranger)).toBe(true);
});

async function startInProgramThenKillIt(folder: string): Promise<void> {
  const launcher = new URL('./embedded-postgres.ts', import.meta.url).href;
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(launcher)};
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)} });
    process.kill(process.pid, 'SIGKILL');`;
  const run = promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
  ]);
  await expect(run).rejects.toMatchObject({ signal: 'SIGKILL' });
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
