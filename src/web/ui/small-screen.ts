import { useSyncExternalStore } from 'react';

const query = '(width < 48rem)';

function subscribe(onChange: () => void) {
  const list = matchMedia(query);
  list.addEventListener('change', onChange);
  return () => list.removeEventListener('change', onChange);
}

/**
 * True if the window is narrower than 768 px; screens then show less content rather than smaller content.
 * False on the server.
 */
export function useIsSmallScreen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
