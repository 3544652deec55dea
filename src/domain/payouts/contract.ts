import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
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
 * A refund has negative amounts; what is paid out is a negative net without gross and fee.
 */
export const earningsLine = z.object({
  lineId: z.number().int(),
  kind: z.enum(['booked', 'refunded', 'paidOut']),
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
};
