import { AppError } from '#domain/errors.ts';
import { memoizeWithTtl } from './memoize-with-ttl.ts';

/**
 * A bounded page cache: each key is rendered at most once in `ttlMs` milliseconds, at most `maxEntries` results are
 * kept, and at most `mostAtOnce` render at the same time. Throws `unavailable` when those are busy, so that the
 * caller can send something cheaper. Failures go to the waiting callers and are not cached.
 */
export function createPageCache<T>({
  ttlMs,
  maxEntries,
  mostAtOnce,
  render,
}: {
  ttlMs: number;
  maxEntries: number;
  mostAtOnce: number;
  render: (key: string) => Promise<T>;
}): (key: string) => Promise<T> {
  const readers = new Map<string, () => Promise<T>>();
  let underWay = 0;
  const renderBounded = async (key: string): Promise<T> => {
    if (underWay >= mostAtOnce) {
      throw new AppError('unavailable', "We're very busy right now. Please try again in a moment.");
    }
    underWay += 1;
    try {
      return await render(key);
    } finally {
      underWay -= 1;
    }
  };
  return (key) => {
    const read = readers.get(key) ?? memoizeWithTtl(ttlMs, () => renderBounded(key));
    // A Map keeps insertion order, so the first key is the least recently used.
    readers.delete(key);
    readers.set(key, read);
    if (readers.size > maxEntries) readers.delete(readers.keys().next().value!);
    return read();
  };
}
