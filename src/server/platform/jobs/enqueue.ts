import { type RawBuilder, sql } from 'kysely';
import type { JobName, JobPayloads } from '#domain/jobs.ts';
import type { Database, Tx } from '../db/db.ts';

/** SQL for a value of this type. */
type Sql<T = unknown> = RawBuilder<T>;

/** A payload whose fields are values or SQL. */
type SqlPayload<K extends JobName> = {
  [Field in keyof JobPayloads[K]]: JobPayloads[K][Field] | Sql<JobPayloads[K][Field]>;
};

type JobOptions = {
  /** When to run the job; immediately if omitted. */
  runAt?: Date;
  /** The job replaces a waiting job with the same key. */
  key?: string;
  /** If true, a waiting job with the same key keeps its run time. */
  keepsRunAt?: boolean;
};

/** Adds a job. Inside a transaction, the job is added only if the transaction commits. */
export async function enqueue<K extends JobName>(
  db: Database | Tx,
  name: K,
  payload: JobPayloads[K],
  options: JobOptions = {},
): Promise<void> {
  await sql`select 1 from ${queueJob(name, toJson(payload), options)}`.execute(db);
}

/** Adds a job for each payload, in one statement. */
export async function enqueueAll<K extends JobName>(
  db: Database | Tx,
  name: K,
  payloads: JobPayloads[K][],
): Promise<void> {
  await sql`select ${queueJob(name, sql`payload`)} from json_array_elements(${toJson(payloads)}) payload`.execute(
    db,
  );
}

/**
 * SQL that adds a job for every row of the `select` around it, so that a statement that writes ledger entries queues
 * its follow-up job without another round trip. A field of the payload is a value, or typed SQL such as
 * sql<string>`booking_id`. PostgreSQL does not run a `select` in a CTE whose rows are never read.
 */
export function addJob<K extends JobName>(name: K, payload: SqlPayload<K>, options?: JobOptions): Sql {
  return queueJob(name, buildPayload(payload), options);
}

/** SQL aggregate that adds a job for every row of the `select` around it and returns the number of jobs. */
export const addJobs = <K extends JobName>(name: K, payload: SqlPayload<K>): Sql<number> =>
  sql`count(${queueJob(name, buildPayload(payload))})::integer`;

const buildPayload = (payload: object) => {
  const fields = Object.entries(payload).map(
    ([field, value]) => sql`${sql.lit(field)}, ${isSql(value) ? value : toJson(value)}`,
  );
  return sql`json_build_object(${sql.join(fields)})`;
};

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'toOperationNode' in value;

const toJson = (value: unknown) => sql`${JSON.stringify(value)}::json`;

/**
 * SQL call of `queue_job` (migrations/0036_queue_job.sql), which adds a job without a NOTIFY. The name is a literal, so
 * that the connection knows which runner to start once the statement is committed.
 */
function queueJob(name: JobName, payload: Sql, { runAt, key, keepsRunAt }: JobOptions = {}): Sql {
  const options = [
    runAt && sql`job_run_at => ${runAt}::timestamptz`,
    key && sql`job_key => ${key}`,
    keepsRunAt && sql`keeps_run_at => true`,
  ].filter((option) => typeof option === 'object');
  return sql`queue_job(${sql.join([sql.lit(name), payload, ...options])})`;
}
