import { LRUCache } from 'lru-cache';
import { AppError } from '#domain/errors.ts';

/**
 * A bounded page cache: a result is reused for `ttlMs` milliseconds unless it is evicted, at most `maxEntries` results
 * are kept, and at most `maxAtOnce` pages render at the same time. Throws `unavailable` while that many are rendering,
 * so that the caller can send something cheaper. Failures are passed to the waiting callers and are not cached. `ttlMs`
 * must be at least 1, because 0 means "never expires" to lru-cache.
 */
export function createPageCache<T extends NonNullable<unknown>>({
  ttlMs,
  maxEntries,
  maxAtOnce,
  render,
}: {
  ttlMs: number;
  maxEntries: number;
  maxAtOnce: number;
  render: (key: string) => Promise<T>;
}): (key: string) => Promise<T> {
  let underWay = 0;
  const pages = new LRUCache<string, T>({
    max: maxEntries,
    ttl: ttlMs,
    // Callers waiting for a page get it even if it has been evicted.
    ignoreFetchAbort: true,
    fetchMethod: async (key) => {
      if (underWay >= maxAtOnce) {
        throw new AppError('unavailable', "We're very busy right now. Please try again in a moment.");
      }
      underWay += 1;
      try {
        return await render(key);
      } finally {
        underWay -= 1;
      }
    },
  });
  return (key) => pages.forceFetch(key);
}
