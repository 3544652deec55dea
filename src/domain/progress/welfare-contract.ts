import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { nextCursor, pageFields } from '../fields.ts';
import { someLines } from '../text.ts';
import { concern } from './progress-shapes.ts';

/**
 * Endpoints for welfare concerns. Welfare officers and owners of the coach's business handle them. If nobody else in
 * the business can, or there is no business, the admins do.
 */
export const welfareApi = {
  report: endpoint({
    method: 'POST',
    path: '/api/coach/bookings/:bookingId/welfare-concern',
    operationId: 'report_welfare_concern',
    gate: 'coach',
    summary: 'Report a welfare concern',
    description:
      "Reports a concern about the welfare of a participant to the other welfare officers of the coach's business or, if there are none, to its other owners. If there are neither, the admins are notified and handle the concern. The family doesn't see the concern. Safe to repeat.",
    input: z.object({
      bookingId: z.uuid().describe("The participant's booking."),
      body: someLines()
        .min(1, 'Say what you saw or heard.')
        .max(4000, "Your report can't be longer than 4,000 characters.")
        .meta({ description: 'What the coach saw or heard.', examples: ['Came with bruises again.'] }),
    }),
    output: z.object({ goesTo: z.enum(['officers', 'owner', 'admins']) }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/welfare-concerns',
    operationId: 'list_welfare_concerns',
    gate: 'signedIn',
    summary: 'List welfare concerns',
    description: 'The concerns that the caller handles or reported, newest first.',
    input: z.object(pageFields({ size: 20, max: 50 })),
    output: z.object({ concerns: z.array(concern), nextCursor }),
  }),
  handle: endpoint({
    method: 'POST',
    path: '/api/welfare-concerns/:concernId/handling',
    operationId: 'handle_welfare_concern',
    gate: 'signedIn',
    summary: 'Mark a welfare concern as handled',
    description: 'Records that the caller has looked into a concern. Safe to repeat.',
    input: z.object({ concernId: z.uuid().describe('The concern.') }),
    output: z.object({}),
  }),
};
