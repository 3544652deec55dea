import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { callApi, keyOf } from './api.ts';

type Cursor = string | number;
type PagedEndpoint = Endpoint<z.ZodType, z.ZodType<{ nextCursor: Cursor | null }>>;

type PagesOptions<Item> = {
  /** How long the pages stay fresh, in ms; 30 s by default. */
  staleTime?: number;
  /** Keeps showing the previous rows until the first page for a new input has loaded. */
  keepsPrevious?: boolean;
  /** The interval at which the pages are refetched, in ms; false: never. */
  refetchInterval?: (items: Item[]) => number | false;
};

/**
 * Reads a list page by page, for a `PagedList`. `input` has no cursor; `itemsOf` picks the rows of a page,
 * and `items` contains the rows of all pages loaded so far.
 */
export function usePages<E extends PagedEndpoint, Item>(
  endpoint: E,
  input: Omit<InputOf<E>, 'cursor'>,
  itemsOf: (page: OutputOf<E>) => Item[],
  { staleTime, keepsPrevious = false, refetchInterval }: PagesOptions<Item> = {},
) {
  const allOf = (pages: OutputOf<E>[] = []) => pages.flatMap(itemsOf);
  const found = useInfiniteQuery<
    OutputOf<E>,
    AppError,
    { pages: OutputOf<E>[] },
    readonly unknown[],
    Cursor | undefined
  >({
    queryKey: keyOf(endpoint, input as InputOf<E>),
    queryFn: ({ pageParam, signal }) =>
      callApi(endpoint, { ...(input as object), cursor: pageParam } as InputOf<E>, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...(staleTime !== undefined && { staleTime }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    refetchInterval: ({ state }) => refetchInterval?.(allOf(state.data?.pages)) ?? false,
  });
  const fetchNextPage = async () => {
    // Fetching the next page would cancel a running refetch and lose its changes.
    if (found.isRefetching) await found.refetch({ cancelRefetch: false });
    return found.fetchNextPage();
  };
  return { ...found, fetchNextPage, items: allOf(found.data?.pages) };
}
