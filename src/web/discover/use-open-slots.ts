import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { DiscoverFilters } from '#domain/discover/contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { openSlotsKey } from '#web/catalogue/open-slots.ts';

const minute = 60_000;

/** The contract brings the validation library along, which a list that came with its page does without. */
export const loadDiscoverApi = async () => (await import('#domain/discover/contract.ts')).discoverApi;

/**
 * Lessons that fit the filters, page after page; the former list stays until the first answer is there. Who comes back
 * finds the pages as they were left: asked for again they would lose what has filled up, and with it one's place. What
 * changes on their cards is told by useLiveSeats.
 */
export function useOpenSlots(filters: DiscoverFilters) {
  return useInfiniteQuery({
    queryKey: [openSlotsKey, filters],
    queryFn: async ({ pageParam, signal }) => {
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
