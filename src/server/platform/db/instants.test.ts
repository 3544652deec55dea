import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';
import { openDatabase, openPool } from './db.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const summer = sql<{ at: string }>`select '2026-07-01T09:00:00.123456Z'::timestamptz as at`;
const read = async (run: () => Promise<{ rows: { at: string }[] }>) => (await run()).rows[0]!.at;

test('reads instants in UTC from a database with another time zone', async () => {
  const pool = openPool(database.url, { size: 1 });
  const db = openDatabase(pool);
  await sql
    .raw(`alter database ${new URL(database.url).pathname.slice(1)} set timezone = 'Europe/London'`)
    .execute(db);
  await db.destroy();
  const [again] = [openPool(database.url, { size: 1 })];
  const later = openDatabase(again);
  expect((await again.query('show timezone')).rows).toEqual([{ TimeZone: 'UTC' }]);
  expect(await read(() => summer.execute(later))).toBe('2026-07-01T09:00:00.123456Z');
  await later.destroy();
});

test.each(['Europe/London', 'America/St_Johns', 'Asia/Kathmandu', 'UTC'])(
  'reads the right instant in a session whose time zone is %s',
  async (zone) => {
    const pool = openPool(database.url, { size: 1 });
    const db = openDatabase(pool);
    await pool.query(`set timezone to '${zone}'`);
    expect(await read(() => summer.execute(db))).toBe('2026-07-01T09:00:00.123456Z');
    const { rows } = await sql<{ at: string }>`select '2026-01-01T00:00:00Z'::timestamptz as at`.execute(db);
    expect(Date.parse(rows[0]!.at)).toBe(Date.parse('2026-01-01T00:00:00Z'));
    await db.destroy();
  },
);
