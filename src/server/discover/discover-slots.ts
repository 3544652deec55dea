import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Location } from '#domain/catalogue/contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import type { discoverApi } from '#domain/discover/contract.ts';
import { AppError } from '#domain/errors.ts';
import { addDays, type Instant, instantOf, type PlainDate, toInstant } from '#domain/time.ts';
import { readLocation } from '#server/catalogue/location-columns.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readCursor, writeCursor } from './discover-cursor.ts';
import { writePageQuery } from './discover-sql.ts';
import { isCountNeeded, pickTemplateFilters } from './filter-conditions.ts';
import { chooseStrategy, createMatcher } from './match-templates.ts';

type DiscoverQuery = z.output<typeof discoverApi.discoverSlots.input>;
type Page = { slots: OpenSlot[]; nextCursor: string | null };

// Cached, because time zone calculations took 4% of the time of a search between two days.
const starts = new LRUCache<PlainDate, Instant>({
  max: 1_000,
  memoMethod: (date) => instantOf({ date, hour: 0, minute: 0 }).instant,
});
const startOf = (date: PlainDate) => starts.memo(date);

/**
 * Creates the reader for discover: open future slots of active, listed coaches, a page at a time, in order and without
 * gaps or repeats. The reader throws `unprocessable` for a cursor from another search and for a period that ends before
 * it begins.
 */
export function createDiscover(
  db: Database,
  choose: typeof chooseStrategy = chooseStrategy,
): (query: DiscoverQuery) => Promise<Page> {
  // The statements return camelCase columns themselves: renaming the columns again would cost more than reading them.
  const bare = db.withoutPlugins();
  const findMatch = createMatcher(bare);

  return async ({ cursor, limit, ...search }) => {
    const { sort, ...filters } = search;
    const { from, to } = filters;
    if (from && to && to < from) {
      const message = "The last day can't be before the first day.";
      throw new AppError('unprocessable', message, { fields: { to: message } });
    }
    const after = cursor ? readCursor(search, cursor) : null;
    const match = isCountNeeded(filters) ? await findMatch(filters, sort) : null;
    if (match?.matches === 0) return { slots: [], nextCursor: null };
    const rows = limit <= 20 ? 21 : 51;
    const now = Date.now();
    const isOfFew = Object.keys(pickTemplateFilters(filters)).length > 0;
    const query = writePageQuery({
      filters,
      mode: match?.mode ?? 'words',
      strategy: match ? choose(match, filters, sort) : isOfFew ? 'each' : 'walk',
      sort,
      from: from && Date.parse(startOf(from)) > now ? startOf(from) : toInstant(now),
      until: to ? startOf(addDays(to, 1)) : 'infinity',
      after:
        after && Date.parse(after.startTime) > now ? after : after && { ...after, startTime: toInstant(now) },
      rows,
    });
    const result = await bare.executeQuery<Row>(CompiledQuery.raw(query.text, query.values));
    const page = result.rows.slice(0, limit);
    const last = result.rows.length > limit ? page.at(-1) : undefined;
    return {
      // The row keeps the columns of the location. The response omits fields that the contract doesn't name.
      slots: page.map((row) => Object.assign(row, { location: readLocation(row) })),
      nextCursor: last ? writeCursor(search, last) : null,
    };
  };
}

type Row = Omit<OpenSlot, 'location'> & { [K in keyof Location]: Location[K] | null };
