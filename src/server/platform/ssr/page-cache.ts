import { AppError } from '#domain/errors.ts';
import { memoizeWithTtl } from './memoize-with-ttl.ts';

/**
 * Makes a bounded renderer: each key is rendered at most once in `ttlMs` milliseconds, at most `maxEntries` results are in memory,
 * and at most `mostAtOnce` are rendered at the same time. Throws `unavailable` where those are busy, so that the caller can
 * answer with something cheaper. A failure is told to those who waited and kept for nobody.
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
    // The key used last is the last in the map, so the first is the one to go.
    readers.delete(key);
    readers.set(key, read);
    if (readers.size > maxEntries) readers.delete(readers.keys().next().value!);
    return read();
  };
}
