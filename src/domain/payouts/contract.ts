import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { isPeriod, periodError } from '../period.ts';
import { oneLine } from '../text.ts';
import {
  type PayableBooking,
  type PayableCoach,
  type Payrun,
  type PayrunCsvRow,
  type PayrunPreview,
  payableBooking,
  payableCoach,
  payrun,
  payrunCsvRow,
  payrunPreview,
} from './payrun-shapes.ts';
import { checkSelection, fileLayouts, payableFilter, paymentReference, payrunSelection } from './payruns.ts';
import { bankCountries, bankCurrencies, bankDetailsInput, recipientTypes } from './rules.ts';

export type { PayableBooking, PayableCoach, Payrun, PayrunCsvRow, PayrunPreview };

/** Bank details as shown, with masked numbers. */
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
 * A coach's total money in cents: gross − refunded − fee = net, net − paidOut = toCome. `ready` is the part of
 * `toCome` whose lessons are over. docs/decisions/0011 says what counts.
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
 * One line of a coach's ledger: gross − fee = net, which leads from the previous balance to `balanceCents`. A refund
 * has negative amounts; a payout is a negative net without gross and fee, and an amount withheld from a later payout
 * after a refund is a positive one.
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

export const payoutsApi = {
  getBankDetails: endpoint({
    method: 'GET',
    path: '/api/coach/bank-details',
    operationId: 'get_bank_details',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ bankDetails: bankDetails.nullable() }),
    summary: "The coach's own bank details, masked; null where none are saved yet.",
  }),
  saveBankDetails: endpoint({
    method: 'PUT',
    path: '/api/coach/bank-details',
    operationId: 'save_bank_details',
    gate: 'signedIn',
    reauthenticate: true,
    input: bankDetailsInput,
    output: z.object({ bankDetails }),
    summary: "Saves or replaces the coach's own bank details; the coach is emailed.",
  }),
  getEarnings: endpoint({
    method: 'GET',
    path: '/api/coach/earnings',
    operationId: 'get_earnings',
    gate: 'signedIn',
    input: z.object({}),
    output: earnings,
    summary: "The coach's money from the ledger: all of it, what is to come, and the last twelve months.",
  }),
  listEarnings: endpoint({
    method: 'GET',
    path: '/api/coach/earnings/lines',
    operationId: 'list_earnings',
    gate: 'signedIn',
    input: z.object({
      /** The `lineId` of the previous page's last line. */
      cursor: z.coerce
        .number("This page doesn't exist. Start again from the first page.")
        .int("This page doesn't exist. Start again from the first page.")
        .min(1, "This page doesn't exist. Start again from the first page.")
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
        /** Leaves out coaches without bank details. */
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
      /** Of all matches, even if the list of coaches is cut at 500. */
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
    reauthenticate: false,
    input: z.object(payrunSelection).superRefine(checkSelection),
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
    reauthenticate: true,
    input: z
      .object({
        ...payrunSelection,
        /** Of the preview that was shown. If it differs by now, nothing is created: 409 `selection_changed`. */
        fingerprint: z.string().max(100).optional(),
        currency: z.literal('GBP', 'We can pay in pounds only.').default('GBP'),
        paymentReference: paymentReference.optional(),
      })
      .superRefine(checkSelection)
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
    reauthenticate: true,
    input: z.object({ payrunId: z.uuid(), layout: z.enum(fileLayouts).default('standard') }),
    output: z.object({
      fileName: z.string(),
      rows: z.array(payrunCsvRow),
      /** The file itself, with the same bytes every time for each layout. */
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
    reauthenticate: true,
    input: z.object({
      payrunId: z.uuid(),
      /** Confirms that the bank has already sent it, so it is marked paid although it contains held bookings. */
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
    reauthenticate: true,
    input: z.object({
      payrunId: z.uuid(),
      reason: oneLine()
        .min(1, 'Enter why the payrun is cancelled.')
        .max(300, "The reason can't be longer than 300 characters."),
      /** Confirms that no bank has used or will use its file. Required once the file was downloaded. */
      isFileUnused: z.boolean().default(false),
    }),
    output: z.object({ payrun }),
    summary: 'Cancels a pending payrun for good; its bookings are payable again and all admins are emailed.',
  }),
};
