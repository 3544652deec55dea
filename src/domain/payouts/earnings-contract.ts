import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const cents = z.number().int();

/** The parts of a payment: lessons, and deductions for refunds after an earlier payment (negative). */
const paidLesson = z.object({
  bookingId: z.uuid(),
  slotId: z.uuid(),
  kind: z.enum(['lesson', 'carried_forward']),
  title: z.string(),
  startTime: z.string(),
  customerName: z.string(),
  amountCents: cents,
});
export type PaidLesson = z.output<typeof paidLesson>;

/** One payment to a coach: a paid payrun's share. Money in cents. */
const coachPayment = z.object({
  payrunId: z.uuid(),
  paidAt: z.string(),
  amountCents: cents,
  /** What the coach's bank statement shows. */
  paymentReference: z.string(),
  /** Oldest first. */
  lessons: z.array(paidLesson),
});
export type CoachPayment = z.output<typeof coachPayment>;

export const coachPaymentsApi = {
  listPayments: endpoint({
    method: 'GET',
    path: '/api/coach/payments',
    operationId: 'list_payments',
    gate: 'signedIn',
    input: z.object({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(20).default(5),
    }),
    output: z.object({ payments: z.array(coachPayment), nextCursor: z.string().nullable() }),
    summary: 'Payruns paid to the coach with their lessons, newest first, a page at a time.',
  }),
  exportPayments: endpoint({
    method: 'GET',
    path: '/api/coach/payments-file',
    operationId: 'export_payments',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ fileName: z.string(), csv: z.string() }),
    summary: 'All payments to the coach as CSV, a row for each lesson.',
  }),
};
