import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { OpenSlot, SlotAvailability } from '#domain/catalogue/slots-contract.ts';
import { useWatchedSlots } from '#web/app/live/watched-slots.ts';

/** A lesson in a list. `listed` is the lesson as fetched with the list, if its time or location has changed since. */
export type ListedSlot = OpenSlot & { listed?: OpenSlot };
export type SlotPage = { slots: ListedSlot[]; nextCursor: string | null };

type Pages = InfiniteData<SlotPage, string | undefined>;
type Change = Partial<SlotAvailability> & Pick<SlotAvailability, 'slotId'>;

/** Loads the contract on demand: it imports the validation library, which a server-rendered list does not need. */
export const loadSlotsApi = async () => (await import('#domain/catalogue/slots-contract.ts')).slotsApi;

/** Identifies every cached list of open lessons, with any filters: the responses to `discoverSlots`. */
export const openSlotLists = { operationId: 'discover_slots' };

/** The first element of the cache keys of these lists; the filters follow. */
export const openSlotsKey = openSlotLists.operationId;

/** Updates the availability, price, time and location of lessons in every cached list, without reordering. */
export function mergeAvailability(client: QueryClient, changes: Change[]): void {
  const bySlot = new Map(changes.map((change) => [change.slotId, change]));
  client.setQueriesData<Pages>({ queryKey: [openSlotsKey] }, (known) =>
    known?.pages
      ? {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            slots: page.slots.map((slot) => merge(slot, bySlot.get(slot.slotId))),
          })),
        }
      : known,
  );
}

function merge(slot: ListedSlot, change: Change | undefined): ListedSlot {
  if (!change) return slot;
  const { listed, ...known } = slot;
  const [before, after] = [listed ?? known, { ...known, ...change }];
  const isMoved =
    Date.parse(after.startTime) !== Date.parse(before.startTime) ||
    after.location?.locationId !== before.location?.locationId;
  return isMoved ? { ...after, listed: before } : after;
}

/** Applies the server's messages to lessons in every list and dialog; an open dialog also refetches its lesson. */
export function useMergeSlots(): (slots: { slotId: string }[]) => void {
  const client = useQueryClient();
  return useCallback(
    (slots) => {
      mergeAvailability(client, slots);
      for (const { slotId, ...state } of slots) {
        const queryKey = ['get_slot', { slotId }];
        client.setQueryData<{ slot: OpenSlot }>(
          queryKey,
          (known) => known && { slot: { ...known.slot, ...state } },
        );
        void client.invalidateQueries({ queryKey });
      }
    },
    [client],
  );
}

/** Keeps an open lesson up to date while it is on the screen. */
export function useLiveSlot(slotId: string): void {
  useWatchedSlots(
    useCallback(() => [slotId], [slotId]),
    useMergeSlots(),
  );
}

/** Marks a lesson as full in every cached list; an open dialog also refetches its lesson. */
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
