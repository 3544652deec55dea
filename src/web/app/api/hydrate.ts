import type { QueryClient } from '@tanstack/react-query';

/** An answer of the API that the server wrote into the page, by its key in the app's cache; `at` in milliseconds. */
export type DehydratedQuery = { key: readonly unknown[]; data: unknown; at: number };

/**
 * Hydrates the query cache from a server-rendered page, so that nothing is fetched twice. Returns false if the page
 * came empty.
 */
export function hydrateQueryCache(client: QueryClient): boolean {
  const written = document.getElementById('dehydrated');
  if (!written) return false;
  const queries = JSON.parse(written.textContent) as DehydratedQuery[];
  const now = Date.now();
  // Clocks differ; a time in the future would never become stale.
  for (const { key, data, at } of queries) client.setQueryData(key, data, { updatedAt: Math.min(at, now) });
  written.remove();
  return true;
}
