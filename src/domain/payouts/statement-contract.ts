import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, csvFile, instant, lessonTitle, personName } from '../fields.ts';

const payrunId = z.uuid().describe('The payrun of the payment.');

const statementLine = z
  .object({
    bookingId: z.uuid(),
    slotId: z.uuid(),
    kind: z.enum(['lesson', 'carried_forward']).describe('`carried_forward`: a deduction.'),
    title: lessonTitle,
    startTime: instant,
    customerName: personName,
    priceCents: cents.nullable().describe('The price of the lesson; null for a deduction.'),
    keptCents: cents
      .nullable()
      .describe(
        'The platform fee and the refunds, which were subtracted from the price; null for a deduction.',
      ),
    amountCents: cents,
  })
  .meta({
    id: 'StatementLine',
    description:
      'A part of a payment: a lesson (price − kept = amount), or a deduction (negative) for a refund after an earlier payment.',
  });
export type StatementLine = z.output<typeof statementLine>;

const statement = z
  .object({
    payrunId: z.uuid(),
    paidAt: instant,
    paymentReference: z.string().meta({ examples: ['LESSONS MARCH'] }),
    coachName: personName,
    accountName: z.string().meta({ examples: ['Alex Morgan'] }),
    maskedAccountNumber: z.string().meta({ examples: ['••••5678'] }),
    returned: z
      .object({ at: instant, reason: z.string().meta({ examples: ['Account closed'] }) })
      .nullable()
      .describe('Set if the bank returned the payment; its lessons are paid again later.'),
    lessonsCents: cents,
    deductedCents: cents,
    amountCents: cents,
    lines: z.array(statementLine).describe('Oldest lesson first.'),
  })
  .meta({
    id: 'PaymentStatement',
    description:
      'One payment to a coach in full: lessonsCents − deductedCents = amountCents, in minor units (pence).',
  });
export type PaymentStatement = z.output<typeof statement>;

/** Endpoints for the statement of one payment to a coach. */
export const statementApi = {
  getStatement: endpoint({
    method: 'GET',
    path: '/api/coach/payments/:payrunId',
    operationId: 'get_statement',
    gate: 'signedIn',
    summary: 'Get the statement of a payment',
    description: "The coach's own payment from a paid payrun, with every lesson and deduction.",
    refusals: ['forbidden'],
    input: z.object({ payrunId }),
    output: z.object({ statement }),
  }),
  exportStatement: endpoint({
    method: 'GET',
    path: '/api/coach/payments/:payrunId/file',
    operationId: 'export_statement',
    gate: 'signedIn',
    summary: 'Export the statement of a payment',
    description: "The coach's own payment from a paid payrun as CSV, one row for each lesson or deduction.",
    refusals: ['forbidden'],
    input: z.object({ payrunId }),
    output: z.object(csvFile),
  }),
};
