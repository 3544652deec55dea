import type pg from 'pg';
import type Stripe from 'stripe';
import { accountCron, accountJobs } from './accounts/jobs.ts';
import { bookingCron, bookingEmailJobs, bookingJobs } from './bookings/jobs.ts';
import { queueSweep } from './bookings/sweep-payments.ts';
import { catalogueCron, catalogueJobs } from './catalogue/jobs.ts';
import { paymentCron, paymentJobs } from './payments/jobs.ts';
import { cleanupCron, personalDataJobs } from './payouts/jobs.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db.ts';
import { type JobHandlers, startWorker, type Worker } from './platform/jobs.ts';
import type { Log } from './platform/log.ts';
import { mailJobs, openMailer } from './platform/mail.ts';
import { createCompleteEmail } from './settings/complete-email.ts';

/** When the recurring jobs of all areas run, as lines of graphile-worker's crontab (UTC); docs/operations.md lists them. */
export const crontab = [accountCron, catalogueCron, paymentCron, bookingCron, cleanupCron].join('\n');

/**
 * Starts working on every area's jobs and makes sure that the recurring ones are queued. Emails have a runner of their own:
 * however long a mail server takes, nothing that moves money or seats waits for it.
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
  const sendMail = openMailer(config.mail, { complete: createCompleteEmail(db) });
  const emailHandlers: JobHandlers = {
    ...mailJobs(sendMail),
    ...bookingEmailJobs({ db, config, sendMail }),
  };
  const handlers: JobHandlers = {
    ...accountJobs({ db, config }),
    ...catalogueJobs({ db }),
    ...paymentJobs({ db, cards, log, config }),
    ...bookingJobs({ db, cards, log }),
    ...personalDataJobs({ db }),
  };
  const runners = await Promise.all([
    startWorker(pool, handlers, log, { crontab }),
    startWorker(pool, emailHandlers, log),
  ]);
  // A process that was killed a moment ago may still hold the queued sweep; cron queues another within a minute.
  await queueSweep(db, 0).catch((error: unknown) => {
    log.warn({ reason: String(error) }, 'payment sweep not queued at the start');
  });
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
