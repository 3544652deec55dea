import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { inviteReviewers } from './invite-reviewers.ts';
import { remindOfCases } from './moderation/remind-of-cases.ts';
import { publishDueReviews } from './publish-reviews.ts';

export function reviewJobs({ db }: { db: Database }) {
  return {
    'reviews.invitations-due': () => inviteReviewers(db),
    'reviews.cases-due': () => remindOfCases(db),
    'reviews.publications-due': () => publishDueReviews(db),
  } satisfies AreaHandlers<'reviews'>;
}
