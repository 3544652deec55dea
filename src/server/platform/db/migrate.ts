import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { migrateJobs } from '../jobs/start-worker.ts';
import { packageRoot } from '../package-root.ts';
import { connectingTo } from './database-hosts.ts';
import { checkServer, StartRefusal } from './start-check.ts';

// An arbitrary key for the advisory lock that serialises the migrations of processes that start concurrently.
const migrationLock = 7_203_114;

/**
 * A migration's lock timeout in milliseconds: shorter than that of requests (platform/db/db.ts), because requests queue
 * behind a waiting migration.
 */
const lockWaitMs = 500;
const lockTries = 60;
/** The delay between attempts, in milliseconds. */
const againInMs = 1_000;
/** The timeout of a connection to an unreachable host, in milliseconds. */
const connectMs = 10_000;
/** The line between two transactions of a migration. */
const nextTransaction = /^-- commit$/m;

/**
 * Migrates a database to the newest schema. Plain SQL files run once, in the order of their names, each in its own
 * transaction. A file with lines `-- commit` runs as several transactions, so that no two tables in use are locked at
 * the same time and long updates run in batches. After an interruption, all of them run again, so each must be
 * repeatable. A migration that can't get its locks gives up quickly, so that requests don't queue behind it, and is
 * retried for about 90 seconds. Throws {@link StartRefusal} if the database is unsuitable, began with a different first
 * migration or contains a migration that this code does not know, if an applied file has been changed, or if a
 * migration still can't get its locks.
 */
export async function migrate(url: string, { waitMs = lockWaitMs, tries = lockTries } = {}): Promise<void> {
  const { options, Client, check } = connectingTo(url);
  const client = new Client({ ...options, connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  await client.connect();
  try {
    await check(client);
    await checkServer(client, () => new Client({ ...options, connectionTimeoutMillis: connectMs }));
    await client.query(`set timezone to 'UTC'; set statement_timeout to 0; set lock_timeout to 0`);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select * from schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const directory = join(packageRoot, 'migrations');
    const files = (await readdir(directory)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort();
    const migrations = await Promise.all(
      files.map(async (file): Promise<Migration> => {
        const text = await readFile(join(directory, file), 'utf8');
        return { file, text, checksum: createHash('sha256').update(text).digest('hex') };
      }),
    );
    refuseOtherHistory(applied, migrations);
    for (const migration of migrations) {
      if (applied.has(migration.file)) continue;
      await run(client, migration, { waitMs, tries });
    }
    await migrateJobs(url);
  } finally {
    await client.end();
  }
}

type Migration = { file: string; text: string; checksum: string };

/** Throws {@link StartRefusal} unless every applied migration (checksum by file name) is unchanged in `migrations`. */
function refuseOtherHistory(applied: Map<string, string>, migrations: Migration[]): void {
  const [first] = migrations;
  if (first && applied.size > 0 && applied.get(first.file) !== first.checksum) {
    throw new StartRefusal(
      'The database belongs to another version of this program and cannot be updated. To start with an empty database, move the data folder away, or name another database in DATABASE_URL.',
    );
  }
  const unknown = [...applied.keys()].find((name) => !migrations.some(({ file }) => file === name));
  if (unknown) {
    throw new StartRefusal(`The database is newer than this program: it contains migration ${unknown}.`);
  }
  const changed = migrations.find(({ file, checksum }) => (applied.get(file) ?? checksum) !== checksum);
  if (changed) {
    throw new StartRefusal(
      `Migration ${changed.file} was changed after it ran. Add a new migration instead.`,
    );
  }
}

async function run(
  client: pg.Client,
  { file, text, checksum }: Migration,
  { waitMs, tries }: { waitMs: number; tries: number },
): Promise<void> {
  const parts = text.split(nextTransaction);
  const record = () =>
    client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file, checksum]);
  if (parts.length === 1) {
    return whileLocked(file, tries, () => inTransaction(client, text, waitMs, record));
  }
  await client.query(`set lock_timeout to ${waitMs}`);
  // PostgreSQL runs a query of several statements as one transaction. A part that is a single `do` can commit batches.
  for (const part of parts) await whileLocked(file, tries, () => client.query(part));
  await client.query('set lock_timeout to 0');
  await record();
}

async function inTransaction(
  client: pg.Client,
  text: string,
  waitMs: number,
  record: () => Promise<unknown>,
): Promise<void> {
  await client.query(`begin; set local lock_timeout to ${waitMs}`);
  try {
    await client.query(text);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Lock not available, and deadlock detected: the part was undone, and can be repeated. */
const lockCodes = ['55P03', '40P01'];

async function whileLocked(file: string, tries: number, attempt: () => Promise<unknown>): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!lockCodes.includes((error as { code?: string }).code ?? '')) throw error;
      if (left <= 1) {
        throw new StartRefusal(
          `Migration ${file} cannot run: another transaction holds a lock on a table that the migration changes. End that transaction (see pg_stat_activity) and start again.`,
        );
      }
      await delay(againInMs);
    }
  }
}
