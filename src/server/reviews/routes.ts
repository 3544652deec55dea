import type Stripe from 'stripe';
import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { getReview, listPublicReviews, listReviews } from './list-reviews.ts';
import { appealReview, getDecision } from './moderation/appeal-review.ts';
import { decideCase } from './moderation/decide-case.ts';
import { getCase, listCases } from './moderation/list-cases.ts';
import { reportReview } from './moderation/report-review.ts';
import { replyToReview } from './reply-to-review.ts';
import { claimAttendance } from './writing/claim-attendance.ts';
import { getOwnReview, listOwnReviews } from './writing/own-reviews.ts';
import { saveReview, withdrawReview } from './writing/save-review.ts';

/** The endpoints of reviews: for everyone, authors, coaches and admins. */
export function reviewRoutes({ db, cards }: { db: Database; cards: Stripe }): Route[] {
  return [
    route(reviewsApi.list, (input) => listPublicReviews(db, input)),
    route(reviewsApi.get, ({ reviewId }) => getReview(db, reviewId)),
    route(reviewsApi.report, async (input, reporter, { ipAddress }) => {
      await reportReview(db, reporter, { ...input, ipAddress });
      return {};
    }),
    route(reviewsApi.getOwn, ({ bookingId }, { userId }) => getOwnReview(db, userId, bookingId)),
    route(reviewsApi.save, async (input, author) => ({
      review: await saveReview({ db, cards }, author, input),
    })),
    route(reviewsApi.withdraw, async ({ bookingId }, author) => {
      await withdrawReview(db, author, bookingId);
      return {};
    }),
    route(reviewsApi.listOwn, (_, { userId }) => listOwnReviews(db, userId)),
    route(reviewsApi.claimAttendance, async (input, customer) => {
      await claimAttendance(db, customer, input);
      return {};
    }),
    route(reviewsApi.getDecision, ({ reviewId }, { userId }) => getDecision(db, userId, reviewId)),
    route(reviewsApi.appeal, async (input, person) => {
      await appealReview(db, person, input);
      return {};
    }),
    route(coachReviewsApi.listAboutMe, (input, { userId }) => listReviews(db, { ...input, coachId: userId })),
    route(coachReviewsApi.reply, async (input, coach) => ({ review: await replyToReview(db, coach, input) })),
    route(moderationApi.listCases, (input) => listCases(db, input)),
    route(moderationApi.getCase, ({ caseId }, admin) => getCase(db, admin, caseId)),
    route(moderationApi.decideCase, async (input, admin) => {
      await decideCase(db, admin, input);
      return {};
    }),
  ];
}
