import type pg from 'pg';
import type Stripe from 'stripe';
import { cleanupCron, personalDataJobs } from './account/jobs.ts';
import { authCron, authJobs } from './auth/jobs.ts';
import { queueSweep } from './bookings/booking/sweep-payments.ts';
import { bookingCron, bookingEmailJobs, bookingJobs } from './bookings/jobs.ts';
import { catalogueCron, catalogueJobs } from './catalogue/jobs.ts';
import { createCompleteEmail } from './notifications/complete-email.ts';
import { paymentCron, paymentJobs } from './payments/jobs.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db/db.ts';
import { createMailer, emailJobs } from './platform/email.ts';
import { type JobHandlers, startWorker, type Worker } from './platform/jobs/jobs.ts';
import type { Log } from './platform/log.ts';

/**
 * When the recurring jobs of all areas run, as lines of graphile-worker's crontab (UTC); docs/operations.md lists
 * them.
 */
export const crontab = [authCron, catalogueCron, paymentCron, bookingCron, cleanupCron].join('\n');

/**
 * Starts working on every area's jobs and queues the recurring ones. Emails have their own runner: however long a
 * mail server takes, nothing that moves money or seats waits for it.
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
  const sendMail = createMailer(config.email, { complete: createCompleteEmail(db) });
  const emailHandlers: JobHandlers = {
    ...emailJobs(sendMail),
    ...bookingEmailJobs({ db, config, sendMail }),
  };
  const handlers: JobHandlers = {
    ...authJobs({ db, config }),
    ...catalogueJobs({ db }),
    ...paymentJobs({ db, cards, log, config }),
    ...bookingJobs({ db, cards, log }),
    ...personalDataJobs({ db }),
  };
  const runners = await Promise.all([
    startWorker(pool, handlers, log, { crontab }),
    startWorker(pool, emailHandlers, log),
  ]);
  await queueSweep(db, 0);
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
