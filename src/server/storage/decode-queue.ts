import { AppError } from '#domain/errors.ts';

/** Runs a few tasks at a time; the rest wait in order. */
export type DecodeQueue = {
  run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Tasks running and waiting at the moment, and tasks refused since the start. */
  state: () => { running: number; waiting: number; refused: number };
};

/**
 * Creates a queue that runs `atOnce` tasks at a time, because decoding a picture takes most of a core. A task that
 * waits for longer than `waitMs`, or finds `maxWaiting` others waiting, fails with `unavailable`.
 */
export function createDecodeQueue({ atOnce = 2, waitMs = 10_000, maxWaiting = 30 } = {}): DecodeQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let refused = 0;
  const refuse = () => {
    refused += 1;
    return new AppError(
      'unavailable',
      "We're busy with other people's pictures right now. Please try again in a moment.",
    );
  };
  const takeTurn = () =>
    new Promise<void>((resolve, reject) => {
      if (running < atOnce) {
        running += 1;
        return resolve();
      }
      if (waiting.length >= maxWaiting) return reject(refuse());
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(refuse());
      }, waitMs);
      waiting.push(start);
    });
  return {
    async run(task) {
      await takeTurn();
      try {
        return await task();
      } finally {
        // The next task takes this turn, so the count stays the same.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
    state: () => ({ running, waiting: waiting.length, refused }),
  };
}
