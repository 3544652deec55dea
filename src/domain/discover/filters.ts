import { lessonTypeNames, lessonTypes } from '../catalogue/lesson-types.ts';
import type { OpenSlot } from '../catalogue/slots-contract.ts';
import type { Described, SearchParam, ValuesOf } from '../search-params.ts';
import { sportSlugs, sports } from '../sports.ts';

/** A filter that customers choose from a list. */
export type Choice = {
  of: readonly string[];
  label: string;
  /** The label of the option that removes the filter. */
  all: string;
  /** The labels of the other options by value. */
  options: Readonly<Record<string, string>>;
  /** The lesson's value, which equals the chosen one if the lesson matches. */
  valueOf: (slot: OpenSlot) => string | null | undefined;
};

/**
 * The filters of discover, in their order on the screen. The URL's parameters, the contract, cursors, caches and the
 * controls of choices follow from this list. A new filter also needs its SQL in server/discover/filter-conditions.ts.
 * A filter that isn't a choice needs its control in web/discover/filter-controls.tsx too, and an entry in
 * web/discover/still-matches.ts for lessons that move while someone looks at the list. The type check fails until
 * these exist.
 */
export const filters = {
  search: {
    maxLength: 100,
    description: "Words from the lesson, the coach's name or the location.",
    examples: ['tennis'],
  },
  type: {
    of: lessonTypes,
    description: 'Individual or group lessons only.',
    label: 'Lesson type',
    all: 'All Types',
    options: lessonTypeNames,
    valueOf: ({ lessonType }) => lessonType,
  },
  sport: {
    of: sportSlugs,
    description: 'Lessons of this sport only.',
    label: 'Sport',
    all: 'All sports',
    options: sports,
    valueOf: ({ sport }) => sport,
  },
  location: {
    maxLength: 60,
    description: 'A town, or a postcode or the beginning of one ("LS6").',
    examples: ['Leeds'],
  },
  born: {
    // Without the day, because URLs stay in the browser's history.
    is: 'month',
    description: 'Lessons without an age range, and lessons open to someone born in this month.',
    examples: ['2016-05'],
  },
  coachId: { is: 'uuid', description: 'Lessons of this coach only.' },
  from: { is: 'date', description: 'The first date of the lessons (London time).' },
  to: { is: 'date', description: 'The last date of the lessons (London time), inclusive.' },
} as const satisfies Record<string, Described<Choice> | Described<Exclude<SearchParam, { of: unknown }>>>;

export type Filters = ValuesOf<typeof filters>;
export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as FilterName[];

/** The filters that aren't chosen from a list. */
export type OtherFilterName = {
  [Name in FilterName]: (typeof filters)[Name] extends Choice ? never : Name;
}[FilterName];

/** Sort orders of discover. Each breaks ties by start time and then id, so that no page repeats a slot. */
export const slotSorts = ['earliest', 'price_low', 'price_high'] as const;
export type SlotSort = (typeof slotSorts)[number];
