import type pg from 'pg';
import type Stripe from 'stripe';
import { type JobName, type NotificationJobName, recurringJobs, type StorageJobName } from '#domain/jobs.ts';
import { personalDataJobs } from './account/jobs.ts';
import { authJobs } from './auth/jobs.ts';
import { queuedAnnouncements } from './bookings/announcements/check-announcements.ts';
import { queuedBookingMessages } from './bookings/calendars/renew-queued.ts';
import { bookingJobs, bookingNotificationJobs } from './bookings/jobs.ts';
import { notifyUnreached } from './bookings/notify-unreached.ts';
import { queueSweep } from './bookings/payment/sweep-payments.ts';
import { findLesson, reminderComposers } from './bookings/reminders/compose-reminders.ts';
import { catalogueJobs } from './catalogue/jobs.ts';
import { createChannels } from './notifications/channels.ts';
import { notificationJobs } from './notifications/jobs.ts';
import { paymentJobs } from './payments/jobs.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db/db.ts';
import { type JobHandlers, startWorker, type Worker } from './platform/jobs/start-worker.ts';
import type { Log } from './platform/log.ts';
import { progressNotificationJobs } from './progress/jobs.ts';
import { reviewJobs } from './reviews/jobs.ts';
import { storageJobs } from './storage/jobs.ts';
import type { Storage } from './storage/storage.ts';
import { verificationJobs } from './verification/jobs.ts';

/** A pool, and the database handle that uses it. */
type JobConnections = { pool: pg.Pool; db: Database };

/**
 * Starts running every area's jobs, schedules the recurring jobs and queues a payment sweep. Notifications have their
 * own runner and connections, so that a slow mail server never delays jobs that move money or seats. Jobs that delete
 * stored files have a third runner, because S3 may be slow.
 */
export async function startJobs({
  config,
  db,
  pool,
  notifications,
  log,
  cards,
  storage,
}: JobConnections & {
  config: Config;
  notifications: JobConnections;
  log: Log;
  cards: Stripe;
  storage: Storage;
}): Promise<Worker> {
  const notificationHandlers = handleNotifications(notifications.db, config);
  const handlers = {
    ...authJobs(db),
    ...catalogueJobs({ db }),
    ...verificationJobs({ db }),
    ...paymentJobs({ db, cards, log }),
    ...bookingJobs({ db, cards, log }),
    ...reviewJobs({ db }),
    ...personalDataJobs({ db }),
  } satisfies JobHandlers<Exclude<JobName, NotificationJobName | StorageJobName>>;
  const storageHandlers = storageJobs({ db, storage, log }) satisfies JobHandlers<StorageJobName>;
  const runners = await Promise.all([
    startWorker(pool, handlers, log, { recurring: recurringJobs }),
    startWorker(notifications.pool, notificationHandlers, log, { batchSize: 8 }),
    startWorker(pool, storageHandlers, log, { concurrency: 1 }),
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

function handleNotifications(db: Database, config: Config) {
  const channels = createChannels({ db, config });
  return {
    ...notificationJobs({
      db,
      channels,
      composers: {
        ...reminderComposers(db),
        ...queuedBookingMessages({ db, config }),
        ...queuedAnnouncements(db),
      },
      findLesson: (notification) => findLesson(db, notification),
      onUnreached: (unreached) => notifyUnreached(db, unreached),
    }),
    ...bookingNotificationJobs({ db, config, channels }),
    ...progressNotificationJobs({ db }),
  } satisfies JobHandlers<NotificationJobName>;
}
