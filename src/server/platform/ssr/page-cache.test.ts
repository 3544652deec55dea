import { expect, test } from 'vitest';
import { createPageCache } from './page-cache.ts';

/** A cache whose renders finish when the test calls `end`. */
function openCache(settings: { ttlMs?: number; maxEntries?: number } = {}) {
  const rendered: string[] = [];
  const ends = new Map<string, () => void>();
  const read = createPageCache({
    ttlMs: settings.ttlMs ?? 60_000,
    maxEntries: settings.maxEntries ?? 10,
    maxAtOnce: 2,
    render: async (key) => {
      rendered.push(key);
      await new Promise<void>((resolve) => ends.set(key, resolve));
      return `page ${key}`;
    },
  });
  return { read, rendered, end: (key: string) => ends.get(key)!() };
}

test('renders two pages simultaneously and refuses a third until one is done', async () => {
  const { read, rendered, end } = openCache();
  const [a, b] = [read('a'), read('b')];
  await expect(read('c')).rejects.toMatchObject({ code: 'unavailable' });
  end('a');
  expect(await a).toBe('page a');
  const c = read('c');
  end('b');
  end('c');
  expect(await Promise.all([b, c])).toEqual(['page b', 'page c']);
  expect(rendered).toEqual(['a', 'b', 'c']);
});

test('renders a page once for all callers within its time to live', async () => {
  const { read, rendered, end } = openCache();
  const asked = [read('a'), read('a'), read('a')];
  end('a');
  expect(await Promise.all(asked)).toEqual(['page a', 'page a', 'page a']);
  expect(await read('a')).toBe('page a');
  expect(rendered).toEqual(['a']);
});

test('evicts the least recently used page when the cache is full', async () => {
  const { read, rendered, end } = openCache({ maxEntries: 2 });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) {
    const page = read(key);
    end(key);
    await page;
  }
  expect(rendered).toEqual(['a', 'b', 'c', 'b']);
});

test('returns a page to waiting callers even if it has been evicted', async () => {
  const { read, end } = openCache({ maxEntries: 1 });
  const waiting = [read('a'), read('a')];
  const other = read('b');
  end('b');
  expect(await other).toBe('page b');
  end('a');
  expect(await Promise.all(waiting)).toEqual(['page a', 'page a']);
});
