import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { renewListings } from './documents/hide-coaches.ts';
import { notifyOfHidings } from './documents/notify-of-hidings.ts';
import { remindOfEnds } from './documents/remind.ts';

/** Job handlers for checks and documents. */
export function verificationJobs({ db }: { db: Database }) {
  return {
    'verification.day-begun': async () => {
      await renewListings(db);
      await remindOfEnds(db);
    },
    'verification.hidings-due': () => notifyOfHidings(db),
  } satisfies AreaHandlers<'verification'>;
}
