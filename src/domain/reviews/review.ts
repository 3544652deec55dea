import { z } from 'zod';
import { instant, personName } from '../fields.ts';
import { someLines } from '../text.ts';
import { removalReasonNames, reviewLength } from './rules.ts';

const month = z
  .string()
  .describe('The month of publication (London time), as in 2026-11.')
  .meta({ examples: ['2026-11'] });
const text = z.string().meta({ examples: ['Patient, clear and always on time. We would book again.'] });

export const coachRating = z
  .object({
    reviews: z.number().int().describe('The number of published reviews from the last 24 months.'),
    mean: z
      .number()
      .nullable()
      .describe('The mean of their stars, to one decimal place; null for fewer than three reviews.')
      .meta({ examples: [4.7] }),
    distribution: z
      .array(z.number().int())
      .describe('How many reviews have one, two, three, four and five stars.')
      .meta({ examples: [[0, 0, 1, 2, 9]] }),
  })
  .meta({ id: 'CoachRating', description: "A summary of a coach's reviews." });
export type CoachRating = z.output<typeof coachRating>;

export const listedRating = coachRating
  .pick({ reviews: true, mean: true })
  .extend({ coachId: z.uuid() })
  .meta({ id: 'ListedRating', description: "A coach's rating in a list of lessons." });
export type ListedRating = z.output<typeof listedRating>;

export const reviewReply = z
  .object({ text, month })
  .meta({ id: 'ReviewReply', description: "The coach's reply to a review." });

export const review = z
  .object({
    reviewId: z.uuid(),
    rating: z
      .number()
      .int()
      .describe('One to five stars.')
      .meta({ examples: [5] }),
    text,
    author: personName.describe(
      'The first name and an initial of the author, "Parent of a junior" or "Family of a participant".',
    ),
    month,
    isEdited: z.boolean(),
    reply: reviewReply.nullable(),
  })
  .meta({ id: 'Review', description: 'A published review, as everyone sees it.' });
export type Review = z.output<typeof review>;

export const removalReason = z
  .enum(removalReasonNames, 'Choose one of the reasons.')
  .meta({ id: 'RemovalReason' });

export const reviewStatus = z
  .enum(['pending', 'held', 'published', 'removed'])
  .meta({ id: 'ReviewStatus', description: '`held`: the automatic checks found something.' });

export const ownReview = z
  .object({
    reviewId: z.uuid(),
    bookingId: z.uuid(),
    coachId: z.uuid(),
    coachName: personName,
    rating: z.number().int(),
    text,
    status: reviewStatus,
    isMasked: z
      .boolean()
      .describe('Whether the public sees the text without the parts that the checks found.'),
    publishedBy: instant.describe('The time by which the review is published.'),
    editableUntil: z.string().meta({ format: 'date' }).describe('The last day on which it can be edited.'),
    removedFor: removalReason.nullable(),
    reply: reviewReply.nullable(),
  })
  .meta({ id: 'OwnReview', description: 'A review as its author sees it.' });
export type OwnReview = z.output<typeof ownReview>;

export const enteredRating = z
  .number('Choose one to five stars.')
  .int('Choose one to five stars.')
  .min(1, 'Choose one to five stars.')
  .max(5, 'Choose one to five stars.')
  .describe('One to five stars.');

export const enteredText = someLines()
  .min(reviewLength.min, `Please write at least ${reviewLength.min} characters.`)
  .max(
    reviewLength.max,
    `A review can't be longer than ${reviewLength.max.toLocaleString('en-GB')} characters.`,
  )
  .describe('The text of the review.')
  .meta({ examples: ['Patient, clear and always on time. We would book again.'] });

/** A statement to the admins. */
export const statement = someLines()
  .min(1, 'Please tell us what happened.')
  .max(1000, "The text can't be longer than 1,000 characters.")
  .describe("The person's statement.")
  .meta({ examples: ['We were there, from the beginning to the end.'] });
