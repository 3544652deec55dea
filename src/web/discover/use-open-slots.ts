import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DiscoverFilters, OpenSlot, SlotAvailability } from '#domain/catalogue/contract.ts';
import { callApi } from '#web/app/api/api.ts';

type Pages = InfiniteData<{ slots: OpenSlot[]; nextCursor: string | null }, string | undefined>;
type Change = Partial<SlotAvailability> & Pick<SlotAvailability, 'slotId'>;

const minute = 60_000;

/** The contract of lessons brings the validation library along, which a list that came with its page does without. */
export const loadCatalogueApi = async () => (await import('#domain/catalogue/contract.ts')).catalogueApi;

/** The key of every list of open lessons, before its filters. */
export const openSlotsKey = 'discover_slots';

/**
 * Lessons that fit the filters, page after page; the former list stays until the first answer is there. Who comes back
 * finds the pages as they were left: asked for anew they would lose what has filled up, and with it one's place. What
 * changes on their cards is told by useLivePlaces.
 */
export function useOpenSlots(filters: DiscoverFilters) {
  return useInfiniteQuery({
    queryKey: [openSlotsKey, filters],
    queryFn: async ({ pageParam, signal }) => {
      const { discoverSlots } = await loadCatalogueApi();
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

/** Puts what is known now about lessons into every list on the screen, without moving anything. */
export function mergeAvailability(client: QueryClient, changes: Change[]): void {
  const bySlot = new Map(changes.map((change) => [change.slotId, change]));
  client.setQueriesData<Pages>({ queryKey: [openSlotsKey] }, (known) =>
    known?.pages
      ? {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            slots: page.slots.map((slot) => ({ ...slot, ...bySlot.get(slot.slotId) })),
          })),
        }
      : known,
  );
}

/** Tells every list on the screen that a lesson is full. */
export function useMarkSlotFull(): (slot: Pick<OpenSlot, 'slotId' | 'maxCapacity'>) => void {
  const client = useQueryClient();
  return useCallback(
    ({ slotId, maxCapacity }) => {
      mergeAvailability(client, [{ slotId, bookedCount: maxCapacity }]);
      void client.invalidateQueries({ queryKey: ['get_slot', { slotId }] });
    },
    [client],
  );
}
