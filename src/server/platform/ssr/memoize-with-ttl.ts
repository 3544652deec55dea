import { LRUCache } from 'lru-cache';

/**
 * Caches a read for `ms` milliseconds and shares one running call among concurrent callers. Failures go to the
 * waiting callers and are not cached. `ms` is at least 1: the library takes 0 for "never expires".
 */
export function memoizeWithTtl<T extends NonNullable<unknown>>(
  ms: number,
  read: () => Promise<T>,
): () => Promise<T> {
  const cache = new LRUCache<'value', T>({ max: 1, ttl: ms, fetchMethod: read });
  return () => cache.forceFetch('value');
}
