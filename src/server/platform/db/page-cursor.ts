import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import { isInstant } from '#domain/time.ts';

const cursorPattern =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The end of a page in a list ordered by time: the instant and id of its last row. */
type PageEnd = { time: string; id: string };

const rowCounts = [4, 11, 21, 26, 31, 51, 101, 201];

/**
 * How many rows the query for a page of `limit` rows reads: at least one more, which shows whether there is a next
 * page.
 */
export const rowCountOfPage = (limit: number) => rowCounts.find((rows) => rows > limit) ?? limit + 1;

/**
 * SQL for {@link rowCountOfPage}. The limit is a literal, because PostgreSQL plans most statements with a bound limit
 * again at every call, and one of a few values, because each value makes a separate statement.
 */
export const rowsOfPage = (limit: number) => sql.lit(rowCountOfPage(limit));

/**
 * Returns the rows of a page and the cursor of the next page, or null on the last page. Query `rows` with the limit of
 * {@link rowsOfPage}.
 */
export function cutPage<Row>(rows: Row[], limit: number, endOf: (row: Row) => PageEnd) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  if (!last) return { page, nextCursor: null };
  const { time, id } = endOf(last);
  return { page, nextCursor: `${time}_${id}` };
}

/** Reads a cursor; undefined for the first page. Throws `unprocessable` for a malformed cursor. */
export function readPageCursor(cursor: string | undefined): PageEnd | undefined {
  if (cursor === undefined) return undefined;
  const [, time, id] = cursorPattern.exec(cursor) ?? [];
  if (time && id && isInstant(time)) return { time, id };
  const message = "This page of the list doesn't exist. Please start again from the first page.";
  throw new AppError('unprocessable', message, { fields: { cursor: message } });
}

/** Whether a text from a URL is a cursor of {@link cutPage}. */
export function isPageCursor(text: string): boolean {
  const [, time] = cursorPattern.exec(text) ?? [];
  return time !== undefined && isInstant(time);
}
