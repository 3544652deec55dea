import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { Gauge } from '#server/platform/metrics.ts';

const meanings = {
  app_held_seats: 'Seats that are held while their payment is in progress.',
  app_unsettled_payments: 'Payments whose outcome is not known yet.',
  app_unsettled_payment_age_seconds: 'Age of the oldest payment whose outcome is not known yet.',
  app_pending_refunds: 'Refunds that Stripe has not confirmed.',
  app_pending_refund_age_seconds: 'Age of the oldest refund that Stripe has not confirmed.',
  app_failed_refunds: 'Failed refunds that an admin has to retry or settle.',
  app_unhandled_webhooks: 'Stripe events of the last three days that have not been handled.',
  app_webhook_age_seconds: 'Age of the oldest unhandled Stripe event of the last three days.',
  app_waiting_jobs: 'Jobs that are due, or have failed and will be retried.',
  app_job_age_seconds: 'How long the oldest due or failed job has been waiting.',
  app_failed_jobs: 'Jobs that have failed and have no attempts left.',
  app_payment_sweep_age_seconds: 'Time since the last payment sweep ended.',
};

/** Unfinished work in the database, for the operator's alerts. Ages are in seconds. */
export async function readBacklog(db: Database): Promise<Gauge[]> {
  const { rows } = await sql<{ name: keyof typeof meanings; value: number }>`
    with unsettled as (
      select count(*) as number, coalesce(sum(held.seats), 0) as holding, min(payment.created_at) as oldest
      from payments payment
      cross join lateral (
        select count(*) as seats from payment_lines line join bookings booking using (booking_id)
        where line.payment_id = payment.payment_id and booking.status = 'pending'
      ) held
      where payment.status in ('processing', 'requires_action')
    ), refund as (
      select count(*) as number, min(created_at) as oldest from refunds where status = 'pending'
    ), webhook as (
      select count(*) as number, min(received_at) as oldest from webhook_events
      where handled_at is null and received_at > now() - interval '3 days'
    ), job as (
      select count(*) filter (where is_waiting) as number,
        min(case when attempts > 0 then least(created_at, run_at) else run_at end) filter (where is_waiting) as oldest,
        count(*) filter (where attempts >= max_attempts) as failed
      from graphile_worker.jobs, lateral (
        select attempts < max_attempts and (attempts > 0 or run_at <= now()) as is_waiting) state
      where locked_at is null
    )
    select figure.name, coalesce(figure.value, 0)::float8 as value
    from unsettled, refund, webhook, job, lateral (values
      ('app_held_seats', unsettled.holding::numeric),
      ('app_unsettled_payments', unsettled.number),
      ('app_unsettled_payment_age_seconds', extract(epoch from now() - unsettled.oldest)),
      ('app_pending_refunds', refund.number),
      ('app_pending_refund_age_seconds', extract(epoch from now() - refund.oldest)),
      ('app_failed_refunds', (select count(*) from refunds where status = 'failed')),
      ('app_unhandled_webhooks', webhook.number),
      ('app_webhook_age_seconds', extract(epoch from now() - webhook.oldest)),
      ('app_waiting_jobs', job.number),
      ('app_job_age_seconds', extract(epoch from now() - job.oldest)),
      ('app_failed_jobs', job.failed),
      ('app_payment_sweep_age_seconds',
        (select extract(epoch from now() - swept_at) from health))) figure (name, value)`.execute(db);
  return rows.map(({ name, value }) => ({ name, help: meanings[name], value }));
}
