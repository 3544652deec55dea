import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, instant, lessonTitle, nextCursor, pageFields, personName } from '../fields.ts';
import { oneLine } from '../text.ts';
import { payrun } from './payrun-shapes.ts';

const payrunId = z.uuid().describe('The payrun.');
const coachId = z.uuid().describe('The coach.');

const payrunPayment = z
  .object({
    coachId: z.uuid(),
    coachName: personName,
    accountName: z.string().meta({ examples: ['Alex Morgan'] }),
    maskedAccountNumber: z.string().meta({ examples: ['••••5678'] }),
    bookingCount: z.number().int(),
    bookingsCents: cents,
    deductedCents: cents.describe('Refunds of bookings that had already been paid out.'),
    amountCents: cents,
    returned: z
      .object({
        enteredAt: instant,
        enteredBy: personName,
        reason: z.string().meta({ examples: ['Account closed'] }),
      })
      .nullable()
      .describe('Set if an admin recorded that the bank did not make the payment, or returned it.'),
  })
  .meta({
    id: 'PayrunPayment',
    description:
      'What a payrun pays one coach: bookingsCents − deductedCents = amountCents, in minor units (pence).',
  });
export type PayrunPayment = z.output<typeof payrunPayment>;

const payrunLine = z
  .object({
    bookingId: z.uuid(),
    kind: z.enum(['lesson', 'carried_forward']).describe('`carried_forward`: a deduction.'),
    title: lessonTitle,
    startTime: instant,
    coachId: z.uuid(),
    coachName: personName,
    customerName: personName,
    amountCents: cents,
    isReturned: z.boolean().describe('Whether the bank returned the payment to its coach.'),
  })
  .meta({
    id: 'PayrunLine',
    description:
      'A booking in a payrun: the amount due to the coach, or a deduction (negative) for refunds after an earlier payment.',
  });
export type PayrunLine = z.output<typeof payrunLine>;

/** Endpoints for one payrun's page, and for payments that banks return. */
export const payrunApi = {
  getPayrun: endpoint({
    method: 'GET',
    path: '/api/admin/payruns/:payrunId',
    operationId: 'get_payrun',
    gate: 'admin',
    summary: 'Get a payrun',
    description:
      "A payrun with its payments, at most 500, in order of the coaches' names. A search finds the others.",
    input: z.object({
      payrunId,
      search: z
        .string()
        .trim()
        .max(100, "A search can't be longer than 100 characters.")
        .optional()
        .meta({ description: "Part of the coach's name.", examples: ['alex'] }),
    }),
    output: z.object({ payrun, payments: z.array(payrunPayment) }),
  }),
  listPayrunLines: endpoint({
    method: 'GET',
    path: '/api/admin/payruns/:payrunId/lines',
    operationId: 'list_payrun_lines',
    gate: 'admin',
    summary: "List a payrun's bookings",
    description: 'The bookings of a payrun, earliest lesson first, a page at a time.',
    input: z.object({
      payrunId,
      coachId: coachId.optional().describe('Only bookings of this coach.'),
      ...pageFields({ size: 50, max: 100 }),
    }),
    output: z.object({ lines: z.array(payrunLine), nextCursor }),
  }),
  enterReturn: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/returns',
    operationId: 'enter_payrun_return',
    gate: 'admin',
    summary: 'Enter a returned payment',
    description:
      "Records that the bank did not make one coach's payment in a paid payrun, or returned it. Its bookings become payable again, its deductions are owed again, and the coach and all admins are emailed. A payment can be returned only once.",
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      payrunId,
      coachId,
      reason: oneLine()
        .min(1, "Enter the bank's reason.")
        .max(300, "The reason can't be longer than 300 characters.")
        .meta({ description: "The bank's reason, which the coach can read.", examples: ['Account closed'] }),
    }),
    output: z.object({ payrun }),
  }),
};
