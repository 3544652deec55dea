import { type Sport, sportSlugs } from '#domain/sports.ts';

/** Discover's part of the address: the filters and the open lesson. */
export type DiscoverSearch = {
  search?: string;
  type?: 'individual' | 'group';
  sort?: 'price_low' | 'price_high';
  coachId?: string;
  sport?: Sport;
  /** Town or postcode. */
  location?: string;
  /** London calendar dates "2026-11-21". */
  from?: string;
  to?: string;
  /** Slot whose details are open. */
  lesson?: string;
  /** Slot whose booking is being confirmed. */
  book?: string;
};

export type DiscoverFilterName = 'search' | 'type' | 'coachId' | 'sport' | 'location' | 'from' | 'to';

/** The change of the address; undefined removes a filter or closes the dialog. */
export type DiscoverChange = { [Name in keyof DiscoverSearch]?: string | undefined };

const text = (value: unknown) =>
  typeof value === 'string' && value.trim() ? value : typeof value === 'number' ? String(value) : undefined;
const uuid = (value: unknown) => {
  const found = text(value);
  return found && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(found) ? found : undefined;
};
/** An existing calendar date in an address; undefined for anything else. */
export const readDate = (value: unknown): string | undefined => {
  const found = text(value);
  if (!found || !/^\d{4}-\d{2}-\d{2}$/.test(found)) return undefined;
  const known = new Date(`${found}T00:00:00Z`);
  return !Number.isNaN(known.getTime()) && known.toISOString().startsWith(found) ? found : undefined;
};
const oneOf = <T extends string>(value: unknown, allowed: readonly T[]) =>
  allowed.find((one) => one === value);

/** Parses the URL; invalid parameters are dropped rather than refused. */
export function readDiscoverSearch(raw: Record<string, unknown>): DiscoverSearch {
  const [from, until] = [readDate(raw.from), readDate(raw.to)];
  const read = {
    search: text(raw.search)?.slice(0, 100),
    type: oneOf(raw.type, ['individual', 'group']),
    sort: oneOf(raw.sort, ['price_low', 'price_high']),
    coachId: uuid(raw.coachId),
    sport: oneOf(raw.sport, sportSlugs),
    location: text(raw.location)?.slice(0, 60),
    from,
    to: from && until && until < from ? undefined : until,
    lesson: text(raw.lesson),
    book: text(raw.book),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
