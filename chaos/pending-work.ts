import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { bookingNotificationJobs } from '#server/bookings/jobs.ts';
import { notificationJobs } from '#server/notifications/jobs.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { LoadStage } from './stage.ts';

/** Work that is still pending after this many milliseconds is assumed to wait for its due time. */
const idleMs = 2_500;
/**
 * A job that has been locked for more than this many milliseconds is assumed to belong to a killed process.
 */
const lockMs = 5_000;

type PendingWork = { payments: number; refunds: number; events: number; jobs: number };

const emailJobs = Object.keys({
  ...notificationJobs({} as Parameters<typeof notificationJobs>[0]),
  ...bookingNotificationJobs({} as Parameters<typeof bookingNotificationJobs>[0]),
});

/**
 * Waits until no work is pending (with `isWithoutEmails`, apart from emails). Work that waits for its due time (holds,
 * rechecks, jobs of killed processes) is made due; emails only after they have been locked for `emailLockMs`. Returns
 * what is still pending after `timeoutMs`, or null.
 */
export async function waitUntilIdle(
  stage: LoadStage,
  { isWithoutEmails = false, timeoutMs = 60_000, emailLockMs = lockMs } = {},
): Promise<PendingWork | null> {
  const deadline = Date.now() + timeoutMs;
  let idleUntil = Date.now() + idleMs / 2;
  for (;;) {
    const pending = await readPendingWork(stage.db(), isWithoutEmails ? emailJobs : []);
    if (Object.values(pending).every((count) => count === 0)) return null;
    if (Date.now() > deadline) return pending;
    if (Date.now() > idleUntil) {
      await advanceTime(stage.db(), emailLockMs);
      idleUntil = Date.now() + idleMs;
    }
    await delay(100);
  }
}

async function readPendingWork(db: Database, ignored: string[]): Promise<PendingWork> {
  const { rows } = await sql<PendingWork>`
    select (select count(*) from payments where status in ('processing', 'requires_action')) as payments,
      (select count(*) from refunds where status = 'pending') as refunds,
      (select count(*) from webhook_events where handled_at is null) as events,
      (select count(*) from graphile_worker.jobs
        where task_identifier <> 'bookings.sweep' and task_identifier !~ '^(auth|catalogue)'
          and task_identifier <> all (${ignored}) and attempts < max_attempts) as jobs`.execute(db);
  return rows[0]!;
}

/**
 * Advances time by 16 minutes for all waiting work, because neither a hold nor the lock of a killed process's job lasts
 * that long. Locks younger than 5 s are kept: a sweep that is unlocked before its first statement would be deleted
 * together with the next sweep, which it queues. Locks of emails are kept for `emailLockMs`.
 */
async function advanceTime(db: Database, emailLockMs: number): Promise<void> {
  await sql`
    with payment as (
      update payments set created_at = created_at - interval '16 minutes', check_at = check_at - interval '16 minutes'
      where status in ('processing', 'requires_action') or (status = 'failed' and stripe_payment_intent_id is null)
    ), booking as (
      update bookings set hold_expires_at = hold_expires_at - interval '16 minutes' where status in ('pending', 'released')
    ), refund as (
      update refunds
      set check_at = check_at - interval '16 minutes', refused_at = refused_at - interval '16 minutes'
      where status = 'pending'
    ), event as (
      update webhook_events set received_at = received_at - interval '16 minutes' where handled_at is null
    )
    update graphile_worker._private_jobs job
    set run_at = run_at - interval '16 minutes',
      locked_at = locked_at - interval '16 minutes' * (locked_at < now() - interval '1 millisecond' * case
        when task.identifier = any (${emailJobs}) then ${emailLockMs}::integer else ${lockMs} end)::int
    from graphile_worker._private_tasks task
    where task.id = job.task_id`.execute(db);
}

/** The unfinished refunds and the waiting sweeps as JSON, to explain why a schedule did not finish. */
export async function describeUnfinished(db: Database): Promise<string> {
  const { rows } = await sql<{ unfinished: string }>`
    select json_build_object(
      'now', now(),
      'sweptAt', (select swept_at from health),
      'refunds', (select json_agg(refunds) from refunds where status = 'pending'),
      'sweeps', (select json_agg(job) from (
        select id, key, attempts, run_at, locked_at, locked_by, last_error from graphile_worker.jobs
        where task_identifier = 'bookings.sweep') job)
    )::text as unfinished`.execute(db);
  return rows[0]!.unfinished;
}
