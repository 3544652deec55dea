import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { dropDatabase } from '#server/test-support/drop-database.test-support.ts';
import { isAwaitingLock } from '#server/test-support/test-app.test-support.ts';
import { packageRoot } from '../package-root.ts';
import { migrate } from './migrate.ts';

const name = `${inject('databasePrefix')}_migrate_${process.pid}`;
const url = new URL(inject('postgresUrl'));
url.pathname = `/${name}`;

async function query(at: string, text: string) {
  const client = new Client({ connectionString: at });
  await client.connect();
  return client.query(text).finally(() => client.end());
}
afterEach(() => dropDatabase(inject('postgresUrl'), name));

test('migrates once when several processes start on an empty database', async () => {
  await query(inject('postgresUrl'), `create database ${name}`);
  await Promise.all(Array.from({ length: 5 }, () => migrate(url.href)));
  const { rows } = await query(url.href, 'select name, applied_at from schema_migrations order by name');
  const files = (await readdir(join(packageRoot, 'migrations'))).filter((file) => /^\d/.test(file)).sort();
  expect(rows.map((row) => row.name)).toEqual(files);
  await migrate(url.href);
  expect(
    (await query(url.href, 'select name, applied_at from schema_migrations order by name')).rows,
  ).toEqual(rows);
  expect((await query(url.href, 'select * from site_settings')).rows.length).toBeGreaterThan(0);
});

test('migrates without deadlocking a request that reads and then writes a table', async () => {
  await query(inject('postgresUrl'), `create database ${name}`);
  await migrate(url.href);
  await query(url.href, `delete from schema_migrations where name = '0021_ages_and_overlaps.sql'`);
  const request = new Client({ connectionString: url.href });
  await request.connect();
  await request.query('begin; select from bookings');
  const migration = migrate(url.href);
  await expect
    .poll(
      async () => (await query(url.href, `select from pg_stat_activity where ${isAwaitingLock}`)).rowCount,
    )
    .toBeGreaterThan(0);
  const write = request.query('lock table bookings in row exclusive mode; commit');
  await Promise.all([migration, write]).finally(() => request.end());
});

test('gives every constraint an explicit name', async () => {
  await query(inject('postgresUrl'), `create database ${name}`);
  await migrate(url.href);
  const { rows } = await query(
    url.href,
    `select conname from pg_constraint where connamespace = 'public'::regnamespace
      and conname ~ '_(check|fkey|key|excl)\\d*$'`,
  );
  expect(rows).toEqual([]);
});

test('refuses a newer database or a changed migration', async () => {
  await query(inject('postgresUrl'), `create database ${name}`);
  await migrate(url.href);
  await query(url.href, `update schema_migrations set checksum = 'x' where name = '0002_settings.sql'`);
  await expect(migrate(url.href)).rejects.toThrow('Migration 0002_settings.sql was changed after it ran.');
  await query(url.href, `insert into schema_migrations values ('9999_future.sql', 'x', now())`);
  await expect(migrate(url.href)).rejects.toThrow('it contains migration 9999_future.sql');
});

test('refuses a database created with other migrations', async () => {
  await query(inject('postgresUrl'), `create database ${name}`);
  await migrate(url.href);
  await query(url.href, `update schema_migrations set checksum = 'x' where name like '0001%'`);
  await query(url.href, `insert into schema_migrations values ('0037_search.sql', 'x', now())`);
  await expect(migrate(url.href)).rejects.toThrow(
    'The database belongs to another version of this program and cannot be updated.',
  );
});

test('has no unlogged sequence, which a promoted standby could not read', async () => {
  await query(inject('postgresUrl'), `create database ${name}`);
  await migrate(url.href);
  const { rows } = await query(
    url.href,
    "select relname from pg_class where relkind = 'S' and relpersistence = 'u'",
  );
  expect(rows).toEqual([]);
});
