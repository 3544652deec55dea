import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { DiscoverFilters } from '#domain/discover/contract.ts';
import type { ListedRating } from '#domain/reviews/review.ts';
import { callApi } from '#web/app/api/api.ts';
import { openSlotsKey, type SlotPage } from '#web/catalogue/open-slots.ts';

const minute = 60_000;

/** Loads the contract on demand: it imports the validation library, which a server-rendered list does not need. */
export const loadDiscoverApi = async () => (await import('#domain/discover/contract.ts')).discoverApi;

/**
 * Lessons that match the filters, page by page; the previous list stays until the first page has loaded.
 * Customers who return to the list find it unchanged: refetching it would drop lessons that have filled up,
 * and the scroll position would be lost. `useLiveSeats` updates the cards.
 */
export function useOpenSlots(filters: DiscoverFilters) {
  return useInfiniteQuery({
    queryKey: [openSlotsKey, filters],
    queryFn: async ({ pageParam, signal }): Promise<SlotPage & { ratings?: ListedRating[] }> => {
      const { discoverSlots } = await loadDiscoverApi();
      return callApi(discoverSlots, { ...filters, cursor: pageParam }, signal);
    },
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchOnWindowFocus: false,
    staleTime: 10 * minute,
    gcTime: 30 * minute,
  });
}
