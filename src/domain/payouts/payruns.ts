import { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { isPeriod, periodError, periodFields } from '../period.ts';
import { shortReference } from '../reference.ts';

/** A pending payrun is paid or cancelled once; both are final. */
export const payrunStatuses = ['pending', 'paid', 'cancelled'] as const;

/**
 * The layouts of the payment file. `standard` has the platform's original columns; `revolut` is the format for
 * Revolut Business's bulk payments, with that bank's own header and recipient types.
 */
export const fileLayouts = ['standard', 'revolut'] as const;
export type FileLayout = (typeof fileLayouts)[number];

/** The maximum number of bookings in one payrun, so that its transaction stays short. */
export const largestPayrun = 5000;

/** The maximum number of bookings that one request can name by id. */
export const maxNamedBookings = 1000;

/** Filters for payable bookings: by coach (`search`) and by the date on which the lesson ended (London time). */
export const payableFilter = {
  search: z
    .string()
    .trim()
    .max(100, "A search can't be longer than 100 characters.")
    .optional()
    .meta({ description: "Part of the coach's name or email address.", examples: ['alex'] }),
  ...periodFields,
};

/** The bookings of a payrun: by id, or all payable bookings that match a filter. */
export const payrunSelection = {
  bookingIds: z
    .array(z.uuid())
    .min(1, 'No bookings selected')
    .max(
      maxNamedBookings,
      `List at most ${maxNamedBookings.toLocaleString('en-GB')} bookings, or select by filter.`,
    )
    .optional(),
  matching: z
    .object({
      ...payableFilter,
      coachIds: z
        .array(z.uuid())
        .min(1, 'No coaches selected')
        .max(500, 'Select at most 500 coaches.')
        .optional()
        .describe('Only bookings of these coaches.'),
      exceptBookingIds: z
        .array(z.uuid())
        .max(maxNamedBookings, `Leave out at most ${maxNamedBookings.toLocaleString('en-GB')} bookings.`)
        .optional()
        .describe('Matching bookings to leave out.'),
    })
    .refine(isPeriod, periodError)
    .optional(),
};

type Selection = { bookingIds?: unknown; matching?: unknown };

/** For `superRefine`: a selection has exactly one of `bookingIds` and `matching`. */
export function checkSelection({ bookingIds, matching }: Selection, context: z.RefinementCtx): void {
  if (bookingIds && matching) {
    const message = 'Select bookings by id or by filter, not both.';
    context.addIssue({ code: 'custom', path: ['matching'], message });
  } else if (!bookingIds && !matching) {
    context.addIssue({ code: 'custom', path: ['bookingIds'], message: 'No bookings selected' });
  }
}

/**
 * The reference on the coach's bank statement: within UK banks' limit of 18 characters, and never read as a formula
 * by a spreadsheet.
 */
export const paymentReference = z
  .string()
  .trim()
  .min(1, 'Enter a reference, or leave it out.')
  .max(18, "The reference can't be longer than 18 characters.")
  .regex(/^[A-Za-z0-9 &\-./]*$/, 'Banks accept only plain letters, digits, spaces and & - . /')
  .regex(/^[A-Za-z0-9]/, 'Begin the reference with a letter or a digit.')
  .meta({ description: "The reference on the coach's bank statement.", examples: ['LESSONS MARCH'] });

/**
 * Why this admin may not download a payrun's file or mark it as paid; null if they may. If two admins are required, the
 * payrun's creator may not.
 */
export function refusePayrunStep(
  payrun: { needsSecondAdmin: boolean; createdBy: string },
  adminId: string,
): Refusal {
  if (!payrun.needsSecondAdmin || payrun.createdBy !== adminId) return null;
  return {
    code: 'conflict',
    message: 'You created this payrun. Another admin has to download its file and mark it as paid.',
  };
}

/** Why a payment of a payrun with this status cannot have been returned by the bank; null if it can. */
export function refuseReturn(status: (typeof payrunStatuses)[number]): Refusal {
  if (status === 'paid') return null;
  const message =
    status === 'pending'
      ? "This payrun isn't marked as paid yet. Mark it as paid, then enter the payments that the bank returned."
      : 'This payrun has been cancelled, so none of it was paid.';
  return { code: 'conflict', message };
}

/** The default reference: "PAYRUN 1A2B3C4D". */
export function defaultReference(payrunId: string): string {
  return `PAYRUN ${shortReference(payrunId).toUpperCase()}`;
}

/** The payment file's name: "payrun-1a2b3c4d.csv", with the layout's name unless it is the default. */
export function payrunFileName(payrunId: string, layout: FileLayout = 'standard'): string {
  return `payrun-${shortReference(payrunId)}${layout === 'standard' ? '' : `-${layout}`}.csv`;
}
