import { readPlace } from '#domain/catalogue/place.ts';

/** The filters of discover that lead to templates first. */
export type TemplateFilters = { search?: string; sport?: string; coachId?: string; place?: string };

/** `words`: stems and the beginning of the last word; `letters`: the text as it stands, for what has no words. */
export type SearchMode = 'words' | 'letters';

/** Collects the values of a statement; answers their placeholders. */
export type Bind = (value: unknown) => string;

/**
 * SQL that is true for a template `t` which these filters want; null where they want every template.
 * The text depends on which filters are given and on `mode`, never on their values.
 */
export function templateCondition(filters: TemplateFilters, mode: SearchMode, bind: Bind): string | null {
  const conditions: string[] = [];
  if (filters.coachId) conditions.push(`t.coach_id = ${bind(filters.coachId)}::uuid`);
  if (filters.sport) conditions.push(`t.sport = ${bind(filters.sport)}`);
  if (filters.search) conditions.push(searchCondition(filters.search, mode, bind));
  if (filters.place) {
    conditions.push(
      `t.coach_id = any(array(select l.coach_id from locations l where ${placeCondition(filters.place, bind)}))`,
    );
  }
  return conditions.length > 0 ? conditions.join(' and ') : null;
}

/** SQL that is true for a location `l` in the typed town or postcode. */
export function placeCondition(place: string, bind: Bind): string {
  const { city, postcodes } = readPlace(place);
  const within = (column: string, { from, below }: { from: string; below: string }) =>
    `(${column}) collate "C" >= ${bind(from)} and (${column}) collate "C" < ${bind(below)}`;
  return `(${within('lower(l.city)', city)} or ${within('l.postcode', postcodes[0])} or ${within('l.postcode', postcodes[1])})`;
}

function searchCondition(search: string, mode: SearchMode, bind: Bind): string {
  if (mode === 'letters') {
    const anywhere = bind(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
    return `(t.title ilike ${anywhere} or t.description ilike ${anywhere})`;
  }
  // Somebody who is still typing has not finished the last word.
  const last = /[\p{L}\p{N}]+$/u.exec(search)?.[0] ?? '';
  const rest = bind(search.slice(0, search.length - last.length));
  // In a query of its own it is read once and not for every template.
  return `t.search @@ (select websearch_to_tsquery('english', ${rest}) && to_tsquery('english', ${bind(last && `${last}:*`)}))`;
}
