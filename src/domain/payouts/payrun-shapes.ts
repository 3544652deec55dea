import { z } from 'zod';
import { payrunStatuses } from './payruns.ts';
import { bankCountries, bankCurrencies, recipientTypes } from './rules.ts';

const cents = z.number().int();

/**
 * Why a booking is held, in cents: what its customer's bank is taking back or has, and what was refunded at the card network
 * itself and stands for no refund of ours. It is held while either is above zero.
 */
const heldMoney = { disputedCents: cents, refundedOutsideCents: cents };

/** A booking that a payrun can pay: the coach's share of it in cents. */
export const payableBooking = z.object({
  bookingId: z.uuid(),
  coachId: z.uuid(),
  coachName: z.string(),
  customerName: z.string(),
  title: z.string(),
  endTime: z.string(),
  amountCents: cents,
  /** Without them a booking cannot be selected. */
  hasBankDetails: z.boolean(),
  /** The customer's bank is taking the money back, or has; such a booking cannot be selected either. */
  isDisputed: z.boolean(),
  ...heldMoney,
});
export type PayableBooking = z.output<typeof payableBooking>;

/** The payable bookings of one coach together; `amountCents` is their share of those that can be paid. */
export const payableCoach = z.object({
  coachId: z.uuid(),
  coachName: z.string(),
  hasBankDetails: z.boolean(),
  bookingCount: z.number().int(),
  amountCents: cents,
  /** Bookings beside these that must wait. */
  waitingCount: z.number().int(),
});
export type PayableCoach = z.output<typeof payableCoach>;

/** What a payrun of a selection would pay; bookingsCents − takenOffCents = amountCents, by coach and in all. */
export const payrunPreview = z.object({
  bookingCount: z.number().int(),
  bookingsCents: cents,
  totalAmountCents: cents,
  /** Differs as soon as one booking or amount does; `create_payrun` compares it. */
  fingerprint: z.string(),
  coaches: z.array(
    z.object({
      coachId: z.uuid(),
      coachName: z.string(),
      bookingCount: z.number().int(),
      bookingsCents: cents,
      /** Refunds of bookings that were paid out earlier. */
      takenOffCents: cents,
      amountCents: cents,
    }),
  ),
  /** Coaches who owe at least as much as these bookings are worth; a selection by filter leaves them out. */
  leftOut: z.array(z.object({ coachId: z.uuid(), coachName: z.string(), owedCents: cents })),
});
export type PayrunPreview = z.output<typeof payrunPreview>;

export const payrun = z.object({
  payrunId: z.uuid(),
  status: z.enum(payrunStatuses),
  totalAmountCents: cents,
  currency: z.enum(bankCurrencies),
  paymentReference: z.string(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  bookingCount: z.number().int(),
  coachCount: z.number().int(),
  /** When its file was first downloaded; null where nobody has. */
  exportedAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  cancellationReason: z.string().nullable(),
  /** Bookings of a pending payrun that are held: it should be cancelled, and is not marked as paid without a word. */
  heldBookings: z.array(
    z.object({ bookingId: z.uuid(), title: z.string(), coachName: z.string(), ...heldMoney }),
  ),
  /** Coaches of a pending payrun who have changed their bank details since; it keeps the former ones. */
  changedBankDetails: z.array(z.string()),
  /** Its creator may neither download its file nor mark it as paid: `refusePayrunStep`. */
  needsSecondAdmin: z.boolean(),
  createdBy: z.object({ userId: z.uuid(), fullName: z.string() }),
  /** The name of the admin who marked it as paid; null where nobody has, or who did was not kept. */
  paidBy: z.string().nullable(),
});
export type Payrun = z.output<typeof payrun>;

/** A row of the payment file, in the order of its columns. */
export const payrunCsvRow = z.object({
  name: z.string(),
  recipientType: z.enum(recipientTypes),
  accountNumber: z.string(),
  sortCode: z.string(),
  recipientBankCountry: z.enum(bankCountries),
  currency: z.enum(bankCurrencies),
  /** Pounds with two decimals, "123.40". */
  amount: z.string(),
  paymentReference: z.string(),
});
export type PayrunCsvRow = z.output<typeof payrunCsvRow>;
