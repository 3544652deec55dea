import { sql } from 'kysely';
import type { Database } from '../db/db.ts';

/** A job that used up its attempts. `failedAt` is an instant, `jobId` a number as text. */
export type FailedJob = { jobId: string; name: string; error: string | null; failedAt: string };

/** Failed jobs, oldest first, at most 200. */
export async function listFailedJobs(db: Database): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id::text as job_id, task_identifier as name, last_error as error, updated_at as failed_at
    from graphile_worker.jobs where attempts >= max_attempts and locked_at is null
    order by id limit 200`.execute(db);
  return rows;
}

/** Resets the attempts of these failed jobs, so that they run again; ignores other ids. Returns how many were reset. */
export const retryFailedJobs = (db: Database, jobIds: string[]) =>
  change(db, jobIds, sql`graphile_worker.reschedule_jobs(failed.ids, run_at => now(), attempts => 0)`);

/** Deletes these failed jobs without running them again. Returns how many were deleted. */
export const deleteFailedJobs = (db: Database, jobIds: string[]) =>
  change(db, jobIds, sql`graphile_worker.complete_jobs(failed.ids)`);

async function change(db: Database, jobIds: string[], call: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql`
    with failed as (
      select coalesce(array_agg(id), '{}') as ids from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and id::text = any(${jobIds}::text[]))
    select changed.id from failed, lateral ${call} changed`.execute(db);
  return rows.length;
}
