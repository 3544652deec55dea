import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { maxBookingsPerPayment } from '#domain/bookings/rules.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';

/**
 * A lesson that someone intends to book, and its participant. `participantId` is the user's own id if the user takes
 * part.
 */
export type BasketItem = { slotId: string; participantId: string };

/** Each account has its own basket in this browser's local storage. It contains only ids and holds no seats. */
const keyOf = (userId: string) => `app.basket.${userId}`;

const listeners = new Set<() => void>();
function subscribe(listener: () => void) {
  listeners.add(listener);
  // The browser sends this event to its other tabs.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** Storage may be blocked. The basket is then empty. */
function read(userId: string | undefined): string {
  try {
    return (userId && localStorage.getItem(keyOf(userId))) || '[]';
  } catch {
    return '[]';
  }
}

function write(userId: string, items: BasketItem[]): void {
  try {
    if (items.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(items));
    else localStorage.removeItem(keyOf(userId));
  } catch (error) {
    console.error('The basket could not be saved', error);
  }
  for (const listener of listeners) listener();
}

function parse(text: string): BasketItem[] {
  try {
    const items: Partial<BasketItem>[] = JSON.parse(text);
    return items
      .filter((item): item is BasketItem => Boolean(item.slotId && item.participantId))
      .slice(0, maxBookingsPerPayment);
  } catch {
    return [];
  }
}

export const isSameItem = (one: BasketItem, other: BasketItem): boolean =>
  one.slotId === other.slotId && one.participantId === other.participantId;

/** The user's basket in this browser: empty for visitors and while the page is rendered on the server. */
export function useBasket() {
  const userId = useAuth().user?.id;
  const text = useSyncExternalStore(
    subscribe,
    () => read(userId),
    () => '[]',
  );
  const items = useMemo(() => parse(text), [text]);
  const change = useCallback(
    (to: (items: BasketItem[]) => BasketItem[]) => userId && write(userId, to(parse(read(userId)))),
    [userId],
  );
  return {
    items,
    /** Adds items that aren't in the basket yet. The caller checks that there is room for them. */
    add: (added: BasketItem[]) =>
      change((known) => [...known, ...added.filter((item) => !known.some((one) => isSameItem(one, item)))]),
    remove: (removed: BasketItem[]) =>
      change((known) => known.filter((item) => !removed.some((one) => isSameItem(one, item)))),
  };
}
