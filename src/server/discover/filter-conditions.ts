import { parseLocationSearch } from '#domain/catalogue/location.ts';
import type { FilterName, Filters } from '#domain/discover/filters.ts';

/**
 * How a search text is matched: `words` by stems and by the beginning of the last word; `letters` as a substring, if no
 * words match.
 */
export type SearchMode = 'words' | 'letters';

/** Collects a statement's values and returns their placeholders. */
export type Bind = (value: unknown) => string;

type WriteSql<Value> = (value: Value, bind: Bind, mode: SearchMode) => string;

/** SQL that is true for a row that matches a filter's value. Its text must not depend on the value. */
type Condition<Value> =
  /** Applies to a slot `s`. */
  | { slot: WriteSql<Value> }
  /**
   * Applies to a template `t`, if templates are found first. `slot` is checked as well. When slots are scanned,
   * `slotCopy` replaces `template` with the same condition on the slot. `isFew`: the filter matches so few templates
   * that they need no count.
   */
  | { template: WriteSql<Value>; slot?: WriteSql<Value>; slotCopy?: WriteSql<Value>; isFew?: true };

/** Marks a filter that limits the searched period: `createDiscover` converts its date to an instant. */
const period = 'period';

/** How each filter becomes SQL, in the order in which the conditions appear in the statements. */
const conditions: { [Name in FilterName]: Condition<NonNullable<Filters[Name]>> | typeof period } = {
  coachId: { template: (coachId, bind) => `t.coach_id = ${bind(coachId)}::uuid`, isFew: true },
  sport: {
    template: (sport, bind) => `t.sport = ${bind(sport)}`,
    slotCopy: (sport, bind) => `s.sport = ${bind(sport)}`,
  },
  // A search also matches words of a slot's own location: see `slotSearchCondition`.
  search: { template: searchCondition },
  type: { slot: (type, bind) => `s.lesson_type = ${bind(type)}` },
  location: {
    template: (location, bind) =>
      `t.coach_id = any(array(select l.coach_id from locations l where ${locationCondition(location, bind)}))`,
    slot: (location, bind) => slotLocationCondition(locationCondition(location, bind)),
  },
  born: { slot: bornCondition },
  from: period,
  to: period,
};

type Part = 'template' | 'slot' | 'slotCopy';
type Given = {
  name: FilterName;
  value: string;
  parts: Partial<Record<Part, WriteSql<string>>> & { isFew?: true };
};

function listGiven(filters: Filters): Given[] {
  return (Object.keys(conditions) as FilterName[]).flatMap((name) => {
    const [value, condition] = [filters[name], conditions[name]];
    return value && condition !== period ? [{ name, value, parts: condition as Given['parts'] }] : [];
  });
}

/**
 * SQL conditions of the given filters, one for each filter that has this part. The text depends on which
 * filters are given and on `mode`, never on their values.
 */
export function listConditions(
  part: Part,
  filters: Filters,
  bind: Bind,
  mode: SearchMode = 'words',
): string[] {
  return listGiven(filters).flatMap(({ value, parts }) => parts[part]?.(value, bind, mode) ?? []);
}

/** The filters that can only be checked on a slot's template. */
export function pickTemplateFilters(filters: Filters): Filters {
  const picked = listGiven(filters).filter(({ parts }) => parts.template && !parts.slot && !parts.slotCopy);
  return Object.fromEntries(picked.map(({ name, value }) => [name, value]));
}

/** Whether the best way to read a page depends on the number of matching templates. */
export const isCountNeeded = (filters: Filters): boolean =>
  listGiven(filters).some(({ parts }) => parts.template && !parts.slotCopy && !parts.isFew);

/** The cache key of the templates that match these filters. */
export const templateKey = (filters: Filters): unknown[] =>
  listGiven(filters).flatMap(({ name, value, parts }) => (parts.template ? [name, value] : []));

/**
 * SQL that is true for a slot `s` whose location satisfies `condition` on `l`. "is true" keeps the planner from turning
 * such lookups into joins, which would lose the order of the scan.
 */
const slotLocationCondition = (condition: string) =>
  `(s.location_id in (select l.location_id from locations l where ${condition})) is true`;

/** SQL that is true for a location `l` in the typed town or postcode. */
function locationCondition(location: string, bind: Bind): string {
  const { city, postcodes } = parseLocationSearch(location);
  const within = (column: string, { from, below }: { from: string; below: string }) =>
    `(${column}) collate "C" >= ${bind(from)} and (${column}) collate "C" < ${bind(below)}`;
  return `(${within('lower(l.city)', city)} or ${within('l.postcode', postcodes[0])} or ${within('l.postcode', postcodes[1])})`;
}

/**
 * SQL that is true for a slot `s` open to someone born in this month ("2016-05"). The rule is in
 * domain/catalogue/ages.ts.
 */
function bornCondition(born: string, bind: Bind): string {
  const [year, month] = born.split('-').map((part) => `${bind(Number(part))}::int`);
  const of = (part: string) => `extract(${part} from s.start_time at time zone 'Europe/London')::int`;
  return `((s.min_age is null and s.max_age is null) or case s.age_date
      when 'dec31' then ${of('year')} - ${year}
      when 'aug31' then ${of('year')} - (${of('month')} < 9)::int - ${year} - (${month} > 8)::int
      else ${of('year')} - ${year} - (${of('month')} < ${month})::int
    end between coalesce(s.min_age, 0) and coalesce(s.max_age, 1000))`;
}

/**
 * SQL that is true for a slot `s` that the search finds: the words of its template and of its own location have to
 * match together. `isSure` is SQL that is true if the template alone is known to match.
 */
export function slotSearchCondition(search: string, isSure: string, bind: Bind): string {
  return `(${isSure} or (select ${matchesWithLocation(search, bind)}
    from lesson_templates t where t.template_id = s.template_id))`;
}

/** SQL that is true if the words of a template `t` match, alone or together with the location of its slot `s`. */
export function matchesWithLocation(search: string, bind: Bind): string {
  return `(${matchesAlone(search, bind)} or (t.search || coalesce(
    (select l.search from locations l where l.location_id = s.location_id), '')) @@ ${searchQuery(search, bind)})`;
}

/** SQL that is true for a template `t` that matches by its own words, wherever its slots are held. */
export const matchesAlone = (search: string, bind: Bind) => `t.search @@ ${searchQuery(search, bind)}`;

function searchCondition(search: string, bind: Bind, mode: SearchMode): string {
  if (mode === 'words') return `t.search_with_locations @@ ${searchQuery(search, bind)}`;
  const anywhere = bind(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
  return `(t.title ilike ${anywhere} or t.description ilike ${anywhere}
    or t.coach_id = any(array(select p.user_id from profiles p where coach_public_name(p) ilike ${anywhere})))`;
}

function searchQuery(search: string, bind: Bind): string {
  // The last word may be unfinished, because the person is still typing.
  const last = /[\p{L}\p{N}]+$/u.exec(search)?.[0] ?? '';
  const rest = bind(search.slice(0, search.length - last.length));
  // PostgreSQL evaluates this subquery once rather than for each template.
  return `(select websearch_to_tsquery('english', ${rest}) && to_tsquery('english', ${bind(last && `${last}:*`)}))`;
}
