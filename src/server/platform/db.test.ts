import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readDatabaseFailure } from './database-failure.ts';
import { openDatabase, openPool } from './db.ts';
import { createTestDatabase } from './test-database.test-support.ts';

test('[PAY-5] a transaction that loses its connection asks to try again, as a statement does', async () => {
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
