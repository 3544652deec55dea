import pg from 'pg';
import { afterEach, beforeEach, test } from 'vitest';
import { eventually } from '#server/test-app.test-support.ts';
import { openDatabase, openPool } from './db.ts';
import { enqueue, startWorker } from './jobs.ts';
import { createLog } from './log.ts';
import { createTestDatabase } from './test-database.test-support.ts';

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

/** The database ends every connection and takes no new one, or takes them again. */
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
])(
  '[PAY-5] a worker that cannot write down that a job is %s tries until the database is back',
  async (_, end) => {
    const pool = openPool(database.url, { size: 4, acquireTimeoutMs: 1_000 });
    const db = openDatabase(pool);
    let isLost = false;
    let isBack = Promise.resolve();
    const done: string[] = [];
    const worker = await startWorker(
      pool,
      {
        'test.lost': async () => {
          if (isLost) return;
          isLost = true;
          await setReachable(false);
          isBack = new Promise((resolve) => setTimeout(resolve, 300)).then(() => setReachable(true));
          await end();
        },
        'test.next': async () => {
          done.push('next');
        },
      },
      createLog('silent'),
    );
    await enqueue(db, 'test.lost', {});
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
    await enqueue(db, 'test.next', {});
    await eventually(async () => done.length > 0);
    await worker.stop();
    await db.destroy();
  },
);
