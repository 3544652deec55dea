import { isQueryTimeout } from './database-failure.ts';

/** So many calls of one reader are under way at most; who asks meanwhile is answered by the next. */
const maxConcurrentBatches = 2;

/** The most questions that one call answers. */
const maxBatchSize = 100;

/**
 * Makes a reader of single things out of one that reads many: what is asked at the same moment is read by one call, so
 * that a rush costs the database a few statements instead of one each. `readMany` answers in the order of the questions.
 * A read always begins after it was asked for, so nobody is told an older state; one that fails fails for all it answers,
 * and, where the database kept silent, for all that wait: each further read would keep them waiting as long again.
 */
export function createBatchLoader<Key, Value>(
  readMany: (keys: Key[]) => Promise<Value[]>,
): (key: Key) => Promise<Value> {
  type Waiting = { key: Key; take: (value: Value) => void; fail: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let underWay = 0;

  async function runBatches(): Promise<void> {
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
      if (underWay < maxConcurrentBatches) void runBatches();
    });
}
