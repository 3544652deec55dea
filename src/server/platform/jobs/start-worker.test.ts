import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#server/test-support/test-app.test-support.ts';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';
import { openDatabase, openPool } from '../db/db.ts';
import { createLog } from '../log.ts';
import { packageRoot } from '../package-root.ts';
import { enqueue } from './enqueue.ts';
import { startWorker, unlockStaleJobs } from './start-worker.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let elsewhere: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  url.pathname = '/postgres';
  elsewhere = new pg.Client({ connectionString: url.href });
  await elsewhere.connect();
});
afterEach(async () => {
  await elsewhere.end();
  await database.drop();
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Makes the database close every connection and refuse new ones, or accept them again. */
async function setReachable(isReachable: boolean): Promise<void> {
  const name = nameOf(database.url);
  await elsewhere.query(`alter database ${name} allow_connections ${isReachable}`);
  if (!isReachable) {
    await elsewhere.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ]);
  }
}

test.each([
  ['done', async () => {}],
  [
    'failed',
    async () => {
      throw new Error('meant to fail');
    },
  ],
])('retries recording a job as %s until the database is back', async (_, end) => {
  const pool = openPool(database.url, { size: 4 });
  const db = openDatabase(pool);
  let isLost = false;
  let isBack = Promise.resolve();
  const done: string[] = [];
  const worker = await startWorker(
    pool,
    {
      'bookings.sweep': async () => {
        if (isLost) return;
        isLost = true;
        await setReachable(false);
        isBack = new Promise((resolve) => setTimeout(resolve, 300)).then(() => setReachable(true));
        await end();
      },
      'account.cleanup': async () => {
        done.push('next');
      },
    },
    createLog('silent'),
  );
  await enqueue(db, 'bookings.sweep', {});
  await eventually(async () => isLost);
  await isBack;
  await eventually(async () => {
    const locked = await db
      .selectFrom('graphile_worker.jobs' as never)
      .select('locked_at' as never)
      .where('locked_at' as never, 'is not', null)
      .execute()
      .catch(() => [{}]);
    return locked.length === 0;
  });
  await enqueue(db, 'account.cleanup', {});
  await eventually(async () => done.length > 0);
  await worker.stop();
  await db.destroy();
});

test('unlocks only the stale jobs of a runner whose other jobs may be running', async () => {
  const db = openDatabase(openPool(database.url, { size: 1 }));
  for (let index = 0; index < 2; index += 1) await enqueue(db, 'account.cleanup', {});
  // The runner never learnt that it had taken the first job, because its connection broke.
  await sql`update graphile_worker._private_jobs set locked_by = 'one runner', locked_at = now() - case
    when id = (select min(id) from graphile_worker._private_jobs) then interval '11 minutes' else interval '9 minutes' end`.execute(
    db,
  );
  await unlockStaleJobs(db);
  const { rows } = await sql`select locked_by from graphile_worker._private_jobs order by id`.execute(db);
  expect(rows).toEqual([{ lockedBy: null }, { lockedBy: 'one runner' }]);
  await db.destroy();
});

/** Queues a job in a transaction of another process, which is killed once it has learnt of the commit. */
async function queueInKilledProcess(): Promise<void> {
  const program = `
    import { openDatabase, openPool } from '#server/platform/db/db.ts';
    import { enqueue } from '#server/platform/jobs/enqueue.ts';
    const db = openDatabase(openPool(process.env.DATABASE_URL, { size: 1 }));
    await db.transaction().execute((tx) => enqueue(tx, 'account.cleanup', {}));
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    cwd: packageRoot,
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

test('runs the job of a process that was killed right after its commit', async () => {
  const pool = openPool(database.url, { size: 4 });
  let runs = 0;
  const handlers = {
    'account.cleanup': async () => {
      runs += 1;
    },
  };
  const worker = await startWorker(pool, handlers, createLog('silent'));
  await queueInKilledProcess();
  await eventually(async () => runs > 0);
  await worker.stop();
  const { rows } = await pool.query('select from graphile_worker.jobs');
  expect([runs, rows]).toEqual([1, []]);
  await pool.end();
});

test.each([
  ['one by one', {}],
  ['in batches', { batchSize: 4 }],
])('records the end of every running job before the worker stops, %s', async (_, options) => {
  const pool = openPool(database.url, { size: 2 });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const worker = await startWorker(
    pool,
    {
      'bookings.sweep': async () => {
        begun += 1;
        await held;
      },
    },
    createLog('silent'),
    options,
  );
  const queue = openPool(database.url, { size: 1 });
  for (let n = 0; n < 4; n += 1) await enqueue(openDatabase(queue), 'bookings.sweep', {});
  await eventually(async () => begun === 4);
  // Slows the database down, so that the statements are still running when the jobs have ended.
  await queue.query(`create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.1); return old; end $$;
    create trigger take_time before delete on graphile_worker._private_jobs
    for each row execute function take_time()`);
  const stopped = worker.stop();
  release();
  await stopped;
  await pool.end();
  const { rows } = await queue.query('select id from graphile_worker.jobs');
  expect(rows).toEqual([]);
  await queue.end();
});
