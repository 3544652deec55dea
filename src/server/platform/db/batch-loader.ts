import { isQueryTimeout } from './database-failure.ts';

/** The maximum number of concurrent batches per loader; later callers join the next batch. */
const maxConcurrentBatches = 2;

/** The maximum number of keys per batch. */
const maxBatchSize = 100;

/**
 * Batch loader: combines concurrent single reads into one call of `readMany`, so a rush costs the database a few
 * statements instead of one per caller; the reads that one caller requests together share a statement. `readMany`
 * returns its values in the order of the keys. A read always starts after it was requested, so no caller gets an older
 * state. If a read fails, its whole batch fails. After a query timeout, every waiting caller fails too, because each
 * further read could take as long.
 */
export function createBatchLoader<Key, Value>(
  readMany: (keys: Key[]) => Promise<Value[]>,
): (key: Key) => Promise<Value> {
  type Waiting = { key: Key; take: (value: Value) => void; fail: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let underWay = 0;

  async function runBatches(): Promise<void> {
    if (underWay === maxConcurrentBatches) return;
    underWay += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatchSize);
      try {
        const values = await readMany(batch.map(({ key }) => key));
        for (const [index, { take }] of batch.entries()) take(values[index]!);
      } catch (error) {
        const failed = isQueryTimeout(error) ? [...batch, ...waiting.splice(0)] : batch;
        for (const { fail } of failed) fail(error);
      }
    }
    underWay -= 1;
  }

  return (key) =>
    new Promise((take, fail) => {
      waiting.push({ key, take, fail });
      // Begins after the calls of this turn, so that they share the batch.
      queueMicrotask(() => void runBatches());
    });
}
