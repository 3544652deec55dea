import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  cardBrand,
  cents,
  emailAddress,
  instant,
  lastFour,
  lessonTitle,
  nextCursor,
  pageFields,
  personName,
} from '../fields.ts';
import { oneLine } from '../text.ts';

const failedRefund = z
  .object({
    refundId: z.uuid(),
    bookingId: z.uuid(),
    amountCents: cents,
    failedAt: instant.describe('When Stripe refused the refund for good, or the bank sent it back.'),
    message: z
      .string()
      .meta({ description: "The reason in Stripe's words.", examples: ['Your card has expired.'] }),
    customerName: personName,
    customerEmail: emailAddress,
    coachName: personName,
    title: lessonTitle.describe('The titles of all lessons that the refund is for, separated by commas.'),
    startTime: instant.describe('The start of the first of these lessons.'),
    card: z.object({ brand: cardBrand, lastFour }).nullable(),
    refundedInStripeCents: cents.describe(
      'The part of the payment that was refunded directly in Stripe, not by us.',
    ),
  })
  .meta({
    id: 'FailedRefund',
    description:
      'A refund that Stripe permanently refused, or that a bank sent back. Amounts in minor units (pence).',
  });
export type FailedRefund = z.output<typeof failedRefund>;

const settledReason = oneLine()
  .min(1, 'Enter how the customer was paid.')
  .max(300, 'Enter at most 300 characters.')
  .meta({ description: 'How the customer was paid.', examples: ['Bank transfer of 3 March'] });

const refundId = z.uuid().describe('The refund.');

/** Endpoints for failed refunds, on which an admin has to act. */
export const refundsApi = {
  listFailed: endpoint({
    method: 'GET',
    path: '/api/admin/refunds/failed',
    operationId: 'list_failed_refunds',
    gate: 'admin',
    summary: 'List failed refunds',
    description: 'Refunds that could not be paid. The one that failed first comes first; a page at a time.',
    input: z.object(pageFields({ size: 20, max: 50 })),
    output: z.object({ refunds: z.array(failedRefund), nextCursor }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/admin/refunds/:refundId/attempts',
    operationId: 'retry_refund',
    gate: 'admin',
    summary: 'Retry a refund',
    description: 'Sends a failed refund to Stripe again, as a new request.',
    refusals: ['conflict'],
    // Not needed, because the money can only go back to the card that paid.
    reauthenticate: false,
    input: z.object({ refundId }),
    output: z.object({}),
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/admin/refunds/:refundId/settlement',
    operationId: 'settle_refund',
    gate: 'admin',
    summary: 'Settle a refund another way',
    description:
      'Records that a failed refund was paid to the customer another way, and emails the customer.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      refundId,
      reason: settledReason,
      isRefundedInStripe: z
        .boolean()
        .describe(
          'True if the customer was paid by a refund made directly in Stripe; refused if that refund does not cover the amount.',
        ),
    }),
    output: z.object({}),
  }),
};
