import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, lessonTitle, nextCursor, pageFields, personName } from '../fields.ts';
import { removalReason, reviewStatus } from './review.ts';

const caseId = z.uuid().describe('The case.');

export const reviewCase = z
  .object({
    caseId: z.uuid(),
    kind: z
      .enum(['check', 'report', 'appeal', 'attendance'])
      .describe(
        '`check`: the automatic checks held a review. `attendance`: a customer says "We were there".',
      ),
    about: z.enum(['review', 'reply', 'attendance']),
    reviewId: z.uuid().nullable(),
    bookingId: z.uuid(),
    lessonTitle,
    lessonStart: instant,
    coachName: personName,
    customerName: personName,
    rating: z.number().int().nullable(),
    text: z
      .string()
      .nullable()
      .describe('The review or reply.')
      .meta({ examples: ['Too loud.'] }),
    status: reviewStatus.nullable(),
    findings: z.array(z.enum(['link', 'contact', 'name'])),
    openedBy: personName
      .nullable()
      .describe('Null for the automatic checks and for visitors without an account.'),
    reason: removalReason.nullable().describe('Why the text was reported.'),
    statement: z
      .string()
      .nullable()
      .meta({ examples: ['My son is named in it.'] }),
    openedAt: instant,
    dueAt: instant.describe('The time by which the case has to be decided.'),
    outcome: z.enum(['shown', 'removed', 'accepted', 'declined', 'closed']).nullable(),
    decidedReason: removalReason.nullable(),
    decidedAt: instant.nullable(),
    decidedBy: personName.nullable(),
  })
  .meta({ id: 'ReviewCase', description: 'A review, reply or contested absence on which an admin decides.' });
export type ReviewCase = z.output<typeof reviewCase>;

export const moderationEntry = z
  .object({
    at: instant,
    about: z.enum(['review', 'reply']),
    action: z.enum([
      ...(['submitted', 'held', 'published', 'masked', 'withdrawn'] as const),
      ...(['reported', 'kept', 'removed', 'appealed', 'restored'] as const),
    ]),
    reason: removalReason.nullable(),
  })
  .meta({ id: 'ModerationEntry', description: 'An entry in the moderation log of a review.' });
export type ModerationEntry = z.output<typeof moderationEntry>;

/** Endpoints with which admins decide on reviews. */
export const moderationApi = {
  listCases: endpoint({
    method: 'GET',
    path: '/api/admin/review-cases',
    operationId: 'list_review_cases',
    gate: 'admin',
    summary: 'List review cases',
    description: 'Open cases, oldest first; or decided cases, the latest decision first. A page at a time.',
    input: z.object({
      state: z.enum(['open', 'decided']).default('open').describe('Open or decided cases.'),
      ...pageFields({ size: 20, max: 50 }),
    }),
    output: z.object({ cases: z.array(reviewCase), nextCursor }),
  }),
  getCase: endpoint({
    method: 'GET',
    path: '/api/admin/review-cases/:caseId',
    operationId: 'get_review_case',
    gate: 'admin',
    summary: 'Get a case about a review',
    description: "The case, the other cases about the same review (newest first) and the review's log.",
    input: z.object({ caseId }),
    output: z.object({
      case: reviewCase,
      isForAnother: z
        .boolean()
        .describe(
          'Whether another admin has to decide, because the caller is involved in the case or made the appealed decision.',
        ),
      others: z.array(reviewCase),
      log: z.array(moderationEntry).describe('The last 100 entries, newest first.'),
    }),
  }),
  decideCase: endpoint({
    method: 'POST',
    path: '/api/admin/review-cases/:caseId/decision',
    operationId: 'decide_review_case',
    gate: 'admin',
    summary: 'Decide a case about a review',
    description:
      "Shows or removes the review or reply, or accepts or declines a contested absence. A removal needs one of five reasons and closes all open reports of the same text. The author and the reporters are notified. If another admin can decide, an admin can't decide on their own reviews, lessons and reports, or on an appeal against their own decision.",
    refusals: ['not_found', 'conflict', 'unprocessable'],
    reauthenticate: true,
    input: z.object({
      caseId,
      decision: z
        .enum(['show', 'remove', 'accept', 'decline'], 'Choose a decision.')
        .describe('`accept` and `decline` are for a contested absence.'),
      reason: removalReason.optional().describe('Required to remove a text.'),
    }),
    output: z.object({}),
  }),
};
