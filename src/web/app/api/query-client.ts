import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isUnavailable, watchOutage } from './outage-watch.ts';

/** The query cache. Only requests without any response are retried, twice. */
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
        // Without a connection a call fails with a sentence about it, instead of spinning for ever.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
