import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JobName } from '#domain/jobs.ts';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';
import { openDatabase, openPool } from '../db/db.ts';
import { createLog } from '../log.ts';
import { addJob, addJobs, enqueue, enqueueAll } from './enqueue.ts';
import { onJobsQueued } from './queued-jobs.ts';
import { type AreaHandlers, type JobHandlers, startWorker } from './start-worker.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, { size: 2 });
  db = openDatabase(pool);
});
beforeEach(async () => {
  await pool.query('delete from graphile_worker._private_jobs');
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function readJobs() {
  const { rows } = await pool.query(`
    select task.identifier as name, job.payload, job.key, job.run_at
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    order by job.id`);
  return rows as { name: JobName; payload: unknown; key: string | null; run_at: string }[];
}

const [bookingId, from] = ['8f14e45f-ceea-467f-a8d4-6b1f3f1e2d10', '2030-06-01T08:00:00Z'];

test("adds a job for each row of a statement, with the row's columns and fixed values", async () => {
  const times = {
    from: { startTime: from, endTime: from },
    to: { startTime: from, endTime: from },
    version: from,
  };
  await sql`
    select ${addJob('bookings.moved', { bookingId: sql<string>`id`, ...times })}
    from unnest(${[bookingId, bookingId]}::uuid[]) id`.execute(db);
  await sql`
    with job as (select ${addJob('bookings.relocated', { bookingId, from: null, to: null, version: from })} as queued)
    select count(queued) from job`.execute(db);
  expect(await readJobs()).toMatchObject([
    { name: 'bookings.moved', payload: { bookingId, ...times }, key: null },
    { name: 'bookings.moved', payload: { bookingId, ...times }, key: null },
    { name: 'bookings.relocated', payload: { bookingId, from: null, to: null } },
  ]);
});

test('adds the jobs of all rows in one call and counts them, even for no rows', async () => {
  const ids = [bookingId, randomUUID()];
  const queue = (rows: string[]) =>
    sql<{ added: number }>`
      select ${addJobs('bookings.booked', { bookingId: sql<string>`id` })} as added
      from unnest(${rows}::uuid[]) id`.execute(db);
  expect((await queue(ids)).rows).toEqual([{ added: 2 }]);
  expect((await queue([])).rows).toEqual([{ added: 0 }]);
  const jobs = await readJobs();
  expect(jobs.map(({ name, payload, key }) => ({ name, payload, key }))).toEqual(
    ids.map((id) => ({ name: 'bookings.booked', payload: { bookingId: id }, key: null })),
  );
});

test('keeps quotes, backslashes and line breaks in a payload', async () => {
  const email = {
    to: 'ana@test.example',
    subject: `It's "off"; \\ 50 %`,
    body: ['One\nTwo $1'],
  };
  await enqueue(db, 'notifications.send', email);
  await enqueueAll(db, 'notifications.send', [email, email]);
  await sql`select ${addJob('notifications.send', { ...email, to: sql<string>`'bo@test.example'` })}`.execute(
    db,
  );
  const payloads = (await readJobs()).map(({ payload }) => payload);
  expect(payloads).toEqual([email, email, email, { ...email, to: 'bo@test.example' }]);
});

test('adds no job when the transaction is rolled back', async () => {
  await db
    .transaction()
    .execute(async (tx) => {
      await enqueue(tx, 'account.cleanup', {});
      await enqueueAll(tx, 'bookings.booked', [{ bookingId }]);
      throw new Error('meant to fail');
    })
    .catch(() => {});
  expect(await readJobs()).toEqual([]);
});

test('writes the same row as graphile-worker, but sends no NOTIFY', async () => {
  const listener = await pool.connect();
  const notified: (string | undefined)[] = [];
  listener.on('notification', ({ channel, payload }) => notified.push(`${channel} ${payload}`));
  await listener.query('listen "jobs:insert"');
  const job = ['bookings.refund-requested', { refundId: 'first' }] as const;
  await enqueue(db, ...job);
  await enqueue(db, ...job, { key: 'refund', runAt: new Date(from) });
  await enqueue(db, ...job, { key: 'refund', keepsRunAt: true });
  await enqueueAll(db, 'bookings.booked', [{ bookingId }]);
  await sql`select ${addJobs('bookings.booked', { bookingId })} from generate_series(1, 2)`.execute(db);
  await pool.query(`notify "jobs:insert", 'end of the test'`);
  await expect.poll(() => notified.length).toBeGreaterThan(0);
  expect(notified).toEqual(['jobs:insert end of the test']);
  await listener.query('unlisten *');
  listener.release();

  const { rows } = await pool.query(`
    with ours as (select queue_job('account.cleanup', '{}')),
      theirs as (select graphile_worker.add_job('account.cleanup', '{}'))
    select from ours, theirs`);
  expect(rows).toHaveLength(1);
  const { rows: same } = await pool.query(`
    select distinct to_jsonb(job) - 'id' as job from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id where identifier = 'account.cleanup'`);
  expect(same).toHaveLength(1);
});

test('queues a job again while a worker runs the job with the same key', async () => {
  const job = ['bookings.refund-requested', { refundId: 'first' }] as const;
  await enqueue(db, ...job, { key: 'refund' });
  await pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'`);
  await enqueue(db, ...job, { key: 'refund' });
  expect(await readJobs()).toMatchObject([{ key: null }, { key: 'refund' }]);
});

test('reports queued jobs once they are committed, and none that are rolled back', async () => {
  const reported: JobName[] = [];
  const end = onJobsQueued((names) => void reported.push(...names));
  await db.transaction().execute(async (tx) => {
    await enqueue(tx, 'account.cleanup', {});
    await enqueueAll(tx, 'bookings.booked', [{ bookingId }]);
    expect(reported).toEqual([]);
  });
  expect(reported).toEqual(['account.cleanup', 'bookings.booked']);
  await db
    .transaction()
    .execute(async (tx) => {
      await enqueue(tx, 'account.cleanup', {});
      throw new Error('meant to fail');
    })
    .catch(() => {});
  await sql`select 1 from users`.execute(db);
  expect(reported).toHaveLength(2);
  await enqueue(db, 'auth.sessions-expired', {});
  expect(reported[2]).toBe('auth.sessions-expired');
  end();
});

test('replaces a waiting job with the same key, and keeps its run time if asked to', async () => {
  const job = ['bookings.refund-requested', { refundId: 'first' }] as const;
  await enqueue(db, ...job, { key: 'refund', runAt: new Date(from) });
  await enqueue(db, 'bookings.refund-requested', { refundId: 'second' }, { key: 'refund', keepsRunAt: true });
  expect(await readJobs()).toMatchObject([{ payload: { refundId: 'second' }, key: 'refund', run_at: from }]);
  await enqueue(db, 'bookings.refund-requested', { refundId: 'third' }, { key: 'refund' });
  const [replaced] = await readJobs();
  expect(replaced!.payload).toEqual({ refundId: 'third' });
  expect(Date.parse(replaced!.run_at)).toBeLessThan(Date.parse(from));
});

test('accepts a job only with its own payload and handler', () => {
  const cleanUp = { 'account.cleanup': async () => {} };
  const send = { 'notifications.send': async () => {} };
  // Compiled, not called: `npm run check` fails if the compiler accepts a line below `@ts-expect-error`.
  const refused = [
    // @ts-expect-error no such job
    () => enqueue(db, 'account.cleanupp', {}),
    // @ts-expect-error another job's payload
    () => enqueue(db, 'bookings.refund-requested', { bookingId }),
    // @ts-expect-error a field of the payload is missing
    () => addJob('bookings.refunded', { bookingId }),
    // @ts-expect-error SQL of another type
    () => addJob('bookings.refunded', { bookingId, refundCents: sql<string>`cents` }),
    // @ts-expect-error a job without its handler
    () => cleanUp satisfies JobHandlers<'account.cleanup' | 'notifications.send'>,
    // @ts-expect-error a handler that belongs to another runner
    () => ({ ...cleanUp, ...send }) satisfies JobHandlers<'account.cleanup'>,
    // @ts-expect-error a handler of another area
    () => send satisfies AreaHandlers<'account'>,
    // @ts-expect-error a handler for a job that does not exist
    () => startWorker(pool, { ...cleanUp, 'account.gone': async () => {} }, createLog('silent')),
    // @ts-expect-error a job with a payload cannot recur
    () => startWorker(pool, cleanUp, createLog('silent'), { recurring: { 'bookings.moved': '* * * * *' } }),
  ];
  expect(refused).toHaveLength(9);
});
