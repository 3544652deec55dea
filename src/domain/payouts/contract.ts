import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { isPeriod, periodError } from '../period.ts';
import { oneLine } from '../text.ts';
import {
  fileLayouts,
  isSelection,
  payableFilter,
  paymentReference,
  payrunSelection,
  payrunStatuses,
  selectionError,
} from './payruns.ts';
import { bankCountries, bankCurrencies, bankDetailsInput, recipientTypes } from './rules.ts';

/** Bank details as they are shown: the numbers only masked. */
export const bankDetails = z.object({
  accountName: z.string(),
  maskedSortCode: z.string(),
  maskedAccountNumber: z.string(),
  recipientType: z.enum(recipientTypes),
  bankCountry: z.enum(bankCountries),
  currency: z.enum(bankCurrencies),
  updatedAt: z.string(),
});
export type BankDetails = z.output<typeof bankDetails>;

const cents = z.number().int();

/**
 * A coach's money, all of it since the beginning, in cents: gross − refunded − fee = net, net − paidOut = toCome.
 * `ready` is the part of `toCome` whose lessons are over. docs/decisions/0011 says what counts.
 */
export const earnings = z.object({
  grossCents: cents,
  refundedCents: cents,
  feeCents: cents,
  netCents: cents,
  paidOutCents: cents,
  toComeCents: cents,
  readyCents: cents,
  /** Twelve London months by the start of the lesson, the last one being this month; "2027-03". */
  months: z.array(z.object({ month: z.string(), netCents: cents, lessons: z.number().int() })),
  hasBankDetails: z.boolean(),
});
export type Earnings = z.output<typeof earnings>;

/**
 * One line of a coach's ledger: gross − fee = net, which leads from the balance before to `balanceCents`.
 * A refund has negative amounts; what is paid out is a negative net without gross and fee, and
 * what was kept back of a later payout after a refund is a positive one.
 */
export const earningsLine = z.object({
  lineId: z.number().int(),
  kind: z.enum(['booked', 'refunded', 'paidOut', 'keptBack']),
  at: z.string(),
  bookingId: z.uuid(),
  slotId: z.uuid(),
  title: z.string(),
  startTime: z.string(),
  customerName: z.string(),
  grossCents: cents,
  feeCents: cents,
  netCents: cents,
  balanceCents: cents,
});
export type EarningsLine = z.output<typeof earningsLine>;

/**
 * Why a booking is held, in cents: what its customer's bank is taking back or has, and what was refunded at the card network
 * itself and stands for no refund of ours. It is held while either is above zero.
 */
const heldMoney = { disputedCents: cents, refundedOutsideCents: cents };

/** A booking that a payrun can pay: the coach's share of it in cents. */
const payableBooking = z.object({
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
const payableCoach = z.object({
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
const payrunPreview = z.object({
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

const payrun = z.object({
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
});
export type Payrun = z.output<typeof payrun>;

/** A row of the payment file, in the order of its columns. */
const payrunCsvRow = z.object({
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

export const payoutsApi = {
  getBankDetails: endpoint({
    method: 'GET',
    path: '/api/coach/bank-details',
    operationId: 'get_bank_details',
    gate: 'coach',
    input: z.object({}),
    output: z.object({ bankDetails: bankDetails.nullable() }),
    summary: "The coach's own bank details, masked; null where none are saved yet.",
  }),
  saveBankDetails: endpoint({
    method: 'PUT',
    path: '/api/coach/bank-details',
    operationId: 'save_bank_details',
    gate: 'coach',
    input: bankDetailsInput,
    output: z.object({ bankDetails }),
    summary: "Saves or replaces the coach's own bank details; the coach is told by email.",
  }),
  getEarnings: endpoint({
    method: 'GET',
    path: '/api/coach/earnings',
    operationId: 'get_earnings',
    gate: 'coach',
    input: z.object({}),
    output: earnings,
    summary: "The coach's money from the ledger: all of it, what is to come, and the last twelve months.",
  }),
  listEarnings: endpoint({
    method: 'GET',
    path: '/api/coach/earnings/lines',
    operationId: 'list_earnings',
    gate: 'coach',
    input: z.object({
      /** The `lineId` after which the page begins. */
      cursor: z.coerce
        .number('This page of payments does not exist. Start again from the first one.')
        .int('This page of payments does not exist. Start again from the first one.')
        .min(1, 'This page of payments does not exist. Start again from the first one.')
        .optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    output: z.object({ lines: z.array(earningsLine), nextCursor: z.number().int().nullable() }),
    summary: "The coach's ledger with its balance, newest first, a page at a time.",
  }),
  listPayableBookings: endpoint({
    method: 'GET',
    path: '/api/admin/payable-bookings',
    operationId: 'admin_list_payable_bookings',
    gate: 'admin',
    input: z
      .object({
        ...payableFilter,
        /** Leaves out coaches who have not given bank details. */
        readyOnly: z.enum(['true', 'false']).default('false'),
        cursor: z.string().max(200).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(50),
      })
      .refine(isPeriod, periodError),
    output: z.object({ bookings: z.array(payableBooking), nextCursor: z.string().nullable() }),
    summary: 'Bookings whose lesson is over and whose coach is still to be paid, oldest lesson first.',
  }),
  listPayableCoaches: endpoint({
    method: 'GET',
    path: '/api/admin/payable-coaches',
    operationId: 'admin_list_payable_coaches',
    gate: 'admin',
    input: z.object(payableFilter).refine(isPeriod, periodError),
    output: z.object({
      coaches: z.array(payableCoach),
      /** Of all that match, also where the list of coaches is cut at 500. */
      bookingCount: z.number().int(),
      amountCents: cents,
    }),
    summary:
      'The payable bookings by coach with what can be paid of them, by name; at most 500 coaches, with the sums of all.',
  }),
  previewPayrun: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/preview',
    operationId: 'preview_payrun',
    gate: 'admin',
    input: z.object(payrunSelection).refine(isSelection, selectionError),
    output: payrunPreview,
    summary: 'What a payrun of this selection would pay to whom. Changes nothing.',
  }),
  listPayruns: endpoint({
    method: 'GET',
    path: '/api/admin/payruns',
    operationId: 'list_payruns',
    gate: 'admin',
    input: z.object({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    output: z.object({ payruns: z.array(payrun), nextCursor: z.string().nullable() }),
    summary: 'Payruns, newest first, a page at a time.',
  }),
  createPayrun: endpoint({
    method: 'POST',
    path: '/api/admin/payruns',
    operationId: 'create_payrun',
    gate: 'admin',
    input: z
      .object({
        ...payrunSelection,
        /** Of the preview that was shown. Where it differs by now, nothing is created: 409 `selection_changed`. */
        fingerprint: z.string().max(100).optional(),
        currency: z.literal('GBP', 'We can pay in pounds only.').default('GBP'),
        paymentReference: paymentReference.optional(),
      })
      .refine(isSelection, selectionError)
      .refine(({ matching, fingerprint }) => !matching || fingerprint !== undefined, {
        path: ['fingerprint'],
        message: 'Call preview_payrun first and pass its fingerprint.',
      }),
    output: z.object({ payrun }),
    summary: 'Puts payable bookings into a new payrun; a booking is in at most one that is not cancelled.',
  }),
  getPayrunCsvRows: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/csv-rows',
    operationId: 'get_payrun_csv_rows',
    gate: 'admin',
    input: z.object({ payrunId: z.uuid(), layout: z.enum(fileLayouts).default('standard') }),
    output: z.object({
      fileName: z.string(),
      rows: z.array(payrunCsvRow),
      /** The file itself, for each layout the same bytes every time. */
      csv: z.string(),
    }),
    summary:
      'The payment file of a payrun, a row per coach, with full account numbers; the audit log notes it.',
  }),
  markPayrunPaid: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/paid',
    operationId: 'mark_payrun_paid',
    gate: 'admin',
    input: z.object({
      payrunId: z.uuid(),
      /** The bank has sent it already, so it is marked although it pays bookings that are held. */
      despiteHolds: z.boolean().default(false),
    }),
    output: z.object({ payrun }),
    summary: 'Marks a pending payrun as paid, enters it into the ledger and emails its coaches.',
  }),
  cancelPayrun: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/cancellation',
    operationId: 'cancel_payrun',
    gate: 'admin',
    input: z.object({
      payrunId: z.uuid(),
      reason: oneLine()
        .min(1, 'Say why the payrun is cancelled.')
        .max(300, 'Keep the reason to 300 characters.'),
      /** No bank has used its file, nor will. Needed once the file was downloaded. */
      isFileUnused: z.boolean().default(false),
    }),
    output: z.object({ payrun }),
    summary: 'Cancels a pending payrun for good; its bookings are payable again and all admins are emailed.',
  }),
};
