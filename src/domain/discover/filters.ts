import { lessonTypes } from '../catalogue/lesson-types.ts';
import type { DescribedParams, ValuesOf } from '../search-params.ts';
import { sportSlugs } from '../sports.ts';

/**
 * The filters of discover, in their order on the screen. The URL's parameters, the contract, cursors and caches follow
 * from this list. A new filter also needs its SQL in server/discover/filter-conditions.ts, its control in
 * web/discover/filter-controls.tsx and an entry in web/discover/still-matches.ts, for lessons that move while someone
 * looks at the list; the type check fails until all three exist.
 */
export const filters = {
  search: {
    maxLength: 100,
    description: "Words from the lesson, the coach's name or the location.",
    examples: ['tennis'],
  },
  type: { of: lessonTypes, description: 'Individual or group lessons only.' },
  sport: { of: sportSlugs, description: 'Lessons of this sport only.' },
  location: {
    maxLength: 60,
    description: 'A town, or a postcode or the beginning of one ("LS6").',
    examples: ['Leeds'],
  },
  born: {
    is: 'month',
    description:
      "Lessons without an age range, and lessons whose age range includes someone born in this month. The day is left out, because URLs stay in the browser's history.",
    examples: ['2016-05'],
  },
  coachId: { is: 'uuid', description: 'Lessons of this coach only.' },
  from: { is: 'date', description: 'The first date (London time), inclusive.' },
  to: { is: 'date', description: 'The last date (London time), inclusive.' },
} as const satisfies DescribedParams;

export type Filters = ValuesOf<typeof filters>;
export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as FilterName[];

/** Sort orders of discover. Each breaks ties by start time and then id, so that no page repeats a slot. */
export const slotSorts = ['earliest', 'price_low', 'price_high'] as const;
export type SlotSort = (typeof slotSorts)[number];
