import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { csvFile } from '../fields.ts';
import { isoDate, isPeriod, periodError } from '../period.ts';

/** The records that admins can export, with their label and the label of the date by which a period filters them. */
export const exports = {
  bookings: { label: 'Bookings', dateLabel: 'Booked' },
  payments: { label: 'Payments and refunds', dateLabel: 'Made' },
  payruns: { label: 'Payruns', dateLabel: 'Created' },
} as const;
export type ExportName = keyof typeof exports;
export const exportNames = Object.keys(exports) as [ExportName, ...ExportName[]];

const longestMs = 366 * 86_400_000;

/** True for a period of more than 366 days. An invalid date passes, because the field's own check reports it. */
const isTooLong = ({ from, to }: { from: string; to: string }) =>
  Date.parse(to) - Date.parse(from) >= longestMs;

/** The endpoint that exports records for bookkeeping. */
export const exportsApi = {
  exportRecords: endpoint({
    method: 'POST',
    path: '/api/admin/exports',
    operationId: 'export_records',
    gate: 'admin',
    summary: 'Export records',
    description:
      'Exports the bookings, the payments and refunds, or the payruns of up to a year as CSV, oldest first. The dates are those on which bookings, payments and refunds were made, or payruns were created. A payment or refund has a row for each of its bookings; a refund made in Stripe that nobody has entered has one row. A payrun has a row for each booking and each deduction. The response is streamed. The audit log records the export.',
    // The file names everyone who booked or coached in the period.
    reauthenticate: true,
    input: z
      .object({
        records: z.enum(exportNames).describe('Which records to export.'),
        from: isoDate.describe('The first date (London time), inclusive.'),
        to: isoDate.describe('The last date (London time), inclusive.'),
      })
      .refine(isPeriod, periodError)
      .refine((period) => !isTooLong(period), {
        path: ['to'],
        message: 'A file can cover up to a year. Export each year separately.',
      }),
    output: z.object(csvFile),
  }),
};
