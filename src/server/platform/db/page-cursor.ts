import { AppError } from '#domain/errors.ts';
import { isInstant } from '#domain/time.ts';

const cursorPattern =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The end of a page in a list ordered by time: the instant and id of its last row. */
type PageEnd = { time: string; id: string };

/**
 * Returns the rows of a page and the cursor of the next page, or null on the last page. Query `rows` with a limit of
 * `limit + 1`, which shows whether there is a next page.
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
