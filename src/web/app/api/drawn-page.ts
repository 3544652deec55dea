import type { QueryClient } from '@tanstack/react-query';

/** An answer of the API that the server wrote into the page, by its key in the app's cache; `at` in milliseconds. */
export type Known = { key: readonly unknown[]; data: unknown; at: number };

/**
 * Takes over what the server wrote into a page it drew: the answers go into the cache, so that none is asked for again.
 * Answers false where the page came empty.
 */
export function takeKnown(client: QueryClient): boolean {
  const written = document.getElementById('known');
  if (!written) return false;
  const known = JSON.parse(written.textContent) as Known[];
  const now = Date.now();
  // Clocks differ, and what comes from the future would never be asked for again.
  for (const { key, data, at } of known) client.setQueryData(key, data, { updatedAt: Math.min(at, now) });
  written.remove();
  return true;
}
