import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors.ts';
import { createQueryClient } from './query-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('refetches failed queries after an outage, even if the server fails again', async () => {
  // The server is down, then up, down while the page refetches, and up again.
  const health = [false, true, false, true];
  vi.stubGlobal('fetch', async () => ({ ok: health.length > 1 ? health.shift() : true }));
  let reads = 0;
  const read = new QueryObserver(createQueryClient(), {
    queryKey: ['read'],
    queryFn: async () => {
      reads += 1;
      // Each fetch is tried three times.
      if (reads <= 6) throw new AppError('unavailable', 'The server is down.');
      return 'data';
    },
  });
  const stop = read.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read.getCurrentResult().data).toBe('data');
  stop();
});
