import { CompiledQuery } from 'kysely';
import type { z } from 'zod';
import type { catalogueApi, Location, OpenSlot } from '#domain/catalogue/contract.ts';
import { AppError } from '#domain/errors.ts';
import { addDays, instantOf, type PlainDate, toInstant } from '#domain/time.ts';
import type { Database } from '../platform/db.ts';
import { readCursor, writeCursor } from './discover-cursor.ts';
import { type Strategy, writePageQuery } from './discover-sql.ts';
import { readLocation } from './queries.ts';
import { type SearchMode, type TemplateFilters, templateCondition } from './wanted-templates.ts';

type Question = z.output<typeof catalogueApi.discoverSlots.input>;
type Page = { slots: OpenSlot[]; nextCursor: string | null };
type Match = { mode: SearchMode; matches: number; total: number };

/** Beyond this many templates a count is only "many". */
const countLimit = 10_000;
const countTtlMs = 30_000;
const countsKept = 2_000;

const startOf = (date: PlainDate) => instantOf({ date, hour: 0, minute: 0 }).instant;

/**
 * Makes the reader of discover: open future slots of active coaches, a page at a time, in an order without
 * gaps or repeats. It remembers for half a minute how many templates a set of filters matches, which decides
 * how the page is read and never what is on it. Throws `unprocessable` for a cursor of another search.
 */
export function createDiscover(
  db: Database,
  choose: typeof chooseStrategy = chooseStrategy,
): (question: Question) => Promise<Page> {
  // Column names are given in the statements themselves: mapping them again costs more than reading them.
  const bare = db.withoutPlugins();
  const counts = new Map<string, Match & { until: number }>();

  async function countTemplates(filters: TemplateFilters, mode: SearchMode): Promise<Match> {
    const values: unknown[] = [];
    const wanted = templateCondition(filters, mode, (value) => `$${values.push(value)}`);
    const { rows } = await bare.executeQuery<{ matches: number; total: number }>(
      CompiledQuery.raw(
        `select (select count(*) from (select 1 from lesson_templates t where ${wanted} limit ${countLimit}) x) as matches,
          (select greatest(reltuples, 1)::int from pg_class where oid = 'lesson_templates'::regclass) as total`,
        values,
      ),
    );
    return { mode, ...rows[0]! };
  }

  async function findMatch(filters: TemplateFilters): Promise<Match> {
    const key = JSON.stringify([filters.search, filters.sport, filters.coachId, filters.place]);
    const known = counts.get(key);
    if (known && known.until > Date.now()) return known;
    let match = await countTemplates(filters, 'words');
    const isWordless = match.matches === 0 && (filters.search?.length ?? 0) >= 3;
    if (isWordless) match = await countTemplates(filters, 'letters');
    if (counts.size >= countsKept) counts.delete(counts.keys().next().value!);
    counts.delete(key);
    counts.set(key, { ...match, until: Date.now() + countTtlMs });
    return match;
  }

  return async ({ search, type, sort, coachId, sport, place, from, to, cursor, limit }) => {
    if (from && to && to < from) {
      const message = 'The last day is before the first. Choose a later one.';
      throw new AppError('unprocessable', message, { fields: { to: message } });
    }
    const identity = [search, type, sort, coachId, sport, place, from, to];
    const after = cursor ? readCursor(identity, cursor) : null;
    const filters: TemplateFilters = { search, sport, coachId, place };
    const match = search || coachId || place ? await findMatch(filters) : null;
    if (match?.matches === 0) return { slots: [], nextCursor: null };
    const rows = limit <= 20 ? 21 : 51;
    const now = Date.now();
    const query = writePageQuery({
      filters,
      mode: match?.mode ?? 'words',
      strategy: match ? choose(match, filters, sort !== 'earliest') : 'walk',
      type,
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
      slots: page.map((row) => ({ ...row, location: readLocation(row) })),
      nextCursor: last ? writeCursor(identity, last) : null,
    };
  };
}

type Row = Omit<OpenSlot, 'location'> & { [K in keyof Location]: string | null };

/**
 * The cheapest way by what was measured on a million slots, in microseconds: 10 to ask one template for its next
 * slots by start; 1.2 by price, where only the cheapest are asked; 0.8 to put one into a set; 0.3 to pass a slot of
 * the walk; 2.5 to read a slot's template.
 */
export function chooseStrategy(
  { matches, total }: Omit<Match, 'mode'>,
  { search, coachId, sport }: TemplateFilters,
  isByPrice: boolean,
): Strategy {
  // A sport has an index of its own; one of them is about a tenth of all.
  const walkedOver = Math.max(sport ? total / 10 : total, matches);
  // Cheap and dear lessons are unevenly spread: a walk by price may pass many before it meets wanted ones.
  const passed = (21 * walkedOver) / matches;
  const isSearch = Boolean(search || coachId);
  const isCounted = matches < countLimit;
  const never = Number.POSITIVE_INFINITY;
  const costs: [Strategy, number][] = [
    ['each', isCounted ? matches * (isByPrice ? 1.2 : 10) : never],
    [
      'walk',
      isSearch && !isCounted ? never : passed * (isByPrice ? 1.2 : 0.3) + (isSearch ? matches * 0.8 : 0),
    ],
    ['probe', isSearch ? passed * (isByPrice ? 100 : 2.5) : never],
  ];
  return costs.sort((a, b) => a[1] - b[1])[0]![0];
}
