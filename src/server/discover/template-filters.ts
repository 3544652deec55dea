import { parseLocationSearch } from '#domain/catalogue/location.ts';

/** The filters of discover that lead to templates first. */
export type TemplateFilters = { search?: string; sport?: string; coachId?: string; location?: string };

/** `words`: stems and the beginning of the last word; `letters`: the text itself, if it has no words. */
export type SearchMode = 'words' | 'letters';

/** Collects a statement's values and returns their placeholders. */
export type Bind = (value: unknown) => string;

/**
 * SQL that is true for a template `t` which matches these filters; null if they match every template. The text
 * depends on which filters are given and on `mode`, never on their values.
 */
export function templateCondition(filters: TemplateFilters, mode: SearchMode, bind: Bind): string | null {
  const conditions: string[] = [];
  if (filters.coachId) conditions.push(`t.coach_id = ${bind(filters.coachId)}::uuid`);
  if (filters.sport) conditions.push(`t.sport = ${bind(filters.sport)}`);
  if (filters.search) conditions.push(searchCondition(filters.search, mode, bind));
  if (filters.location) {
    conditions.push(
      `t.coach_id = any(array(select l.coach_id from locations l where ${locationCondition(filters.location, bind)}))`,
    );
  }
  return conditions.length > 0 ? conditions.join(' and ') : null;
}

/** SQL that is true for a location `l` in the typed town or postcode. */
export function locationCondition(location: string, bind: Bind): string {
  const { city, postcodes } = parseLocationSearch(location);
  const within = (column: string, { from, below }: { from: string; below: string }) =>
    `(${column}) collate "C" >= ${bind(from)} and (${column}) collate "C" < ${bind(below)}`;
  return `(${within('lower(l.city)', city)} or ${within('l.postcode', postcodes[0])} or ${within('l.postcode', postcodes[1])})`;
}

/**
 * SQL that is true for a slot `s` which the search finds: the words of its template and of its own location have to
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

/** SQL that is true for a template `t` which matches by its own words, wherever its slots are. */
export const matchesAlone = (search: string, bind: Bind) => `t.search @@ ${searchQuery(search, bind)}`;

function searchCondition(search: string, mode: SearchMode, bind: Bind): string {
  if (mode === 'words') return `t.search_with_locations @@ ${searchQuery(search, bind)}`;
  const anywhere = bind(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
  return `(t.title ilike ${anywhere} or t.description ilike ${anywhere}
    or t.coach_id = any(array(select p.user_id from profiles p where p.full_name ilike ${anywhere})))`;
}

function searchQuery(search: string, bind: Bind): string {
  // Somebody who is still typing has not finished the last word.
  const last = /[\p{L}\p{N}]+$/u.exec(search)?.[0] ?? '';
  const rest = bind(search.slice(0, search.length - last.length));
  // In its own subquery it is read once and not per template.
  return `(select websearch_to_tsquery('english', ${rest}) && to_tsquery('english', ${bind(last && `${last}:*`)}))`;
}
