import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { renewListings } from './documents/hide-coaches.ts';
import { notifyOfHiddenLessons } from './documents/notify-of-hidden-lessons.ts';
import { remindOfEnds } from './documents/remind.ts';

/** Job handlers for checks and documents. */
export function verificationJobs({ db }: { db: Database }) {
  return {
    'verification.day-begun': async () => {
      await renewListings(db);
      await remindOfEnds(db);
    },
    'verification.hidings-due': () => notifyOfHiddenLessons(db),
  } satisfies AreaHandlers<'verification'>;
}
