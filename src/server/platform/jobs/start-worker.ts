import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Job,
  Logger,
  makeWorkerUtils,
  parseCronItems,
  run,
  type TaskList,
  type WorkerPool,
} from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import type { JobName, JobPayloads, RecurringJobs } from '#domain/jobs.ts';
import { connectingTo } from '../db/database-hosts.ts';
import type { Database } from '../db/db.ts';
import { type Log, redactAddresses } from '../log.ts';
import { onJobsQueued } from './queued-jobs.ts';

/**
 * Handlers for all jobs, or for exactly the jobs named `K`. A handler may run twice for one job and must be idempotent.
 * src/server/worker.ts combines the handlers of all areas.
 */
export type JobHandlers<K extends JobName = JobName> = {
  [Name in K]: (payload: JobPayloads[Name]) => Promise<void>;
} & { [Name in Exclude<JobName, K>]?: never };

/** The handlers that an area's jobs.ts may declare: those for jobs whose names begin with the area's name. */
export type AreaHandlers<Area extends string> = Partial<
  Pick<JobHandlers, Extract<JobName, `${Area}.${string}`>>
>;

/**
 * Unlocks the jobs of killed processes, which would otherwise wait four hours. No job runs for more than ten minutes,
 * so an older lock is stale. Unlocks these jobs only: a runner locks all of its jobs under one name, and its other jobs
 * may be running.
 */
export async function unlockStaleJobs(db: Database): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null
    where locked_at < now() - interval '10 minutes'`.execute(db);
}

/** Creates or updates the job queue's own tables. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const { options, Client } = connectingTo(databaseUrl);
  const pool = new pg.Pool({ ...options, Client, max: 2 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool: pool, logger: silent });
  try {
    await utils.migrate();
  } finally {
    await utils.release();
    await pool.end();
  }
}

const silent = new Logger(() => () => {});

/** Takes jobs off the queue and runs them. `stop` resolves after running jobs have finished and been recorded. */
export type Worker = { stop: () => Promise<void> };

/**
 * How long a runner waits after jobs have been queued in this process, so that a burst starts it once, in milliseconds.
 */
const gatherMs = 20;
/** How often a runner looks for jobs of other processes, due jobs and jobs of killed processes, in milliseconds. */
const pollMs = 1_000;

/**
 * Starts the worker and keeps it running through database failures. If several processes run, each of the `recurring`
 * jobs is still queued only once. With `batchSize`, one statement takes up to that many jobs off the queue, and one
 * records them as done; a killed process may then leave up to `batchSize` more jobs locked for ten minutes.
 */
export async function startWorker<Handlers extends Partial<JobHandlers>>(
  pool: pg.Pool,
  handlers: Handlers & Record<Exclude<keyof Handlers, JobName>, never>,
  log: Log,
  {
    concurrency = 4,
    batchSize,
    recurring = {},
  }: { concurrency?: number; batchSize?: number; recurring?: RecurringJobs } = {},
): Promise<Worker> {
  const taskList: TaskList = {};
  for (const [name, handle] of Object.entries(handlers)) {
    taskList[name] = (payload) => handle(payload as never).catch(rethrowWithoutAddresses);
  }
  const logger = new Logger(() => (level, message, meta) => {
    // Logs nothing else about a job: payloads contain whole emails, with links that give access to accounts.
    const job = meta?.job as Job | undefined;
    if (level === 'error') log.error({ jobId: job?.id, task: job?.task_identifier }, message);
    else if (level === 'warning') log.warn(message);
  });
  const { retryingPool, settle } = keepTrying(pool);
  const events = new EventEmitter();
  const ended = startWhenQueued(events, taskList);
  const runner = await run({
    pgPool: retryingPool,
    taskList,
    concurrency,
    events,
    ...(batchSize && {
      preset: { worker: { localQueue: { size: batchSize }, completeJobBatchDelay: gatherMs } },
    }),
    parsedCronItems: parseCronItems(Object.entries(recurring).map(([task, match]) => ({ task, match }))),
    pollInterval: pollMs,
    noHandleSignals: true,
    logger,
  });
  return {
    stop: async () => {
      ended();
      settle.begin();
      await runner.stop();
      await settle.end();
    },
  };
}

/**
 * Makes a runner look for jobs shortly after jobs of its own have been queued in this process; returns a function that
 * stops this.
 */
function startWhenQueued(events: EventEmitter, taskList: TaskList): () => void {
  let workers: WorkerPool | undefined;
  let timer: NodeJS.Timeout | undefined;
  let queued = 0;
  events.once('pool:create', (created: { workerPool: WorkerPool }) => {
    workers = created.workerPool;
  });
  const forget = onJobsQueued((names) => {
    const own = names.filter((name) => name in taskList).length;
    if (own === 0) return;
    queued += own;
    timer ??= setTimeout(() => {
      timer = undefined;
      workers?.nudge(queued);
      queued = 0;
    }, gatherMs);
  });
  const end = () => {
    forget();
    clearTimeout(timer);
  };
  events.once('pool:gracefulShutdown', end);
  return end;
}

/**
 * Rethrows an error without email addresses. The library writes an error's message and stack into the log and the
 * message into the job's row; both outlive an account, so they must not contain personal data.
 */
function rethrowWithoutAddresses(error: unknown): never {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  throw Object.assign(new Error(redactAddresses(message)), { stack: redactAddresses(stack ?? '') });
}

const againInMs = 1_000;
/** How many times a stopping worker tries to record a finished job while the database is down. */
const triesWhileStopping = 10;

/**
 * Wraps a pool for the library, and retries its statements on another connection until the database is back. Otherwise
 * the library would end the whole process when it can't record how a job ended. When the library stops, it does not
 * wait for these statements. A job without a recorded end runs again, which would send an email twice, so `settle.end`
 * waits for the statements.
 */
function keepTrying(pool: pg.Pool) {
  const underWay = new Set<Promise<unknown>>();
  let isStopping = false;
  const tryOn = async (statement: [never]): Promise<unknown> => {
    let triesLeft = triesWhileStopping;
    for (;;) {
      try {
        return await pool.query(...statement);
      } catch (error) {
        if (isStopping) triesLeft -= 1;
        if (triesLeft === 0) return { rows: [], rowCount: 0 };
        if (isMistake(error)) throw error;
        await delay(againInMs);
      }
    }
  };
  const query = (...statement: [never]): Promise<unknown> => {
    const ended = tryOn(statement);
    const entry = ended.catch(() => {}).finally(() => underWay.delete(entry));
    underWay.add(entry);
    return ended;
  };
  // The library passes a callback only for the connection that listens for new jobs, which it reopens itself.
  const connect = (callback?: never) =>
    callback ? pool.connect(callback) : Promise.resolve({ query, release: () => {} });
  const retryingPool = new Proxy(pool, {
    get: (target, name) => {
      if (name === 'query') return query;
      if (name === 'connect') return connect;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const settle = {
    begin: () => {
      isStopping = true;
    },
    end: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
  return { retryingPool, settle };
}

/** True for an invalid statement or a violated constraint (classes 22, 23 and 42), which will not succeed later. */
const isMistake = (error: unknown) => /^(22|23|42)/.test((error as { code?: string }).code ?? '');
