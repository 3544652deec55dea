import { useSyncExternalStore } from 'react';

const query = '(width < 48rem)';

function subscribe(onChange: () => void) {
  const list = matchMedia(query);
  list.addEventListener('change', onChange);
  return () => list.removeEventListener('change', onChange);
}

/**
 * Whether the window is narrower than 768 px, where a screen shows less at once instead of the same smaller; false on
 * the server.
 */
export function useIsSmallScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
