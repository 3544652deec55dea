import { LRUCache } from 'lru-cache';

/**
 * Caches a read for `ms` milliseconds and shares one running call among concurrent callers. Failures are passed to the
 * waiting callers and are not cached. `ms` must be at least 1, because 0 means "never expires" to lru-cache.
 */
export function memoizeWithTtl<T extends NonNullable<unknown>>(
  ms: number,
  read: () => Promise<T>,
): () => Promise<T> {
  const cache = new LRUCache<'value', T>({ max: 1, ttl: ms, fetchMethod: read });
  return () => cache.forceFetch('value');
}
