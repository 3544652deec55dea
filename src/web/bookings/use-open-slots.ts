import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { catalogueApi, type DiscoverFilters, type OpenSlot } from '#domain/catalogue/contract.ts';
import { callApi, keyOf } from '#web/app/api.ts';

type Pages = InfiniteData<{ slots: OpenSlot[]; nextCursor: string | null }, string | undefined>;

/** Lessons that fit the filters, page after page; the former list stays until the first answer is there. */
export function useOpenSlots(filters: DiscoverFilters) {
  return useInfiniteQuery({
    queryKey: keyOf(catalogueApi.discoverSlots, filters),
    queryFn: ({ pageParam, signal }) =>
      callApi(catalogueApi.discoverSlots, { ...filters, cursor: pageParam }, signal),
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** Tells every list on the screen that a lesson is full, without moving anything. */
export function useMarkSlotFull(): (slotId: string) => void {
  const client = useQueryClient();
  return useCallback(
    (slotId) => {
      client.setQueriesData<Pages>({ queryKey: keyOf(catalogueApi.discoverSlots) }, (known) =>
        known?.pages
          ? {
              ...known,
              pages: known.pages.map((page) => ({
                ...page,
                slots: page.slots.map((slot) =>
                  slot.slotId === slotId ? { ...slot, bookedCount: slot.maxCapacity } : slot,
                ),
              })),
            }
          : known,
      );
      void client.invalidateQueries({ queryKey: keyOf(catalogueApi.getOpenSlot, { slotId }) });
    },
    [client],
  );
}
