import { QueryCache, QueryClient } from '@tanstack/react-query';
import { AppError } from '#domain/errors.ts';

/** Creates the query client, which retries only `unavailable` failures, at most twice. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isUnavailable(error)) void watchOutage(client);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && isUnavailable(error),
        retryDelay: (failures) => 400 * 2 ** failures,
        // By default, a call without a connection would load for ever instead of failing with a message.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** True if there was no response or the server is temporarily unavailable. */
const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';

let isWatching = false;

/**
 * Call this when a query fails with `unavailable`. If the whole server is down, polls the server every 2 to 4 s and
 * refetches the page's failed queries once the server responds, and again if the server fails in between. If only this
 * query fails, its screen offers a button to try again.
 */
async function watchOutage(client: QueryClient): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  try {
    while (!(await isHealthy())) {
      // In ms; random, so that browsers do not all poll at the same moment.
      do await new Promise((resolve) => setTimeout(resolve, 2_000 + Math.random() * 2_000));
      while (!(await isHealthy()));
      await client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnavailable(state.error) });
    }
  } finally {
    isWatching = false;
  }
}

function isHealthy(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(8_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** An API response that the server wrote into the page, with its key in the app's cache; `at` in ms since 1970. */
type DehydratedQuery = { key: readonly unknown[]; data: unknown; at: number };

/** Hydrates the query cache from the responses that the server wrote into the page, so that none is fetched twice. */
export function hydrateQueryCache(client: QueryClient): void {
  const written = document.getElementById('dehydrated');
  if (!written) return;
  const queries = JSON.parse(written.textContent) as DehydratedQuery[];
  const now = Date.now();
  // The server's clock may be ahead, and data from the future would stay fresh for too long.
  for (const { key, data, at } of queries) client.setQueryData(key, data, { updatedAt: Math.min(at, now) });
  written.remove();
}
