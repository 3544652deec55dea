import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openPool } from '#server/platform/db/db.ts';
import { createLog } from '#server/platform/log.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { type Change, createChangeReader } from './change-reader.ts';

const app = setUpTestApp();

test('reads the changes of a topic that was joined while the database was reading', async () => {
  const pool = openPool(app.databaseUrl, { size: 1 });
  const topics: Change['topic'][] = ['places'];
  const seen: (string | null)[] = [];
  const reader = createChangeReader({
    pool,
    log: createLog('silent'),
    everyMs: 250,
    listTopics: () => [...topics],
    onChanges: (changes) => seen.push(...changes.map(({ kind, key }) => `${kind} ${key}`)),
    onGap: () => {},
    onRead: () => {},
  });
  try {
    await reader.start();
    const [coach, stranger] = [randomUUID(), randomUUID()];
    // The next read waits for the connection.
    const client = await pool.connect();
    await eventually(async () => pool.waitingCount === 1);
    await sql`select record_change('coach', ${coach}, 'slots'), record_change('user', ${stranger}, 'card'),
      record_change('user', ${stranger}, 'session')`.execute(app.db);
    topics.push('coach');
    client.release();
    await eventually(async () => seen.length === 2);
    expect(seen.sort()).toEqual([`session ${stranger}`, `slots ${coach}`]);
  } finally {
    await reader.close();
  }
});
