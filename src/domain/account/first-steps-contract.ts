import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** A new coach's first steps towards bookings and payouts, in the order of the list on the screen. */
const firstSteps = [
  'profile',
  'picture',
  'location',
  'template',
  'lessons',
  'bankDetails',
  'checks',
] as const;
export type FirstStep = (typeof firstSteps)[number];

export const firstStepsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/coach/first-steps',
    operationId: 'list_first_steps',
    gate: 'coach',
    summary: 'List my first steps as a coach',
    description:
      'The first steps of a new coach and whether each is done. Derived from what the coach has saved, so undoing a step reopens it.',
    input: z.object({}),
    output: z.object({
      steps: z.array(
        z
          .object({
            step: z
              .enum(firstSteps)
              .describe(
                '`profile`: a job title, a bio and a sport. `lessons`: a lesson that was not cancelled. `checks`: everything that the club requires of this coach is valid; listed only if it requires something. All other steps: at least one.',
              ),
            isDone: z.boolean(),
          })
          .meta({ id: 'FirstStep', description: "One of a new coach's first steps." }),
      ),
    }),
  }),
};
