import { z } from 'zod';
import { cents, count, instant, lessonTitle, personName } from '../fields.ts';
import { payoutWaits } from '../progress/rules.ts';

export const earnings = z
  .object({
    grossCents: cents,
    refundedCents: cents,
    feeCents: cents,
    netCents: cents,
    paidOutCents: cents,
    toComeCents: cents,
    readyCents: cents,
    months: z
      .array(
        z.object({
          month: z.string().meta({ description: 'The month, as in 2027-03.', examples: ['2027-03'] }),
          netCents: cents,
          lessons: z.number().int(),
        }),
      )
      .describe(
        'The last twelve months, including this month (London time), oldest first. A lesson counts in the month in which it starts.',
      ),
    hasBankDetails: z.boolean(),
    waitingCount: count.describe('Lessons whose payout waits for attendance or a note.'),
    waitingCents: cents.describe("The coach's share of these lessons, in minor units (pence)."),
  })
  .meta({
    id: 'Earnings',
    description:
      "A coach's money in total: gross − refunded − fee = net, net − paidOut = toCome. Amounts in minor units (pence). `readyCents` is the part of `toComeCents` from lessons that are over.",
  });
export type Earnings = z.output<typeof earnings>;

export const earningsLine = z
  .object({
    lineId: z.number().int(),
    kind: z.enum(['booked', 'refunded', 'paidOut', 'deducted', 'returned']),
    at: instant.describe('When the line was entered in the ledger.'),
    bookingId: z.uuid(),
    slotId: z.uuid(),
    title: lessonTitle,
    startTime: instant,
    customerName: personName,
    grossCents: cents,
    feeCents: cents,
    netCents: cents,
    balanceCents: cents,
  })
  .meta({
    id: 'EarningsLine',
    description:
      "One line of a coach's ledger: gross − fee = net; `balanceCents` is the previous balance plus net. A refund has negative amounts. A payout is a negative net without gross and fee. An amount deducted from a later payout after a refund is a positive net. `returned` reverses a payout or a deduction, because the bank returned the payment.",
  });
export type EarningsLine = z.output<typeof earningsLine>;

export const waitingPayout = z
  .object({
    bookingId: z.uuid(),
    slotId: z.uuid(),
    title: lessonTitle,
    startTime: instant,
    participantName: personName,
    amountCents: cents,
    waitsFor: z.enum(payoutWaits),
    payableAt: instant.describe('When the lesson can be paid out in any case.'),
  })
  .meta({
    id: 'WaitingPayout',
    description: "A lesson whose payout waits for attendance or a note, which the coach's business requires.",
  });
export type WaitingPayout = z.output<typeof waitingPayout>;
