import { stringify } from 'csv-stringify/sync';
import { formatFileAmount } from '#domain/money.ts';
import { type Instant, lessonTimeZone, wallTimeOf } from '#domain/time.ts';

/** The file's columns by name. Each function returns a row's cell: text or an amount of money. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | { cents: number }>;

/**
 * Writes a CSV file with a header and CRLF line ends. Returns the fields of `csvFile` in domain/fields.ts. Text that a
 * spreadsheet would treat as a formula is prefixed with an apostrophe (OWASP, CSV injection). `{ cents: -4950 }` is
 * written as -49.50; the functions below format days and times.
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
  return { fileName, csv: writeHead(columns) + writeRows(columns, rows) };
}

/**
 * Writes a CSV file like {@link writeCsv}, but a batch of rows at a time. Yields the header first, even if there are no
 * rows.
 */
export async function* writeCsvBatches<Row>(
  columns: CsvColumns<Row>,
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, void> {
  yield writeHead(columns);
  for await (const rows of batches) yield writeRows(columns, rows);
}

const writeHead = (columns: CsvColumns<never>): string => writeCells([Object.keys(columns)]);

const writeRows = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  writeCells(rows.map((row) => Object.values(columns).map((read) => read(row))));

function writeCells(cells: (string | { cents: number })[][]): string {
  return stringify(cells, {
    record_delimiter: 'windows',
    // CSV readers end a row at any kind of line break, but by default CRLF is the only one that the library quotes.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { object: ({ cents }) => ({ value: formatFileAmount(Number(cents)), escape_formulas: false }) },
  });
}

/** A file name with today's date in London: "payments-2027-03-28.csv". */
export const datedCsvName = (name: string): string => `${name}-${csvDay(Date.now())}.csv`;

/** The day in London: "2027-03-28". For a time without a day, use `formatTime` of domain/time.ts. */
export const csvDay = (instant: number | Instant): string => wallTimeOf(instant).date;

// Swedish dates and times are written as in ISO 8601.
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: lessonTimeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Day and time in London: "2027-03-28 14:05:09". */
export const csvTime = (instant: Instant): string => clock.format(Date.parse(instant));
