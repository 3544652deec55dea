import {
  type CronItem,
  Logger,
  makeWorkerUtils,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
} from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Tx } from './db.ts';
import type { Log } from './log.ts';

/** Handlers by job name (`{area}.{past-tense}` or `{area}.{act}`). A handler may run twice: it must not mind. */
export type JobHandlers = Record<string, (payload: never) => Promise<void>>;

/**
 * Adds a job; given a transaction it exists only if that commits. `runAt` is an instant; jobs of the same
 * `key` replace each other while they wait.
 */
export async function enqueue(
  db: Database | Tx,
  name: string,
  payload: Record<string, unknown>,
  { runAt, key }: { runAt?: Date; key?: string } = {},
): Promise<void> {
  await sql`select 1 from graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    run_at => ${runAt ?? null}::timestamptz, job_key => ${key ?? null}::text)`.execute(db);
}

/**
 * Gives back the jobs of processes that were killed; without it they wait for four hours. No job of ours runs
 * for more than ten minutes, so one that is held for longer has lost its process.
 */
export async function reviveJobs(db: Database): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker.jobs where locked_at < now() - interval '10 minutes'
    having count(*) > 0`.execute(db);
}

/** Creates or updates the job queue's own tables. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger: silent });
  try {
    await utils.migrate();
  } finally {
    await utils.release();
  }
}

const silent = new Logger(() => () => {});

/**
 * Starts working on jobs; `stop()` of the result lets running ones end. `crontab` holds graphile-worker's lines
 * (UTC) for jobs that come again and again; whichever of several processes is first queues each.
 */
export function startWorker(
  pool: pg.Pool,
  handlers: JobHandlers,
  log: Log,
  { concurrency = 4, crontab = '' } = {},
): Promise<Runner> {
  const taskList: TaskList = {};
  for (const [name, handle] of Object.entries(handlers)) {
    taskList[name] = async (payload) => handle(payload as never);
  }
  const logger = new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ meta }, message);
    else if (level === 'warning') log.warn(message);
  });
  return run({
    pgPool: pool,
    taskList,
    concurrency,
    parsedCronItems: parseCronItems(readCrontab(crontab)),
    pollInterval: 1_000,
    noHandleSignals: true,
    logger,
  });
}

// The library's own reader of crontab lines refuses names with a dot, which is how ours are written.
function readCrontab(crontab: string): CronItem[] {
  return crontab
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length === 6)
    .map((fields) => ({ match: fields.slice(0, 5).join(' '), task: fields[5]! }));
}
