import type { QueryClient } from '@tanstack/react-query';

/** An answer of the API that the server wrote into the page, by its key in the app's cache; `at` in milliseconds. */
export type DehydratedQuery = { key: readonly unknown[]; data: unknown; at: number };

/**
 * Takes over what the server wrote into a page it drew: the answers go into the cache, so that none is asked for again.
 * Answers false where the page came empty.
 */
export function hydrateQueryCache(client: QueryClient): boolean {
  const written = document.getElementById('dehydrated');
  if (!written) return false;
  const queries = JSON.parse(written.textContent) as DehydratedQuery[];
  const now = Date.now();
  // Clocks differ, and what comes from the future would never be asked for again.
  for (const { key, data, at } of queries) client.setQueryData(key, data, { updatedAt: Math.min(at, now) });
  written.remove();
  return true;
}
