type Options<T> = {
  /** How long the operation may take in milliseconds, including its wait for a turn. */
  timeoutMs?: number;
  /** Called with the result of an operation that finishes after its timeout. */
  onLate?: (value: T) => unknown;
};

export type DiskQueue = ReturnType<typeof createDiskQueue>;

/**
 * Runs operations on a disk, `atOnce` at a time. An operation on a hung mount cannot be cancelled: after the timeout it
 * fails, but keeps its turn until the mount responds. Without turns, such operations would soon take all four threads
 * that Node also needs to hash passwords and to look up host names.
 */
export function createDiskQueue({ atOnce = 2, timeoutMs: usualTimeoutMs = 8_000 } = {}) {
  const waiting = new Set<() => void>();
  let running = 0;
  const endTurn = () => {
    running -= 1;
    const [next] = waiting;
    if (!next) return;
    waiting.delete(next);
    next();
  };

  return function run<T>(
    operation: () => Promise<T>,
    { timeoutMs = usualTimeoutMs, onLate }: Options<T> = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        waiting.delete(start);
        reject(new Error(`No response from the disk within ${timeoutMs} ms`));
      }, timeoutMs);
      const start = () => {
        running += 1;
        operation()
          .then((value) => (isLate ? onLate?.(value) : resolve(value)), reject)
          .finally(() => {
            clearTimeout(timer);
            endTurn();
          });
      };
      if (running < atOnce) start();
      else waiting.add(start);
    });
  };
}
