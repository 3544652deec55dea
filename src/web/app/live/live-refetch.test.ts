import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createLiveRefetch } from './live-refetch.ts';

test('waits for a requested next page before it refetches a changed list', async () => {
  const client = new QueryClient();
  let version = 1;
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list_earnings'],
    queryFn: async ({ pageParam, signal }) => {
      const page = `page ${pageParam} of version ${version}`;
      if (pageParam === 2 && version === 1) await asked;
      signal.throwIfAborted();
      return page;
    },
    initialPageParam: 1,
    getNextPageParam: (_, pages) => pages.length + 1,
  });
  const leave = observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toHaveLength(1));
  const more = observer.fetchNextPage();
  version = 2;
  createLiveRefetch(client).afterChange(['list_earnings']);
  answer();
  await more;
  await vi.waitFor(() =>
    expect(observer.getCurrentResult().data?.pages).toEqual(['page 1 of version 2', 'page 2 of version 2']),
  );
  leave();
});
