import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** What a new coach does before customers can book and the coach can be paid, in this order. */
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
      'What a new coach does first, and whether it is done. Read from what the coach has saved, so a step that is undone is open again.',
    input: z.object({}),
    output: z.object({
      steps: z.array(
        z
          .object({
            step: z
              .enum(firstSteps)
              .describe(
                '`profile`: a job title, a text and a sport. `lessons`: a lesson that was not cancelled. `checks`: what the club needs of this coach is valid; only listed if it needs something. Each other step: at least one.',
              ),
            isDone: z.boolean(),
          })
          .meta({ id: 'FirstStep', description: 'A step of a new coach.' }),
      ),
    }),
  }),
};
