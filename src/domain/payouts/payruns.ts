import { z } from 'zod';

/** A pending payrun is paid once, and stays paid. */
export const payrunStatuses = ['pending', 'paid'] as const;

/** So many bookings fit into one payrun, for the sake of a transaction that stays short. */
export const largestPayrun = 1000;

/**
 * The reference on the coach's bank statement: what UK banks take (18 characters), and what no spreadsheet
 * reads as a formula.
 */
export const paymentReference = z
  .string()
  .trim()
  .min(1, 'Type a reference, or leave it out.')
  .max(18, 'Keep the reference to 18 characters.')
  .regex(/^[A-Za-z0-9 &\-./]*$/, 'Banks take plain letters, digits, spaces and & - . / only.')
  .regex(/^[A-Za-z0-9]/, 'Begin the reference with a letter or a digit.');

/** The reference of a payrun that was given none: "PAYRUN 1A2B3C4D". */
export function defaultReference(payrunId: string): string {
  return `PAYRUN ${payrunId.slice(0, 8).toUpperCase()}`;
}

/** What the payment file is called: "payrun-1a2b3c4d.csv". */
export function payrunFileName(payrunId: string): string {
  return `payrun-${payrunId.slice(0, 8)}.csv`;
}

/** Integer cents (pence) as the payment file has them: 12340 → "123.40". */
export function formatFileAmount(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
