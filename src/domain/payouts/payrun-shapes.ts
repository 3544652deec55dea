import { z } from 'zod';
import { cents, instant, lessonTitle, personName } from '../fields.ts';
import { payoutWaits } from '../progress/rules.ts';
import { payrunStatuses } from './payruns.ts';
import { bankCountries, bankCurrencies, recipientTypes } from './rules.ts';

/**
 * Why a booking is withheld from payout, in minor units: the amount that the customer disputes, and the amount refunded
 * directly in Stripe rather than by us. The booking is withheld while either is above zero.
 */
const withheldMoney = { disputedCents: cents, refundedOutsideCents: cents };

export const payableBooking = z
  .object({
    bookingId: z.uuid(),
    coachId: z.uuid(),
    coachName: personName,
    customerName: personName,
    title: lessonTitle,
    endTime: instant,
    amountCents: cents,
    hasBankDetails: z
      .boolean()
      .describe("Whether the coach has saved bank details. Without them, the booking can't be selected."),
    isDisputed: z
      .boolean()
      .describe("Whether the customer disputes the payment. A disputed booking can't be selected."),
    ...withheldMoney,
    waitsFor: z
      .enum(payoutWaits)
      .nullable()
      .describe(
        "What the coach's business requires first, for at most 7 days after the lesson. Until it is done, the booking can't be selected.",
      ),
  })
  .meta({
    id: 'PayableBooking',
    description: "A booking that a payrun can pay, with the coach's share in minor units (pence).",
  });
export type PayableBooking = z.output<typeof payableBooking>;

export const payableCoach = z
  .object({
    coachId: z.uuid(),
    coachName: personName,
    hasBankDetails: z.boolean(),
    bookingCount: z.number().int(),
    amountCents: cents,
    waitingCount: z.number().int().describe("Other bookings that can't be paid yet."),
  })
  .meta({
    id: 'PayableCoach',
    description:
      "The payable bookings of one coach; `amountCents` is the coach's share of the bookings that can be paid now.",
  });
export type PayableCoach = z.output<typeof payableCoach>;

export const payrunPreview = z
  .object({
    bookingCount: z.number().int(),
    bookingsCents: cents,
    totalAmountCents: cents,
    fingerprint: z.string().meta({
      description: 'Changes if any booking or amount changes; `create_payrun` checks that it is current.',
      examples: ['b1946ac9'],
    }),
    coaches: z.array(
      z.object({
        coachId: z.uuid(),
        coachName: personName,
        bookingCount: z.number().int(),
        bookingsCents: cents,
        deductedCents: cents.describe('Refunds of bookings that had already been paid out.'),
        amountCents: cents,
      }),
    ),
    leftOut: z
      .array(z.object({ coachId: z.uuid(), coachName: personName, owedCents: cents }))
      .describe(
        'Coaches who owe at least as much as these bookings are worth; a selection by filter excludes them.',
      ),
  })
  .meta({
    id: 'PayrunPreview',
    description:
      'The amounts that a payrun of a selection would pay: bookingsCents − deductedCents = amountCents, by coach and in total.',
  });
export type PayrunPreview = z.output<typeof payrunPreview>;

export const payrun = z
  .object({
    payrunId: z.uuid(),
    status: z.enum(payrunStatuses),
    totalAmountCents: cents,
    currency: z.enum(bankCurrencies),
    paymentReference: z.string().meta({ examples: ['LESSONS MARCH'] }),
    createdAt: instant,
    paidAt: instant.nullable(),
    bookingCount: z.number().int(),
    coachCount: z.number().int(),
    exportedAt: instant.nullable().describe('When its file was first downloaded; null if never.'),
    cancelledAt: instant.nullable(),
    cancellationReason: z
      .string()
      .meta({ examples: ['A wrong amount'] })
      .nullable(),
    withheldBookings: z
      .array(z.object({ bookingId: z.uuid(), title: lessonTitle, coachName: personName, ...withheldMoney }))
      .describe(
        'Withheld bookings in a pending payrun. Such a payrun should be cancelled; marking it as paid needs a confirmation.',
      ),
    changedBankDetails: z
      .array(personName)
      .describe(
        'Coaches in a pending payrun whose bank details have changed since it was created; the payrun keeps the old details.',
      ),
    needsSecondAdmin: z
      .boolean()
      .describe("True if the payrun's creator may neither download its file nor mark it as paid."),
    returnedCount: z.number().int().describe('How many of its payments the bank returned.'),
    returnedCents: cents.describe('The sum of its returned payments.'),
    createdBy: z.object({ userId: z.uuid(), fullName: personName }),
    paidBy: personName
      .nullable()
      .describe('The admin who marked it as paid; null if nobody has, or if the name was not recorded.'),
    cancelledBy: personName.nullable(),
  })
  .meta({ id: 'Payrun', description: 'A batch of payments to coaches.' });
export type Payrun = z.output<typeof payrun>;

export const payrunCsvRow = z
  .object({
    name: personName,
    recipientType: z.enum(recipientTypes),
    accountNumber: z.string().meta({ examples: ['66374958'] }),
    sortCode: z.string().meta({ examples: ['089999'] }),
    recipientBankCountry: z.enum(bankCountries),
    currency: z.enum(bankCurrencies),
    amount: z
      .string()
      .meta({ description: 'Pounds with two decimal places, such as "123.40".', examples: ['123.40'] }),
    paymentReference: z.string().meta({ examples: ['LESSONS MARCH'] }),
  })
  .meta({ id: 'PayrunCsvRow', description: 'A row of the payment file, in the order of its columns.' });
export type PayrunCsvRow = z.output<typeof payrunCsvRow>;
