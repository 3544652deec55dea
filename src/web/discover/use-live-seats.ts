import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#web/app/api/api.ts';
import { useAreSlotsLive, useWatchedSlots } from '#web/app/live/watched-slots.ts';
import { loadSlotsApi, mergeAvailability, useMergeSlots } from '#web/catalogue/open-slots.ts';

const everyMs = 20_000;
const maxAtOnce = 100;

/**
 * Keeps the availability, price, time and location of the visible lessons up to date with messages from the server.
 * Also fetches them when the person returns to the page, and every 20 s while there is no live connection. Only cards
 * change and nothing moves: a lesson that fills up keeps its position and reads "Fully Booked". `readAt`: when the list
 * was last fetched, in ms since 1970; 0 before that.
 */
export function useLiveSeats(readAt: number): void {
  const client = useQueryClient();
  const isLive = useAreSlotsLive();
  useWatchedSlots(listSlotsInSight, useMergeSlots(), readAt > 0);
  useQuery({
    queryKey: ['read_slot_availability'],
    queryFn: async ({ signal }) => {
      const slotIds = listSlotsInSight();
      if (slotIds.length === 0) return null;
      const { readAvailability } = await loadSlotsApi();
      const { slots } = await callApi(readAvailability, { slotIds: slotIds.join() }, signal);
      mergeAvailability(client, slots);
      return null;
    },
    enabled: readAt > 0,
    initialData: null,
    initialDataUpdatedAt: readAt,
    staleTime: everyMs,
    refetchInterval: isLive ? false : everyMs,
    refetchOnWindowFocus: 'always',
  });
}

/** The ids of the lessons whose cards are visible or less than a window's height away. */
function listSlotsInSight(): string[] {
  const near = window.innerHeight;
  return [...document.querySelectorAll<HTMLElement>('[data-slot]')]
    .filter((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      return bottom > -near && top < 2 * near;
    })
    .slice(0, maxAtOnce)
    .map((card) => card.dataset.slot!);
}
