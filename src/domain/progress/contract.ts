import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pageFields } from '../fields.ts';
import { oneLine } from '../text.ts';
import { progress } from './progress-shapes.ts';

/** Endpoints for a participant's progress as the family sees it. */
export const progressApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/participants/:participantId/progress',
    operationId: 'get_progress',
    gate: 'signedIn',
    summary: "Get a participant's progress",
    description:
      'Goals, skills, and a page of the lessons that have started, with the notes shared with the family. For the participant and all guardians.',
    input: z.object({
      participantId: z.uuid().describe('The participant.'),
      ...pageFields({ size: 10, max: 50 }),
    }),
    output: progress,
  }),
  answer: endpoint({
    method: 'PUT',
    path: '/api/bookings/:bookingId/answer',
    operationId: 'answer_lesson',
    gate: 'signedIn',
    summary: 'Say how a lesson went',
    description:
      "Tells only the coach of the lesson how it went for the family. Replaces an earlier answer. It isn't a review: it is never public and counts towards no rating.",
    refusals: ['conflict'],
    input: z.object({
      bookingId: z.uuid().describe('The booking of the lesson.'),
      rating: z
        .number('Choose how the lesson went.')
        .int('Choose how the lesson went.')
        .min(1, 'Choose how the lesson went.')
        .max(5, 'Choose how the lesson went.'),
      body: oneLine()
        .max(300, "The sentence can't be longer than 300 characters.")
        .default('')
        .meta({ description: 'A sentence, if the family wants to add one.', examples: ['She loved it.'] }),
    }),
    output: z.object({}),
  }),
};
