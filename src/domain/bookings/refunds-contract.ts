import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { oneLine } from '../text.ts';

/** A refund that the card network refused for good, or that a bank sent back. Money in cents. */
const givenUpRefund = z.object({
  refundId: z.uuid(),
  bookingId: z.uuid(),
  amountCents: z.number().int(),
  givenUpAt: z.string(),
  /** The reason in the card network's words. */
  message: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  coachName: z.string(),
  title: z.string(),
  startTime: z.string(),
  card: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  /** The part of this payment refunded directly at the card network, without a refund of ours. */
  atCardNetworkCents: z.number().int(),
});
export type GivenUpRefund = z.output<typeof givenUpRefund>;

/** How an admin paid the customer: "Bank transfer of 3 March". */
const settledReason = oneLine()
  .min(1, 'Enter how the customer was paid.')
  .max(300, 'Enter at most 300 characters.');

const refundId = z.uuid();

/** Refunds that need an admin. */
export const refundsApi = {
  listGivenUp: endpoint({
    method: 'GET',
    path: '/api/admin/refunds/given-up',
    operationId: 'list_given_up_refunds',
    gate: 'admin',
    input: z.object({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    output: z.object({ refunds: z.array(givenUpRefund), nextCursor: z.string().nullable() }),
    summary: 'Refunds that could not be paid, the oldest first, a page at a time.',
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/admin/refunds/:refundId/attempts',
    operationId: 'retry_refund',
    gate: 'admin',
    // The money goes back to the card that paid, regardless of who asks.
    reauthenticate: false,
    input: z.object({ refundId }),
    output: z.object({}),
    summary: 'Sends a refund that was given up again, as a new request to the card network.',
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/admin/refunds/:refundId/settlement',
    operationId: 'settle_refund',
    gate: 'admin',
    reauthenticate: true,
    input: z.object({
      refundId,
      reason: settledReason,
      /** Paid by a refund at the card network itself; refused if that does not cover it. */
      isAtCardNetwork: z.boolean().default(false),
    }),
    output: z.object({}),
    summary: 'Says that the customer was paid a given-up refund another way; the customer is emailed.',
  }),
};
