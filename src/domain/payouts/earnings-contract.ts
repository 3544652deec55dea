import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, csvFile, instant, lessonTitle, nextCursor, pageFields, personName } from '../fields.ts';

const paidLesson = z
  .object({
    bookingId: z.uuid(),
    slotId: z.uuid(),
    kind: z.enum(['lesson', 'carried_forward']),
    title: lessonTitle,
    startTime: instant,
    customerName: personName,
    amountCents: cents,
  })
  .meta({
    id: 'PaidLesson',
    description:
      'The parts of a payment: lessons, and deductions for refunds after an earlier payment (negative).',
  });
export type PaidLesson = z.output<typeof paidLesson>;

const coachPayment = z
  .object({
    payrunId: z.uuid(),
    paidAt: instant,
    amountCents: cents,
    paymentReference: z
      .string()
      .meta({ description: "What the coach's bank statement shows.", examples: ['LESSONS MARCH'] }),
    lessons: z.array(paidLesson).describe('Oldest first.'),
  })
  .meta({
    id: 'CoachPayment',
    description: "One payment to a coach: a paid payrun's share. Money in cents.",
  });
export type CoachPayment = z.output<typeof coachPayment>;

export const coachPaymentsApi = {
  listPayments: endpoint({
    method: 'GET',
    path: '/api/coach/payments',
    operationId: 'list_payments',
    gate: 'signedIn',
    summary: 'List my payments',
    description: 'Payruns paid to the coach with their lessons, newest first, a page at a time.',
    refusals: ['forbidden'],
    input: z.object(pageFields({ size: 5, most: 20 })),
    output: z.object({ payments: z.array(coachPayment), nextCursor }),
  }),
  exportPayments: endpoint({
    method: 'GET',
    path: '/api/coach/payments-file',
    operationId: 'export_payments',
    gate: 'signedIn',
    summary: 'Export my payments',
    description: 'All payments to the coach as CSV, one row for each lesson.',
    refusals: ['forbidden'],
    input: z.object({}),
    output: z.object(csvFile),
  }),
};
