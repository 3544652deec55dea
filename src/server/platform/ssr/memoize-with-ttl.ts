/**
 * Makes a read that many ask for at once: its answer serves everybody for `ms` milliseconds after it came, and whoever
 * asks while it is under way waits for the same one. A failure is told to those who waited and kept for nobody.
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
