/**
 * Caches a read for `ms` milliseconds and shares one running call among concurrent callers. Failures go to the
 * waiting callers and are not cached.
 */
export function memoizeWithTtl<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { value: T; until: number } | undefined;
  let underWay: Promise<T> | undefined;
  return () => {
    if (cached && performance.now() < cached.until) return Promise.resolve(cached.value);
    underWay ??= read()
      .then((value) => {
        cached = { value, until: performance.now() + ms };
        return value;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };
}
