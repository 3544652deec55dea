import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  cents,
  csvFile,
  instant,
  lessonTitle,
  nextCursor,
  pageFields,
  pageSize,
  personName,
} from '../fields.ts';
import {
  type Earnings,
  type EarningsLine,
  earnings,
  earningsLine,
  type WaitingPayout,
  waitingPayout,
} from './earnings.ts';

export type { Earnings, EarningsLine, WaitingPayout };

const paidLesson = z
  .object({
    bookingId: z.uuid(),
    slotId: z.uuid(),
    kind: z.enum(['lesson', 'carried_forward']).describe('`carried_forward`: a deduction.'),
    title: lessonTitle,
    startTime: instant,
    customerName: personName,
    amountCents: cents,
  })
  .meta({
    id: 'PaidLesson',
    description:
      'A part of a payment: a lesson, or a deduction (negative) for a refund after an earlier payment.',
  });
export type PaidLesson = z.output<typeof paidLesson>;

const coachPayment = z
  .object({
    payrunId: z.uuid(),
    paidAt: instant,
    amountCents: cents,
    paymentReference: z
      .string()
      .meta({ description: "The reference on the coach's bank statement.", examples: ['LESSONS MARCH'] }),
    returned: z
      .object({ at: instant, reason: z.string().meta({ examples: ['Account closed'] }) })
      .nullable()
      .describe('Set if the bank returned the payment; its lessons are paid again later.'),
    lessons: z.array(paidLesson).describe('Oldest first.'),
  })
  .meta({
    id: 'CoachPayment',
    description:
      "One payment to a coach: the coach's share of a paid payrun. Amounts in minor units (pence).",
  });
export type CoachPayment = z.output<typeof coachPayment>;

/** Endpoints for a coach's earnings (from the ledger) and payments (the coach's shares of paid payruns). */
export const earningsApi = {
  getEarnings: endpoint({
    method: 'GET',
    path: '/api/coach/earnings',
    operationId: 'get_earnings',
    gate: 'signedIn',
    summary: 'Get my earnings',
    description:
      "The coach's earnings from the ledger: in total, still to be paid, and in the last twelve months.",
    refusals: ['forbidden'],
    input: z.object({}),
    output: earnings,
  }),
  listEarnings: endpoint({
    method: 'GET',
    path: '/api/coach/earnings/lines',
    operationId: 'list_earnings',
    gate: 'signedIn',
    summary: 'List the lines of my ledger',
    description:
      "The lines of the coach's ledger, each with the balance after it. Newest first, a page at a time.",
    refusals: ['forbidden'],
    input: z.object({
      cursor: z.coerce
        .number("This page of the list doesn't exist. Please start again from the first page.")
        .int("This page of the list doesn't exist. Please start again from the first page.")
        .min(1, "This page of the list doesn't exist. Please start again from the first page.")
        .optional()
        .describe("The `lineId` of the previous page's last line."),
      limit: pageSize({ size: 20, max: 50 }),
    }),
    output: z.object({
      lines: z.array(earningsLine),
      nextCursor: z.number().int().nullable().describe('Null at the end of the list.'),
    }),
  }),
  listWaiting: endpoint({
    method: 'GET',
    path: '/api/coach/earnings/waiting',
    operationId: 'list_waiting_payouts',
    gate: 'signedIn',
    summary: 'List what my payouts are waiting for',
    description:
      "Lessons whose payout waits for attendance or a note, as the coach's business requires. Oldest first, at most 100. No lesson waits longer than 7 days.",
    refusals: ['forbidden'],
    input: z.object({}),
    output: z.object({ lessons: z.array(waitingPayout) }),
  }),
  listPayments: endpoint({
    method: 'GET',
    path: '/api/coach/payments',
    operationId: 'list_payments',
    gate: 'signedIn',
    summary: 'List my payments',
    description:
      "The coach's shares of paid payruns, with their lessons. Newest payment first, a page at a time.",
    refusals: ['forbidden'],
    input: z.object(pageFields({ size: 5, max: 20 })),
    output: z.object({ payments: z.array(coachPayment), nextCursor }),
  }),
  exportPayments: endpoint({
    method: 'GET',
    path: '/api/coach/payments-file',
    operationId: 'export_payments',
    gate: 'signedIn',
    summary: 'Export my payments',
    description: 'All payments to the coach as CSV, one row for each lesson and each deduction.',
    refusals: ['forbidden'],
    input: z.object({}),
    output: z.object(csvFile),
  }),
};
