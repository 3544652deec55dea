import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, csvFile, instant, nextCursor, pageFields } from '../fields.ts';
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

export const bankDetails = z
  .object({
    accountName: z.string().meta({ examples: ['Alex Morgan'] }),
    maskedSortCode: z.string().meta({ examples: ['••-••-56'] }),
    maskedAccountNumber: z.string().meta({ examples: ['••••5678'] }),
    recipientType: z.enum(recipientTypes),
    bankCountry: z.enum(bankCountries),
    currency: z.enum(bankCurrencies),
    updatedAt: instant.describe('When they were last saved.'),
  })
  .meta({ id: 'BankDetails', description: 'Bank details as shown, with masked numbers.' });
export type BankDetails = z.output<typeof bankDetails>;

const payrunId = z.uuid().describe('The payrun.');

/**
 * Endpoints for coaches' bank details, and for the payruns that admins create. Coaches' earnings are in
 * earnings-contract.ts.
 */
export const payoutsApi = {
  getBankDetails: endpoint({
    method: 'GET',
    path: '/api/coach/bank-details',
    operationId: 'get_bank_details',
    gate: 'signedIn',
    summary: 'Get my bank details',
    description: "The coach's own bank details, masked; null if none are saved yet.",
    refusals: ['forbidden'],
    input: z.object({}),
    output: z.object({ bankDetails: bankDetails.nullable() }),
  }),
  saveBankDetails: endpoint({
    method: 'PUT',
    path: '/api/coach/bank-details',
    operationId: 'save_bank_details',
    gate: 'signedIn',
    summary: 'Save my bank details',
    description: "Saves or replaces the coach's own bank details; the coach is emailed.",
    refusals: ['forbidden', 'not_found'],
    reauthenticate: true,
    input: bankDetailsInput,
    output: z.object({ bankDetails }),
  }),
  listPayableBookings: endpoint({
    method: 'GET',
    path: '/api/admin/payable-bookings',
    operationId: 'admin_list_payable_bookings',
    gate: 'admin',
    summary: 'List payable bookings',
    description:
      "Bookings of past lessons for which money is due to the coach and which are in no payrun; cancelled payruns don't count. `from` and `to` are the dates on which the lessons ended. Oldest lesson first, a page at a time.",
    input: z
      .object({
        ...payableFilter,
        readyOnly: z
          .enum(['true', 'false'])
          .default('false')
          .describe('Whether to leave out coaches without bank details.'),
        ...pageFields({ size: 50, max: 100 }),
      })
      .refine(isPeriod, periodError),
    output: z.object({ bookings: z.array(payableBooking), nextCursor }),
  }),
  listPayableCoaches: endpoint({
    method: 'GET',
    path: '/api/admin/payable-coaches',
    operationId: 'admin_list_payable_coaches',
    gate: 'admin',
    summary: 'List payable coaches',
    description:
      'Coaches with payable bookings and the amounts that can be paid, in order of name; at most 500 coaches. The totals cover all matching coaches. `from` and `to` are the dates on which the lessons ended.',
    input: z.object(payableFilter).refine(isPeriod, periodError),
    output: z.object({
      coaches: z.array(payableCoach),
      bookingCount: z
        .number()
        .int()
        .describe(
          'The number of bookings that can be paid now, including those of matching coaches beyond the first 500.',
        ),
      amountCents: cents.describe('The total that can be paid now, in minor units (pence).'),
    }),
  }),
  previewPayrun: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/preview',
    operationId: 'preview_payrun',
    gate: 'admin',
    summary: 'Preview a payrun',
    description: 'Shows what a payrun of this selection would pay each coach. Changes nothing.',
    refusals: ['conflict', 'not_found'],
    reauthenticate: false,
    input: z.object(payrunSelection).superRefine(checkSelection),
    output: payrunPreview,
  }),
  listPayruns: endpoint({
    method: 'GET',
    path: '/api/admin/payruns',
    operationId: 'list_payruns',
    gate: 'admin',
    summary: 'List payruns',
    description: 'Payruns, newest first, a page at a time.',
    input: z.object(pageFields({ size: 20, max: 50 })),
    output: z.object({ payruns: z.array(payrun), nextCursor }),
  }),
  createPayrun: endpoint({
    method: 'POST',
    path: '/api/admin/payruns',
    operationId: 'create_payrun',
    gate: 'admin',
    summary: 'Create a payrun',
    description:
      'Creates a payrun from payable bookings. A booking can be in at most one payrun that is not cancelled.',
    refusals: ['conflict', 'selection_changed', 'not_found'],
    reauthenticate: true,
    input: z
      .object({
        ...payrunSelection,
        fingerprint: z
          .string()
          .meta({ examples: ['b1946ac9'] })
          .max(100)
          .optional()
          .describe(
            "The preview's fingerprint. If the selection has changed since, the call fails with `selection_changed` and creates nothing.",
          ),
        currency: z.literal('GBP', 'We can only pay in pounds.').default('GBP'),
        paymentReference: paymentReference.optional(),
      })
      .superRefine(checkSelection)
      .refine(({ matching, fingerprint }) => !matching || fingerprint !== undefined, {
        path: ['fingerprint'],
        message: 'Call preview_payrun first and pass its fingerprint.',
      }),
    output: z.object({ payrun }),
  }),
  getPayrunCsvRows: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/csv-rows',
    operationId: 'get_payrun_csv_rows',
    gate: 'admin',
    summary: 'Download the payment file',
    description:
      'The payment file of a payrun, one row for each coach, with full account numbers. Downloading the same layout again returns identical bytes. The audit log records the download.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      payrunId,
      layout: z.enum(fileLayouts).default('standard').describe('The columns of the file.'),
    }),
    output: z.object({
      ...csvFile,
      rows: z.array(payrunCsvRow),
    }),
  }),
  markPayrunPaid: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/paid',
    operationId: 'mark_payrun_paid',
    gate: 'admin',
    summary: 'Mark a payrun as paid',
    description: 'Marks a pending payrun as paid, enters it in the ledger and emails its coaches.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      payrunId,
      despiteWithheld: z
        .boolean()
        .default(false)
        .describe(
          "Confirms that the bank has already sent the payrun's payments, so that it can be marked as paid despite withheld bookings.",
        ),
    }),
    output: z.object({ payrun }),
  }),
  cancelPayrun: endpoint({
    method: 'POST',
    path: '/api/admin/payruns/:payrunId/cancellation',
    operationId: 'cancel_payrun',
    gate: 'admin',
    summary: 'Cancel a payrun',
    description:
      'Permanently cancels a pending payrun. Its bookings become payable again, and all admins are emailed.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      payrunId,
      reason: oneLine()
        .min(1, 'Enter a reason for cancelling the payrun.')
        .max(300, "The reason can't be longer than 300 characters.")
        .meta({ description: 'The reason for cancelling.', examples: ['A wrong amount'] }),
      isFileUnused: z
        .boolean()
        .default(false)
        .describe(
          "Confirms that no bank has processed, or will process, the payrun's file. Required once the file has been downloaded.",
        ),
    }),
    output: z.object({ payrun }),
  }),
};
