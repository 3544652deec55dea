import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, lessonTitle, nextCursor, pageFields, personName } from '../fields.ts';
import {
  coachRating,
  enteredRating,
  enteredText,
  ownReview,
  removalReason,
  review,
  statement,
} from './review.ts';

const reviewId = z.uuid().describe('The review.');
const bookingId = z.uuid().describe("A booking of one of the coach's lessons.");
const about = z
  .enum(['review', 'reply'], 'Choose the review or the reply.')
  .describe('The review or its reply.');

export const reviewedLesson = z
  .object({
    bookingId: z.uuid(),
    coachId: z.uuid(),
    coachName: personName,
    title: lessonTitle,
    startTime: instant,
    endTime: instant,
  })
  .meta({ id: 'ReviewedLesson', description: 'A lesson, and the coach whom its customer reviews.' });
export type ReviewedLesson = z.output<typeof reviewedLesson>;

/** Endpoints for reading and reporting reviews, and for writing one's own. */
export const reviewsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/coaches/:coachId/reviews',
    operationId: 'list_reviews',
    gate: 'public',
    summary: "List a coach's reviews",
    description: "A coach's rating and published reviews, newest first.",
    refusals: ['not_found'],
    input: z.object({ coachId: z.uuid().describe('The coach.'), ...pageFields({ size: 10, max: 50 }) }),
    output: z.object({ rating: coachRating, reviews: z.array(review), nextCursor }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/reviews/:reviewId',
    operationId: 'get_review',
    gate: 'public',
    summary: 'Get a published review',
    description: 'One published review with the name of its coach.',
    refusals: ['not_found'],
    input: z.object({ reviewId }),
    output: z.object({ review, coachId: z.uuid(), coachName: personName }),
  }),
  report: endpoint({
    method: 'POST',
    path: '/api/reviews/:reviewId/reports',
    operationId: 'report_review',
    gate: 'public',
    summary: 'Report a review',
    description:
      'Asks the admins to check a published review or its reply. A second report by the same person changes nothing.',
    refusals: ['not_found', 'too_many_requests'],
    input: z.object({
      reviewId,
      about,
      reason: removalReason.describe('Why the review or reply should be removed.'),
      statement,
    }),
    output: z.object({}),
  }),
  getOwn: endpoint({
    method: 'GET',
    path: '/api/bookings/:bookingId/review',
    operationId: 'get_own_review',
    gate: 'signedIn',
    summary: 'Get my review of a lesson',
    description: "The caller's review of the lesson's coach, and whether it can be written or edited now.",
    input: z.object({ bookingId }),
    output: z.object({
      lesson: reviewedLesson,
      author: personName.describe('How the public will see the author.'),
      review: ownReview.nullable(),
      refusal: z
        .string()
        .nullable()
        .describe("Why the review can't be written or edited now; null if it can.")
        .meta({ examples: ['You can review this lesson once it is over.'] }),
      claim: z
        .enum(['possible', 'open', 'accepted', 'declined'])
        .nullable()
        .describe('The state of the claim "We were there", for a lesson that the coach marked as missed.'),
    }),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/bookings/:bookingId/review',
    operationId: 'save_review',
    gate: 'signedIn',
    summary: 'Write or edit a review',
    description:
      "Writes the caller's review of the lesson's coach, or edits the one from the last 12 months. The review is checked automatically and published 24 hours later, whatever the number of stars. If the checks find something, an admin has up to 72 hours to decide; after that, the review is published without what the checks found.",
    refusals: ['not_found', 'conflict', 'too_many_requests', 'unavailable', 'unprocessable'],
    input: z.object({ bookingId, rating: enteredRating, text: enteredText }),
    output: z.object({ review: ownReview }),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/bookings/:bookingId/review',
    operationId: 'withdraw_review',
    gate: 'signedIn',
    summary: 'Delete my review',
    description: "Deletes the caller's review of the lesson's coach, unless an admin has removed it.",
    refusals: ['not_found', 'conflict'],
    input: z.object({ bookingId }),
    output: z.object({}),
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/reviews',
    operationId: 'list_own_reviews',
    gate: 'signedIn',
    summary: 'List my reviews',
    description:
      "The caller's reviews, newest first, and for each coach the latest lesson that the caller can review now.",
    input: z.object({}),
    output: z.object({ reviews: z.array(ownReview), open: z.array(reviewedLesson) }),
  }),
  claimAttendance: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/attendance-claim',
    operationId: 'claim_attendance',
    gate: 'signedIn',
    summary: 'Say that we were there',
    description: 'Asks the admins to decide on a lesson that the coach marked as missed.',
    refusals: ['not_found', 'conflict'],
    input: z.object({ bookingId, statement }),
    output: z.object({}),
  }),
  getDecision: endpoint({
    method: 'GET',
    path: '/api/reviews/:reviewId/decision',
    operationId: 'get_review_decision',
    gate: 'signedIn',
    summary: 'Get the decision about a review',
    description:
      'The decisions about a review and its reply that concern the caller: as the author, or as a signed-in person who reported the text.',
    input: z.object({ reviewId }),
    output: z.object({
      coachName: personName,
      decisions: z.array(
        z.object({
          about,
          text: z
            .string()
            .describe('The review or reply that the decision is about.')
            .meta({ examples: ['Too loud.'] }),
          role: z.enum(['author', 'reporter']).describe("The caller's role."),
          outcome: z.enum(['open', 'shown', 'removed']),
          reason: removalReason.nullable(),
          appeal: z
            .enum(['possible', 'open', 'decided'])
            .nullable()
            .describe("The caller's appeal; null if the caller can't appeal."),
        }),
      ),
    }),
  }),
  appeal: endpoint({
    method: 'POST',
    path: '/api/reviews/:reviewId/appeals',
    operationId: 'appeal_review',
    gate: 'signedIn',
    summary: 'Appeal against a decision',
    description:
      'Asks the admins to reconsider their decision about a review or reply. The author of a removed text, and a reporter of one that stays, can appeal once, within 30 days.',
    refusals: ['not_found', 'conflict'],
    input: z.object({ reviewId, about, statement }),
    output: z.object({}),
  }),
};
