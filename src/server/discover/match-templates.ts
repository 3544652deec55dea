import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Filters, SlotSort } from '#domain/discover/filters.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Strategy } from './discover-sql.ts';
import {
  type Bind,
  isCountNeeded,
  listConditions,
  pickTemplateFilters,
  type SearchMode,
  templateKey,
} from './filter-conditions.ts';

/**
 * `matches` of `total` templates match the filters; `mode` is how the search text is matched. For a search that is
 * sorted by price and has more than a thousand matches, `ahead` is the number of matches among the first thousand
 * templates in that order; otherwise it is 0. The share of matches varies with the price.
 */
export type Match = { mode: SearchMode; matches: number; total: number; ahead: number };

/** Matching templates are counted up to this number. */
const countLimit = 10_000;
const sampleSize = 1_000;
const leastSampled = 1_000;
const rememberedMs = 30_000;
const rememberedAtMost = 2_000;

/**
 * Creates the function that counts matching templates. Caches counts for half a minute, because they decide only how a
 * page is read. A count of zero is never cached, because it decides which lessons the page contains. `bare` is a
 * database handle that does not convert column names.
 */
export function createMatcher(bare: Database): (filters: Filters, sort: SlotSort) => Promise<Match> {
  const counts = new LRUCache<string, Match>({ max: rememberedAtMost, ttl: rememberedMs });

  async function count(filters: Filters, mode: SearchMode, sort: SlotSort): Promise<Match> {
    const key = JSON.stringify([mode, sort, ...templateKey(filters)]);
    const known = counts.get(key);
    if (known) return known;
    const { rows } = await bare.executeQuery<Omit<Match, 'mode'>>(writeCount(filters, mode, sort));
    const match = { mode, ...rows[0]! };
    if (match.matches > 0) counts.set(key, match);
    return match;
  }

  return async (filters, sort) => {
    const match = await count(filters, 'words', sort);
    const isWordless = match.matches === 0 && (filters.search?.length ?? 0) >= 3;
    return isWordless ? count(filters, 'letters', sort) : match;
  };
}

function writeCount(filters: Filters, mode: SearchMode, sort: SlotSort): CompiledQuery {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const matching = (matched: Filters) => listConditions('template', matched, bind, mode).join(' and ');
  const condition = matching(filters);
  const sample = `select * from lesson_templates order by base_price_cents${sort === 'price_high' ? ' desc' : ''}
    limit ${sampleSize}`;
  const ofTemplate = pickTemplateFilters(filters);
  const ahead =
    sort === 'earliest' || !isCountNeeded(ofTemplate)
      ? '0'
      : `case when counted.matches > ${leastSampled} then
    (select count(*) from (${sample}) t where ${matching(ofTemplate)}) else 0 end`;
  const text = `with counted as materialized (
  select count(*) as matches from (select 1 from lesson_templates t where ${condition} limit ${countLimit}) x)
select counted.matches, ${ahead} as ahead,
  (select greatest(reltuples, 1)::int from pg_class where oid = 'lesson_templates'::regclass) as total
from counted`;
  return CompiledQuery.raw(text, values);
}

/**
 * Chooses the strategy with the lowest cost. The costs were measured on a million slots, in microseconds: 10 to query a
 * template's next slots by start; 1.2 by price, because only the cheapest templates are queried; 0.8 to add a template
 * to a set; to skip a slot of the scan, 0.3 in order of start and 1.2 in order of price; 2.5 to read a slot's template.
 */
export function chooseStrategy({ matches, total, ahead }: Match, filters: Filters, sort: SlotSort): Strategy {
  const isByPrice = sort !== 'earliest';
  const isSearch = Object.keys(pickTemplateFilters(filters)).length > 0;
  const isCounted = matches < countLimit;
  const never = Number.POSITIVE_INFINITY;
  // A sport has its own index, with about a tenth of all slots.
  const passed = (21 * Math.max(filters.sport ? total / 10 : total, matches)) / matches;
  const passedAhead = (21 * Math.min(sampleSize, total)) / ahead;
  const costs: [Strategy, number][] = [
    ['each', isCounted ? matches * (isByPrice ? 1.2 : 10) : never],
    [
      'walk',
      isSearch && !isCounted ? never : passed * (isByPrice ? 1.2 : 0.3) + (isSearch ? matches * 0.8 : 0),
    ],
    ['probe', isSearch ? (isByPrice ? passedAhead : passed) * 2.5 : never],
  ];
  return costs.sort((a, b) => a[1] - b[1])[0]![0];
}
