-- Adds a job like graphile_worker.add_job, but without its NOTIFY: at commit, PostgreSQL takes a lock on the whole
-- database for a NOTIFY, so transactions that book seats would commit one after the other. The process that added the
-- job looks for it after the commit (src/server/platform/jobs/queued-jobs.ts); other processes look every second. The
-- tables are created after the first run of this file, by the version of graphile-worker that package.json names.
create or replace function queue_job(
  job_name text, job_payload json, job_run_at timestamptz default null, job_key text default null,
  keeps_run_at boolean default false
) returns void language plpgsql as $$
declare
  task integer;
begin
  select id into task from graphile_worker._private_tasks where identifier = job_name;
  if not found then
    insert into graphile_worker._private_tasks (identifier) values (job_name) on conflict do nothing;
    select id into strict task from graphile_worker._private_tasks where identifier = job_name;
  end if;
  if job_key is null then
    insert into graphile_worker._private_jobs (task_id, payload, run_at)
    values (task, job_payload, coalesce(job_run_at, now()));
    return;
  end if;
  loop
    -- A job that runs already, or has used up its attempts, gives its key up: it read an older state.
    update graphile_worker._private_jobs set key = null, attempts = max_attempts, updated_at = now()
    where key = job_key and not is_available;
    insert into graphile_worker._private_jobs as waiting (task_id, payload, run_at, key)
    values (task, job_payload, coalesce(job_run_at, now()), job_key)
    on conflict (key) do update set
      task_id = excluded.task_id,
      payload = excluded.payload,
      run_at = case when keeps_run_at and waiting.attempts = 0 then waiting.run_at else excluded.run_at end,
      revision = waiting.revision + 1,
      attempts = 0,
      last_error = null,
      updated_at = now()
    where waiting.locked_at is null;
    -- Otherwise a worker took the waiting job between the two statements.
    exit when found;
  end loop;
end
$$;
