import { stringify } from 'csv-stringify/sync';
import { formatFileAmount } from '#domain/money.ts';
import { type Instant, lessonTimeZone, wallTimeOf } from '#domain/time.ts';

/** Column by column: its name in the file, and what it says for a row: a text, or an amount of money. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | { cents: number }>;

/**
 * Writes a CSV file with a header, as the fields `csvFile` of a contract: UTF-8, CRLF. A text that a spreadsheet would
 * take for a formula gets an apostrophe (OWASP, CSV injection). `{ cents: -4950 }` is written as -49.50; days and times
 * by the functions below.
 */
export function writeCsv<Row>({
  fileName,
  columns,
  rows,
}: {
  fileName: string;
  columns: CsvColumns<Row>;
  rows: readonly Row[];
}): { fileName: string; csv: string } {
  const cells = rows.map((row) => Object.values(columns).map((read) => read(row)));
  const csv = stringify([Object.keys(columns), ...cells], {
    record_delimiter: 'windows',
    // Readers take a line break of any kind for the end of a row, the writer only CRLF.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { object: ({ cents }) => ({ value: formatFileAmount(Number(cents)), escape_formulas: false }) },
  });
  return { fileName, csv };
}

/** The name of a file that was made today: "payments-2027-03-28.csv". */
export const datedCsvName = (name: string): string => `${name}-${csvDay(Date.now())}.csv`;

/** The day in London: "2027-03-28". A time without a day is `formatTime` of domain/time.ts. */
export const csvDay = (instant: number | Instant): string => wallTimeOf(instant).date;

// Sweden writes times as ISO 8601 does.
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: lessonTimeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Day and time in London: "2027-03-28 14:05:09". */
export const csvTime = (instant: Instant): string => clock.format(Date.parse(instant));
