import { z } from 'zod';
import { payrunStatuses } from './payruns.ts';
import { bankCountries, bankCurrencies, recipientTypes } from './rules.ts';

const cents = z.number().int();

/**
 * Why a booking is held, in cents: disputed by the customer's bank, and refunded at the card network without a refund
 * of ours. It is held while either is above zero.
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
  /** Required before a booking can be selected. */
  hasBankDetails: z.boolean(),
  /** Disputed by the customer's bank; such a booking cannot be selected either. */
  isDisputed: z.boolean(),
  ...heldMoney,
});
export type PayableBooking = z.output<typeof payableBooking>;

/** The payable bookings of one coach together; `amountCents` is the share of those that are ready. */
export const payableCoach = z.object({
  coachId: z.uuid(),
  coachName: z.string(),
  hasBankDetails: z.boolean(),
  bookingCount: z.number().int(),
  amountCents: cents,
  /** Further bookings that must wait. */
  waitingCount: z.number().int(),
});
export type PayableCoach = z.output<typeof payableCoach>;

/** What a payrun of a selection would pay; bookingsCents − takenOffCents = amountCents, by coach and in total. */
export const payrunPreview = z.object({
  bookingCount: z.number().int(),
  bookingsCents: cents,
  totalAmountCents: cents,
  /** Changes with any booking or amount; `create_payrun` compares it. */
  fingerprint: z.string(),
  coaches: z.array(
    z.object({
      coachId: z.uuid(),
      coachName: z.string(),
      bookingCount: z.number().int(),
      bookingsCents: cents,
      /** Refunds of bookings paid out earlier. */
      takenOffCents: cents,
      amountCents: cents,
    }),
  ),
  /** Coaches who owe at least as much as these bookings are worth; a selection by filter excludes them. */
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
  /** When its file was first downloaded; null if never. */
  exportedAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  cancellationReason: z.string().nullable(),
  /** Held bookings of a pending payrun. It should be cancelled, and is marked as paid only after confirmation. */
  heldBookings: z.array(
    z.object({ bookingId: z.uuid(), title: z.string(), coachName: z.string(), ...heldMoney }),
  ),
  /** Coaches of a pending payrun whose bank details have changed since; the payrun keeps the old ones. */
  changedBankDetails: z.array(z.string()),
  /** Its creator may neither download its file nor mark it as paid: `refusePayrunStep`. */
  needsSecondAdmin: z.boolean(),
  createdBy: z.object({ userId: z.uuid(), fullName: z.string() }),
  /** The admin who marked it as paid; null if nobody has, or if the name was not recorded. */
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
