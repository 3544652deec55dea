import type pg from 'pg';
import type Stripe from 'stripe';
import { type JobName, type NotificationJobName, recurringJobs } from '#domain/jobs.ts';
import { personalDataJobs } from './account/jobs.ts';
import { authJobs } from './auth/jobs.ts';
import { queueSweep } from './bookings/booking/sweep-payments.ts';
import { bookingJobs, bookingNotificationJobs } from './bookings/jobs.ts';
import { catalogueJobs } from './catalogue/jobs.ts';
import { createChannels } from './notifications/channels.ts';
import { notificationJobs } from './notifications/jobs.ts';
import { paymentJobs } from './payments/jobs.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db/db.ts';
import { type JobHandlers, startWorker, type Worker } from './platform/jobs/start-worker.ts';
import type { Log } from './platform/log.ts';

/**
 * Starts running every area's jobs, schedules the recurring jobs and queues a payment sweep. Notifications have their
 * own runner, so that a slow mail server never delays jobs that move money or seats.
 */
export async function startJobs({
  config,
  db,
  pool,
  log,
  cards,
}: {
  config: Config;
  db: Database;
  pool: pg.Pool;
  log: Log;
  cards: Stripe;
}): Promise<Worker> {
  const channels = createChannels({ db, config });
  const notificationHandlers = {
    ...notificationJobs(channels),
    ...bookingNotificationJobs({ db, config, channels }),
  } satisfies JobHandlers<NotificationJobName>;
  const handlers = {
    ...authJobs({ db, config }),
    ...catalogueJobs({ db }),
    ...paymentJobs({ db, cards, log, config }),
    ...bookingJobs({ db, cards, log }),
    ...personalDataJobs({ db }),
  } satisfies JobHandlers<Exclude<JobName, NotificationJobName>>;
  const runners = await Promise.all([
    startWorker(pool, handlers, log, { recurring: recurringJobs }),
    startWorker(pool, notificationHandlers, log),
  ]);
  // The queued sweep may still be locked by a process that has just been killed. If so, cron queues another sweep
  // within a minute.
  await queueSweep(db, 0).catch((error: unknown) => {
    log.warn({ reason: String(error) }, 'payment sweep not queued at the start');
  });
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
