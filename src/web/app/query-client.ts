import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AppError } from '#domain/errors.ts';
import { isUnavailable, watchOutage } from './outage-watch.ts';
import { recheckSession } from './session.ts';

function recheckIfRefused(error: unknown) {
  if (error instanceof AppError && error.code === 'unauthenticated') void recheckSession();
}

/** The cache of what the API answered. Only an answer that never came is asked for again, twice. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        recheckIfRefused(error);
        if (isUnavailable(error)) void watchOutage(client);
      },
    }),
    mutationCache: new MutationCache({ onError: recheckIfRefused }),
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
