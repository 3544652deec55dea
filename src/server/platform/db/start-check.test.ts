import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';
import { findFreePort } from '../free-port.ts';
import { migrate } from './migrate.ts';
import { explainStartFailure } from './start-check.ts';

const role = `lacking_${process.pid}_${Date.now().toString(36)}`;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let emptyUrl: URL;
beforeAll(async () => {
  database = await createTestDatabase();
  emptyUrl = new URL(inject('postgresUrl'));
  emptyUrl.pathname = `${new URL(database.url).pathname}_empty`;
  await run(`create database ${emptyUrl.pathname.slice(1)}`);
});
afterAll(async () => {
  await run(`drop database ${emptyUrl.pathname.slice(1)} with (force)`);
  await database.drop();
});

async function run(text: string, url = inject('postgresUrl')) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

/** The message that an operator sees when the server can't start with this DATABASE_URL. */
async function failToStart(url: string): Promise<string | undefined> {
  const error = await migrate(url).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return explainStartFailure(error, url);
}

test('says which part of DATABASE_URL is wrong', async () => {
  const known = new URL(database.url);
  const change = (part: Partial<URL>) => Object.assign(new URL(database.url), part).href;
  const port = String(await findFreePort());
  expect(await failToStart(change({ port }))).toBe(
    `Can't reach PostgreSQL at ${known.hostname}:${port} (DATABASE_URL): ECONNREFUSED.`,
  );
  expect(await failToStart(change({ hostname: 'nowhere.invalid' }))).toMatch(
    /^Can't reach PostgreSQL at nowhere\.invalid:\d+ \(DATABASE_URL\): E\w+\.$/,
  );
  expect(await failToStart(change({ pathname: '/no_such_club' }))).toBe(
    `There is no database no_such_club at ${known.host}; create it, or correct DATABASE_URL.`,
  );
});

test('reports a wrong database password without repeating it', () => {
  const error = Object.assign(new Error('password authentication failed for user "club"'), { code: '28P01' });
  expect(explainStartFailure(error, 'postgres://club:hunter2@db.example:5432/club')).toBe(
    'The database at db.example:5432 refused the role club of DATABASE_URL: password authentication failed for user "club".',
  );
});

test('says which privilege the database role lacks and how to grant it', () => {
  const error = Object.assign(new Error('permission denied for schema public'), { code: '42501' });
  expect(explainStartFailure(error, `postgres://${role}:hunter2@db.example/club`)).toBe(
    `The role ${role} of DATABASE_URL lacks a privilege that the server needs (permission denied for schema public); make it the owner: ALTER DATABASE club OWNER TO ${role}.`,
  );
});

test('reports a database newer than the program, without a stack trace', async () => {
  await run(`insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`, database.url);
  expect(await failToStart(database.url)).toBe(
    'The database is newer than this program: it contains migration 9999_later.sql.',
  );
});

test('reports a migration that another transaction blocks, and retries it', async () => {
  const holder = new Client({ connectionString: emptyUrl.href });
  await holder.connect();
  await holder.query('begin; create table site_settings ()');
  const error = await migrate(emptyUrl.href, { waitMs: 50, tries: 1 }).catch((thrown: unknown) => thrown);
  expect(explainStartFailure(error, emptyUrl.href)).toMatch(
    /^Migration 0002_\w+\.sql cannot run: another transaction holds a lock on a table that the migration changes\./,
  );
  const migrated = migrate(emptyUrl.href, { waitMs: 50 });
  await holder.query('rollback');
  await migrated;
  await holder.end();
});
