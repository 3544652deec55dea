import { lessonTypes } from '../catalogue/lesson-types.ts';
import type { SearchParams, ValuesOf } from '../search-params.ts';
import { sportSlugs } from '../sports.ts';

/**
 * The filters of discover, in the order of the screen. The address, the contract, cursors and caches follow from this
 * list. A new filter also needs its SQL in server/discover/filter-conditions.ts and its control in
 * web/discover/filter-controls.tsx; the type check names both.
 */
export const filters = {
  search: { maxLength: 100 },
  type: { of: lessonTypes },
  sport: { of: sportSlugs },
  /** A town, or a postcode or the beginning of one ("LS6"). */
  location: { maxLength: 60 },
  coachId: 'uuid',
  /** The first and the last day in London. */
  from: 'date',
  to: 'date',
} as const satisfies SearchParams;

export type Filters = ValuesOf<typeof filters>;
export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as FilterName[];

/** Sort orders of discover. Each breaks ties by start and then id, so that no page repeats a slot. */
export const slotSorts = ['earliest', 'price_low', 'price_high'] as const;
export type SlotSort = (typeof slotSorts)[number];
