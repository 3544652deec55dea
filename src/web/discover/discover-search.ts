import {
  type Choice,
  type FilterName,
  type Filters,
  filters,
  type SlotSort,
  slotSorts,
} from '#domain/discover/filters.ts';
import { readSearchParams, type SearchParams } from '#domain/search-params.ts';

const params = {
  ...filters,
  sort: { of: slotSorts },
  /** The slot whose details are open. */
  lesson: { maxLength: 100 },
  /** The slot whose booking is being confirmed. */
  book: { maxLength: 100 },
} as const satisfies SearchParams;

/** Discover's URL parameters: the filters, the order if it is not by start time, and the open lesson or booking. */
export type DiscoverSearch = Filters & {
  sort?: Exclude<SlotSort, 'earliest'> | undefined;
  lesson?: string | undefined;
  book?: string | undefined;
};

/** A change to the URL; undefined removes a filter or closes the dialog. */
export type DiscoverChange = { [Name in keyof DiscoverSearch]?: string | undefined };

/** The props of components that show or change filters; `value` contains all filters. */
export type FiltersProps = { value: DiscoverSearch; onChange: (change: DiscoverChange) => void };
/** The props of a single filter's control. */
export type ControlProps = FiltersProps & { isLabelHidden: boolean };

/** Parses the URL's parameters and leaves out invalid values, including a `to` before `from`. */
export function readDiscoverSearch(raw: Record<string, unknown>): DiscoverSearch {
  const { sort, to, ...rest } = readSearchParams(params, raw);
  return {
    ...rest,
    ...(sort && sort !== 'earliest' && { sort }),
    ...(to && !(rest.from && to < rest.from) && { to }),
  };
}

/** The choice behind a filter; undefined for a filter that isn't chosen from a list. */
export function choiceOf(name: FilterName): Choice | undefined {
  const filter = filters[name];
  return 'of' in filter ? filter : undefined;
}
