import { createHash } from 'node:crypto';
import { AppError } from '#domain/errors.ts';
import { type Instant, isInstant } from '#domain/time.ts';

/** The last slot of a page; the next page begins after it. */
export type Position = { priceCents: number; startTime: Instant; slotId: string };

const pattern =
  /^([\w-]{10})\.(\d{1,7})\.(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

// A cursor is valid only for the filters and the order that it was created for.
const fingerprint = (search: object) =>
  createHash('sha1')
    .update(JSON.stringify(search, Object.keys(search).sort()))
    .digest('base64url')
    .slice(0, 10);

/** Encodes a position as the opaque cursor of the next page. `search` contains the filters and the order. */
export function writeCursor(search: object, { priceCents, startTime, slotId }: Position): string {
  return Buffer.from(`${fingerprint(search)}.${priceCents}.${startTime}.${slotId}`).toString('base64url');
}

/** Decodes a cursor that {@link writeCursor} created for the same search; throws `unprocessable` for any other text. */
export function readCursor(search: object, cursor: string): Position {
  const [, found, price, startTime = '', slotId = ''] =
    pattern.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (found !== fingerprint(search) || !isInstant(startTime)) {
    const message = "This page doesn't belong to this search. Start again from the first page.";
    throw new AppError('unprocessable', message, { fields: { cursor: message } });
  }
  return { priceCents: Number(price), startTime, slotId };
}
