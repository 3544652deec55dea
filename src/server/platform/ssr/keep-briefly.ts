/**
 * Makes a read that many ask for at once: its answer serves everybody for `ms` milliseconds after it came, and whoever
 * asks while it is under way waits for the same one. A failure is told to those who waited and kept for nobody.
 */
export function memoizeWithTtl<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { value: T; until: number } | undefined;
  let underWay: Promise<T> | undefined;
  return () => {
    if (kept && performance.now() < kept.until) return Promise.resolve(kept.value);
    underWay ??= read()
      .then((value) => {
        kept = { value, until: performance.now() + ms };
        return value;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };
}
