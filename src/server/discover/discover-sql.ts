import type { Filters, SlotSort } from '#domain/discover/filters.ts';
import { locationColumnsOf } from '#server/catalogue/location-columns.ts';
import { openSlotColumns } from '#server/catalogue/slot-columns.ts';
import type { Position } from './discover-cursor.ts';
import {
  type Bind,
  listConditions,
  matchesAlone,
  matchesWithLocation,
  pickTemplateFilters,
  type SearchMode,
  slotSearchCondition,
} from './filter-conditions.ts';

/**
 * How a page is found. `each` queries the next slots of every matching template. `walk` reads the open slots in order
 * and, if a filter applies to templates only, checks whether each slot's template is in the set of matching templates.
 * `probe` also reads the slots in order but reads the template of each slot instead.
 */
export const strategies = ['each', 'walk', 'probe'] as const;
export type Strategy = (typeof strategies)[number];

/** The parameters of a page's statement. Instants are text; `until` may be `infinity`. */
export type PageQuery = {
  filters: Filters;
  mode: SearchMode;
  strategy: Strategy;
  sort: SlotSort;
  from: string;
  until: string;
  after: Position | null;
  /** The number of rows, which is part of the statement's text so that the planner knows it. */
  rows: number;
};

const open = `s.status = 'scheduled' and s.is_open`;
const byTime = 's.start_time, s.slot_id';
// Columns are snake_case in the database and camelCase in rows.
const columns = [...openSlotColumns, ...locationColumnsOf('l')]
  .map((column) => {
    const name = column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `${name} as "${column.slice(column.indexOf('.') + 1)}"`;
  })
  .join(', ');
const firstId = '00000000-0000-0000-0000-000000000000';

/** The direction, comparison operator and first value of a page sorted by price. */
const byPrice = {
  price_low: { direction: '', beyond: '>', first: -1 },
  price_high: { direction: ' desc', beyond: '<', first: 2_147_483_647 },
};

/**
 * Writes the statement that reads a page of open slots with everything that a card shows. Its text depends on which
 * filters are given and never on their values, so the number of different statements is limited.
 */
export function writePageQuery(query: PageQuery): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { sort, strategy } = query;
  const isByTime = sort === 'earliest';
  const writePage =
    strategy === 'each' ? (isByTime ? eachByTime : eachByPrice) : isByTime ? walkByTime : walkByPrice;
  const text = `with recursive ${writePage(query, bind)}
select ${columns}, coach_public_name(p) as "coachName", p.coach_address as "coachAddress",
  p.avatar_url as "coachAvatarUrl"
from page
join lesson_slots s on s.slot_id = page.slot_id
join lesson_templates t on t.template_id = s.template_id
join profiles p on p.user_id = s.coach_id
left join locations l on l.location_id = s.location_id
order by ${sort === 'earliest' ? byTime : `s.price_cents${byPrice[sort].direction}, ${byTime}`}`;
  return { text, values };
}

function slotConditions({ until, filters }: PageQuery, bind: Bind): string {
  const before = `s.start_time < ${bind(until)}::timestamptz`;
  return [open, before, ...listConditions('slot', filters, bind)].join(' and ');
}

/** The lower bound of the slots: the cursor's position, or the start of the requested period. */
function afterStart({ from, after }: PageQuery, bind: Bind): string {
  return `(s.start_time, s.slot_id) > (${bind(after?.startTime ?? from)}::timestamptz, ${bind(after?.slotId ?? firstId)}::uuid)`;
}

const templateConditions = (filters: Filters, mode: SearchMode, bind: Bind) =>
  listConditions('template', filters, bind, mode).join(' and ');

const ofActiveCoach =
  '(t.coach_id in (select c.coach_id from coaches c where not (c.is_active and c.is_listed))) is not true';

/** The matching templates `t`. The column `is_sure` says whether a template's own words satisfy the search. */
function matchingTemplates({ filters, mode }: PageQuery, bind: Bind): string {
  const search = mode === 'words' && filters.search;
  return `(select t.template_id, t.base_price_cents, t.former_prices_cents,
      ${search ? matchesAlone(search, bind) : 'true'} as is_sure
    from lesson_templates t
    where ${templateConditions(filters, mode, bind)} and ${ofActiveCoach} offset 0)`;
}

/**
 * A text search's condition on a slot of a matching template. `isSure` is SQL that is true if the template
 * matches by its own words.
 */
function slotOfMatch({ filters, mode }: PageQuery, isSure: string, bind: Bind): string {
  return mode === 'words' && filters.search ? slotSearchCondition(filters.search, isSure, bind) : 'true';
}

function eachByTime(query: PageQuery, bind: Bind): string {
  return `page as (
  select s.slot_id from ${matchingTemplates(query, bind)} t cross join lateral (
    select s.slot_id, s.start_time from lesson_slots s
    where s.template_id = t.template_id and ${afterStart(query, bind)} and ${slotConditions(query, bind)}
      and ${slotOfMatch(query, 't.is_sure', bind)}
    order by ${byTime} limit ${query.rows}) s
  order by ${byTime} limit ${query.rows})`;
}

/**
 * Reads the matching templates in order of their current and former prices until enough slots are counted, then queries
 * all templates up to the price reached: no slot of the page can have a price beyond it. The window has no `order by`,
 * so counting stops as soon as there are enough slots; `matching` is already sorted.
 */
function eachByPrice(query: PageQuery, bind: Bind): string {
  const { after, from, rows, sort } = query;
  if (sort === 'earliest') throw new Error('not an order by price');
  const { direction, beyond, first } = byPrice[sort];
  const current = `${bind(after?.priceCents ?? first)}::int`;
  const begin = `${bind(from)}::timestamptz`;
  const position = `case when w.price = ${current} then ${bind(after?.startTime ?? from)}::timestamptz else ${begin} end,
      case when w.price = ${current} then ${bind(after?.slotId ?? firstId)}::uuid else '${firstId}'::uuid end`;
  const slotsOfMatching = `select s.slot_id, s.start_time, s.price_cents from lesson_slots s
    where s.template_id = w.template_id and s.price_cents = w.price and (s.start_time, s.slot_id) > (${position})
      and ${slotConditions(query, bind)} and ${slotOfMatch(query, 'w.is_sure', bind)}
    order by ${byTime} limit ${rows}`;
  return `matching as materialized (
  select t.template_id, t.is_sure, price from ${matchingTemplates(query, bind)} t,
    unnest(array_append(array_remove(t.former_prices_cents, t.base_price_cents), t.base_price_cents)) price
  where price ${beyond}= ${current}
  order by price${direction}),
counted as (
  select w.price, sum(s.n) over (rows unbounded preceding) as so_far
  from matching w cross join lateral (select count(*) as n from (${slotsOfMatching}) s) s),
enough (price) as materialized (select price from counted where so_far >= ${rows} limit 1),
page as (
  select s.slot_id from matching w cross join lateral (${slotsOfMatching}) s
  where not w.price ${beyond} coalesce((select price from enough), w.price)
  order by s.price_cents${direction}, ${byTime} limit ${rows})`;
}

/**
 * The conditions for slots that are read in order: the template filters, checked on the slot if it has a copy of the
 * field, and the exclusion of inactive and unlisted coaches.
 */
function matchInScan(query: PageQuery, bind: Bind): string {
  const { filters, mode, strategy } = query;
  const hidden = `(s.template_id in (select t.template_id from coaches c
      join lesson_templates t on t.coach_id = c.coach_id where not (c.is_active and c.is_listed))) is not true`;
  const copies = listConditions('slotCopy', filters, bind);
  const ofTemplate = pickTemplateFilters(filters);
  if (Object.keys(ofTemplate).length === 0) return [...copies, hidden].join(' and ');
  const isByText = mode === 'words' && filters.search;
  // CASE checks the template first, so that only the few slots of matching templates are read with their locations.
  const templateMatches =
    strategy === 'walk'
      ? `case when (s.template_id in (select t.template_id from lesson_templates t
      where ${templateConditions(filters, mode, bind)})) is true
      then ${slotOfMatch(query, 'false', bind)} else false end`
      : `(select ${templateConditions(ofTemplate, mode, bind)}
        and ${isByText ? matchesWithLocation(isByText, bind) : 'true'}
      from lesson_templates t where t.template_id = s.template_id)`;
  return [...copies, templateMatches, hidden].join(' and ');
}

function walkByTime(query: PageQuery, bind: Bind): string {
  return `page as (
  select s.slot_id from lesson_slots s
  where ${afterStart(query, bind)} and ${slotConditions(query, bind)} and ${matchInScan(query, bind)}
  order by ${byTime} limit ${query.rows})`;
}

/**
 * Reads the slots price by price, and by start time within a price, until the page is full. The recursion returns
 * rows in the order in which it finds them, and the nested loop keeps that order.
 */
function walkByPrice(query: PageQuery, bind: Bind): string {
  const { sort, after, from, rows, filters } = query;
  if (sort === 'earliest') throw new Error('not an order by price');
  const { direction, beyond, first } = byPrice[sort];
  const current = `${bind(after?.priceCents ?? first)}::int`;
  // If a sport and a type are given, the index on the sport is used, because fewer slots match a sport than a type.
  const { sport, type } = filters;
  const indexed = sport
    ? listConditions('slotCopy', { sport }, bind)
    : listConditions('slot', { type }, bind);
  const nextPrice = (condition: string) => `select s.price_cents from lesson_slots s
    where ${[open, ...indexed].join(' and ')} and s.price_cents ${condition} order by s.price_cents${direction} limit 1`;
  const begin = `${bind(from)}::timestamptz`;
  const position = `case when prices.price = ${current} then ${bind(after?.startTime ?? from)}::timestamptz else ${begin} end,
      case when prices.price = ${current} then ${bind(after?.slotId ?? firstId)}::uuid else '${firstId}'::uuid end`;
  return `prices (price) as (
  (${nextPrice(`${beyond}= ${current}`)})
  union all
  select (${nextPrice(`${beyond} prices.price`)}) from prices where prices.price is not null),
page as (
  select s.slot_id from prices cross join lateral (
    select s.slot_id from lesson_slots s
    where s.price_cents = prices.price and (s.start_time, s.slot_id) > (${position})
      and ${slotConditions(query, bind)} and ${matchInScan(query, bind)}
    order by ${byTime} limit ${rows}) s
  limit ${rows})`;
}
