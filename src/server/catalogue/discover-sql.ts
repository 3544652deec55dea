import type { slotSorts } from '#domain/catalogue/contract.ts';
import type { Position } from './discover-cursor.ts';
import {
  type Bind,
  placeCondition,
  type SearchMode,
  type TemplateFilters,
  templateCondition,
} from './wanted-templates.ts';

/**
 * How the wanted templates meet the slots: `each` asks every template for its next slots; `set` walks the open
 * slots in order and looks each one's template up in the set; `probe` walks and reads each one's template.
 */
export type Strategy = 'each' | 'set' | 'probe';

/** A page of discover in SQL's terms. Instants as text; `until` may be `infinity`. */
export type PageQuestion = {
  filters: TemplateFilters;
  mode: SearchMode;
  strategy: Strategy;
  type: string | undefined;
  sort: (typeof slotSorts)[number];
  from: string;
  until: string;
  after: Position | null;
  /** Rows to read: part of the text, so that the plan knows it. */
  rows: number;
};

const open = `s.status = 'scheduled' and s.is_open`;
const firstId = '00000000-0000-0000-0000-000000000000';
const extremes = { price_low: -1, price_high: 2_147_483_647, earliest: 0 };

/** One statement that reads a page of open slots with everything a card shows. */
export function writePageQuery(question: PageQuestion): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const page = pageIds(question, bind);
  const order =
    question.sort === 'earliest'
      ? 's.start_time, s.slot_id'
      : `s.price_cents${question.sort === 'price_high' ? ' desc' : ''}, s.start_time, s.slot_id`;
  const text = `with recursive ${page}
select s.slot_id as "slotId", s.coach_id as "coachId", p.full_name as "coachName", t.title, t.description, t.sport,
  s.start_time as "startTime", s.end_time as "endTime", s.lesson_type as "lessonType",
  s.price_cents as "priceCents", s.max_capacity as "maxCapacity", s.booked_count as "bookedCount", s.status,
  l.location_id as "locationId", l.name, l.address, l.city, l.postcode
from page
join lesson_slots s on s.slot_id = page.slot_id
join lesson_templates t on t.template_id = s.template_id
join profiles p on p.user_id = s.coach_id
left join locations l on l.location_id = s.location_id
order by ${order}`;
  return { text, values };
}

/** The common table expressions that end in `page (slot_id)`. */
function pageIds(question: PageQuestion, bind: Bind): string {
  if (question.sort === 'earliest')
    return question.strategy === 'each' ? eachByTime(question, bind) : walkByTime(question, bind);
  return question.strategy === 'each' ? eachByPrice(question, bind) : walkByPrice(question, bind);
}

function slotConditions({ type, until, filters }: PageQuestion, bind: Bind): string {
  return [
    open,
    `s.start_time < ${bind(until)}::timestamptz`,
    ...(type ? [`s.lesson_type = ${bind(type)}`] : []),
    // "is true" keeps these lookups from being planned as joins, which would lose the order of the walk.
    ...(filters.place
      ? [
          `(s.location_id in (select l.location_id from locations l where ${placeCondition(filters.place, bind)})) is true`,
        ]
      : []),
  ].join(' and ');
}

/** Where the slots of the walk must lie beyond: the cursor, or the start of the asked time. */
function afterStart({ from, after }: PageQuestion, bind: Bind): string {
  return `(s.start_time, s.slot_id) > (${bind(after?.startTime ?? from)}::timestamptz, ${bind(after?.slotId ?? firstId)}::uuid)`;
}

const ofActiveCoach =
  'not exists (select 1 from coaches c where c.coach_id = t.coach_id and not c.is_active)';

function eachByTime(question: PageQuestion, bind: Bind): string {
  return `page as (
  select s.slot_id from lesson_templates t cross join lateral (
    select s.slot_id, s.start_time from lesson_slots s
    where s.template_id = t.template_id and ${afterStart(question, bind)} and ${slotConditions(question, bind)}
    order by s.start_time, s.slot_id limit ${question.rows}) s
  where ${templateCondition(question.filters, question.mode, bind)} and ${ofActiveCoach}
  order by s.start_time, s.slot_id limit ${question.rows})`;
}

function eachByPrice(question: PageQuestion, bind: Bind): string {
  const { sort, after, from, rows } = question;
  const price = `${bind(after?.priceCents ?? extremes[sort])}::int`;
  const isHigh = sort === 'price_high';
  return `page as (
  select s.slot_id from lesson_templates t cross join lateral (
    select s.slot_id, s.start_time, s.price_cents from lesson_slots s
    where s.template_id = t.template_id and s.start_time > ${bind(from)}::timestamptz
      and (s.price_cents ${isHigh ? '<' : '>'} ${price} or s.price_cents = ${price} and ${afterStart(question, bind)})
      and ${slotConditions(question, bind)}
    offset 0) s
  where ${templateCondition(question.filters, question.mode, bind)} and ${ofActiveCoach}
  order by s.price_cents${isHigh ? ' desc' : ''}, s.start_time, s.slot_id limit ${rows})`;
}

function wantedInWalk({ filters, mode, strategy }: PageQuestion, bind: Bind): string {
  const hidden = `(s.template_id in (select t.template_id from coaches c
      join lesson_templates t on t.coach_id = c.coach_id where not c.is_active)) is not true`;
  const wanted = templateCondition(filters, mode, bind);
  if (!wanted) return hidden;
  return strategy === 'set'
    ? `(s.template_id in (select t.template_id from lesson_templates t where ${wanted})) is true and ${hidden}`
    : `(select ${wanted} from lesson_templates t where t.template_id = s.template_id) and ${hidden}`;
}

function walkByTime(question: PageQuestion, bind: Bind): string {
  return `page as (
  select s.slot_id from lesson_slots s
  where ${afterStart(question, bind)} and ${slotConditions(question, bind)} and ${wantedInWalk(question, bind)}
  order by s.start_time, s.slot_id limit ${question.rows})`;
}

/**
 * Takes the prices one after the other and walks the slots of each by start, until the page is full. The prices are
 * those of the wanted templates where these are few enough to list, else all there are.
 */
function walkByPrice(question: PageQuestion, bind: Bind): string {
  const { sort, after, from, rows, type, strategy, filters, mode } = question;
  const isHigh = sort === 'price_high';
  const [beyond, direction] = isHigh ? ['<', ' desc'] : ['>', ''];
  const first = `${bind(after?.priceCents ?? extremes[sort])}::int`;
  const ofType = type ? ` and s.lesson_type = ${bind(type)}` : '';
  const nextPrice = (condition: string) => `select s.price_cents from lesson_slots s
    where ${open}${ofType} and s.price_cents ${condition} order by s.price_cents${direction} limit 1`;
  const prices =
    strategy === 'set'
      ? `prices as materialized (
  select distinct price from lesson_templates t,
    unnest(array_append(t.former_prices_cents, t.base_price_cents)) price
  where ${templateCondition(filters, mode, bind)} and price ${beyond}= ${first} order by price${direction})`
      : `prices (price) as (
  (${nextPrice(`${beyond}= ${first}`)})
  union all
  select (${nextPrice(`${beyond} prices.price`)}) from prices where prices.price is not null)`;
  const begin = `${bind(from)}::timestamptz`;
  const position = `(case when prices.price = ${first} then ${bind(after?.startTime ?? from)}::timestamptz else ${begin} end,
      case when prices.price = ${first} then ${bind(after?.slotId ?? firstId)}::uuid else '${firstId}'::uuid end)`;
  return `${prices}, page as (
  select s.slot_id from prices cross join lateral (
    select s.slot_id from lesson_slots s
    where s.price_cents = prices.price and (s.start_time, s.slot_id) > ${position}
      and ${slotConditions(question, bind)} and ${wantedInWalk(question, bind)}
    order by s.start_time, s.slot_id limit ${rows}) s
  limit ${rows})`;
}
