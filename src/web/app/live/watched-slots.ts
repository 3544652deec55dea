import { useEffect, useSyncExternalStore } from 'react';

/**
 * A slot's state as the server sends it. Only the id has a type, because this file passes the other fields on
 * unread.
 */
type SlotState = { slotId: string };
type Watcher = { listSlots: () => string[]; onSlots: (slots: SlotState[]) => void };

const watchers = new Set<Watcher>();
const listeners = new Set<() => void>();
let isLive = false;
let round = 0;

const notifyListeners = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/**
 * Watches slots while the component is mounted: `onSlots` is called with their state immediately and after each
 * change, while {@link useAreSlotsLive} is true. `listSlots` returns the ids to watch, and is called every second.
 */
export function useWatchedSlots(
  listSlots: () => string[],
  onSlots: (slots: SlotState[]) => void,
  isEnabled = true,
): void {
  useEffect(() => {
    if (!isEnabled) return;
    const watcher = { listSlots, onSlots };
    watchers.add(watcher);
    round += 1;
    notifyListeners();
    return () => {
      watchers.delete(watcher);
      notifyListeners();
    };
  }, [listSlots, onSlots, isEnabled]);
}

const no = () => false;

/** True while the server sends changes to watched slots. */
export const useAreSlotsLive = (): boolean => useSyncExternalStore(subscribe, () => isLive, no);

/** True while a component watches slots. */
export const useAreSlotsWatched = (): boolean => useSyncExternalStore(subscribe, () => watchers.size > 0, no);

export function setSlotsLive(next: boolean): void {
  if (next === isLive) return;
  isLive = next;
  notifyListeners();
}

/** The ids of all slots to watch, sorted; at most as many as the server accepts. */
export const listWatchedSlots = (): string[] =>
  [...new Set([...watchers].flatMap(({ listSlots }) => listSlots()))].slice(0, 100).sort();

/** A number that increases whenever a component begins to watch, because the component missed earlier messages. */
export const watchRound = (): number => round;

export function reportSlots(slots: SlotState[]): void {
  for (const { onSlots } of [...watchers]) onSlots(slots);
}
