import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, lessonTitle, personName } from '../fields.ts';

export const ageRequestStatuses = ['asked', 'allowed', 'declined'] as const;
const status = z.enum(ageRequestStatuses);

export const ageRequest = z
  .object({
    ageRequestId: z.uuid(),
    templateId: z.uuid(),
    title: lessonTitle,
    participantName: personName,
    age: z.number().int().nullable().describe("Today's age in years; null if the date of birth is unknown."),
    askedByName: personName,
    status,
    askedAt: instant,
  })
  .meta({
    id: 'AgeException',
    description: "A request for an exception for a participant whose age is outside a template's age range.",
  });
export type AgeRequest = z.output<typeof ageRequest>;

/**
 * Endpoints for exceptions to age ranges. A family asks for an exception for one participant and one template, and the
 * coach decides.
 */
export const agesApi = {
  ask: endpoint({
    method: 'POST',
    path: '/api/slots/:slotId/age-request',
    operationId: 'ask_to_join',
    gate: 'customer',
    summary: 'Ask a coach to make an exception',
    description:
      "Asks the coach for an exception, so that a participant outside the age range can book lessons of this slot's template. A repeated call changes nothing.",
    refusals: ['conflict'],
    input: z.object({
      slotId: z.uuid().describe('The lesson.'),
      participantId: z.uuid().describe('The participant, whose date of birth must be known.'),
    }),
    output: z.object({ status }),
  }),
  listRequests: endpoint({
    method: 'GET',
    path: '/api/coach/age-requests',
    operationId: 'list_age_requests',
    gate: 'coach',
    summary: 'List requests for an exception',
    description:
      "The requests for the coach's templates, at most 200: open ones, then answered ones, each newest first.",
    input: z.object({}),
    output: z.object({ requests: z.array(ageRequest) }),
  }),
  answer: endpoint({
    method: 'PUT',
    path: '/api/coach/age-requests/:ageRequestId',
    operationId: 'answer_age_request',
    gate: 'coach',
    summary: 'Answer a request for an exception',
    description:
      'Allows or refuses the exception, and notifies the person who asked. The answer can be changed later; existing bookings are kept.',
    input: z.object({
      ageRequestId: z.uuid().describe('The request.'),
      isAllowed: z.boolean('Choose yes or no.').describe('Whether the coach agrees to the exception.'),
    }),
    output: z.object({ request: ageRequest }),
  }),
};
