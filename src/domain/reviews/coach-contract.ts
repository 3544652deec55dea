import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { nextCursor, pageFields } from '../fields.ts';
import { someLines } from '../text.ts';
import { coachRating, review } from './review.ts';

/** Endpoints for the reviews of the calling coach. */
export const coachReviewsApi = {
  listAboutMe: endpoint({
    method: 'GET',
    path: '/api/coach/reviews',
    operationId: 'list_reviews_about_me',
    gate: 'coach',
    summary: 'List reviews about me',
    description: "The coach's own rating and published reviews, newest first.",
    input: z.object(pageFields({ size: 10, max: 50 })),
    output: z.object({ rating: coachRating, reviews: z.array(review), nextCursor }),
  }),
  reply: endpoint({
    method: 'POST',
    path: '/api/coach/reviews/:reviewId/reply',
    operationId: 'reply_to_review',
    gate: 'coach',
    summary: 'Reply to a review',
    description:
      "Publishes the coach's one reply to a review. A reply with a link, contact details or the name of a participant is refused.",
    refusals: ['not_found', 'conflict', 'unprocessable'],
    input: z.object({
      reviewId: z.uuid().describe('The review.'),
      text: someLines()
        .min(1, 'Please write a reply.')
        .max(1000, "A reply can't be longer than 1,000 characters.")
        .describe('The text of the reply.')
        .meta({ examples: ['Thank you. See you next week.'] }),
    }),
    output: z.object({ review }),
  }),
};
