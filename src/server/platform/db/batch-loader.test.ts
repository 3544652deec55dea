import { expect, test } from 'vitest';
import { createBatchLoader } from './batch-loader.ts';

test('combines concurrent reads and never returns a state older than the call', async () => {
  let state = 0;
  const calls: number[] = [];
  const read = createBatchLoader(async (keys: number[]) => {
    const seen = state;
    calls.push(keys.length);
    await new Promise((resolve) => setImmediate(resolve));
    return keys.map((key) => ({ key, seen }));
  });
  const first = [1, 2, 3, 4, 5].map(read);
  state = 1;
  const late = read(6);
  const values = await Promise.all([...first, late]);
  expect(values.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await late).seen).toBe(1);
  expect(calls.length).toBeLessThan(values.length);
});

test('combines reads that one caller requests together', async () => {
  const calls: number[][] = [];
  const read = createBatchLoader(async (keys: number[]) => {
    calls.push(keys);
    return keys;
  });
  expect(await Promise.all([1, 2, 3].map(read))).toEqual([1, 2, 3]);
  expect(calls).toEqual([[1, 2, 3]]);
});

test('fails only the calls of a failed batch', async () => {
  let isBroken = true;
  const read = createBatchLoader(async (keys: string[]) => {
    if (isBroken) throw new Error('lost connection');
    return keys;
  });
  const outcomes = await Promise.allSettled([read('a'), read('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  await expect(read('c')).resolves.toBe('c');
});

test('fails waiting calls when the database does not respond', async () => {
  let calls = 0;
  const fails: ((error: Error) => void)[] = [];
  const read = createBatchLoader((keys: number[]) => {
    calls += 1;
    return isBack ? Promise.resolve(keys) : new Promise<number[]>((_, fail) => fails.push(fail));
  });
  let isBack = false;
  const outcomes = Promise.allSettled(Array.from({ length: 500 }, (_, number) => read(number)));
  await Promise.resolve();
  fails[0]!(new Error('Query read timeout'));
  fails[1]!(new Error('Query read timeout'));
  expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
  expect(calls).toBe(2);
  isBack = true;
  await expect(read(7)).resolves.toBe(7);
});
