import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';
import { classifyDatabaseFailure, readDatabaseFailure } from './database-failure.ts';
import { openDatabase, openPool } from './db.ts';

test('reports a transaction that lost its connection as unavailable, and reconnects', async () => {
  const database = await createTestDatabase();
  const pool = openPool(database.url, { size: 2 });
  const db = openDatabase(pool);
  const lost = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db);
    await sql`select pg_sleep(1)`.execute(tx);
  });
  const error = await lost.catch((reason: unknown) => reason);
  expect(readDatabaseFailure(error)).toMatchObject({ code: 'unavailable' });
  expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
  await db.destroy();
  await database.drop();
});

test('fails a statement without a timely response, and drops the connection', async () => {
  const database = await createTestDatabase();
  const pool = openPool(database.url, { size: 1, queryTimeoutMs: 3_000, statementTimeoutMs: 10_000 });
  const db = openDatabase(pool);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const change = db.transaction().execute(async (tx) => {
    await tx.insertInto('siteSettings').values({ key: 'half-done', value: '1' }).execute();
    await sql`select pg_sleep(4)`.execute(tx);
  });
  const error = await change.catch((reason: unknown) => reason);
  expect(classifyDatabaseFailure(error)).toBe('database does not answer');
  expect(readDatabaseFailure(error)).toMatchObject({ code: 'unavailable' });

  const after = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  expect(after.rows[0]!.pid).not.toBe(rows[0]!.pid);
  expect(await db.selectFrom('siteSettings').where('key', '=', 'half-done').select('key').execute()).toEqual(
    [],
  );
  await expect(pool.query('select pg_sleep(4)')).rejects.toThrow('Query read timeout');
  expect(pool.totalCount).toBe(0);
  await db.destroy();
  await database.drop();
});

test('detects a server that accepts connections but never responds', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const connectionString = `postgres://app:secret@127.0.0.1:${port}/app`;
  // Either the driver or its pool reports the timeout.
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 100 });
  const ofDriver = await client.connect().catch((reason: unknown) => reason);
  const pool = openPool(connectionString, { acquireTimeoutMs: 100 });
  const ofPool = await pool.connect().catch((reason: unknown) => reason);
  await pool.end();
  silent.close();
  expect([ofDriver, ofPool].map(classifyDatabaseFailure)).toEqual([
    'database does not answer',
    'database does not answer',
  ]);
});
