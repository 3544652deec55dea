import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { invalidate, keyOf } from './api.ts';

it('keeps the newer response even if an older request finishes later', async () => {
  const client = new QueryClient();
  const answers: ((text: string) => void)[] = [];
  const read = new QueryObserver(client, {
    queryKey: keyOf(adminApi.listUsers, {}),
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const stop = read.subscribe(() => {});
  const invalidated = invalidate(client, [adminApi.listUsers]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!('after');
  answers[0]!('before');
  await invalidated;
  expect(read.getCurrentResult().data).toBe('after');
  stop();
});
