import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** When a customer who cancels gets how much back. */
export const cancellationPolicy = z.object({
  /** Everything comes back until so many hours before the start. */
  freeUntilHours: z.number().int().min(0).max(720),
  /** After that, this percentage. */
  lateRefundPercent: z.number().int().min(0).max(100),
  refundsEnabled: z.boolean(),
});
export type CancellationPolicy = z.output<typeof cancellationPolicy>;

export const settingsApi = {
  getCancellationPolicy: endpoint({
    method: 'GET',
    path: '/api/cancellation-policy',
    operationId: 'get_cancellation_policy',
    gate: 'public',
    input: z.object({}),
    output: cancellationPolicy,
    summary: 'The terms a lesson booked now can be cancelled on.',
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/api/product',
    operationId: 'get_product',
    gate: 'public',
    input: z.object({}),
    output: z.object({
      brand: z.string(),
      /** True on the demo database: sign-ins and the mailbox page may be pointed out to everybody. */
      isDemo: z.boolean(),
      /** Empty where the operator hides them. */
      landingStats: z.array(z.object({ figure: z.string(), label: z.string() })),
    }),
    summary: 'What every page may know: the name of the product and the figures of the landing page.',
  }),
};
