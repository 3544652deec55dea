import { expect, test, vi } from 'vitest';
import { createDecodeQueue } from './decode-queue.ts';

/** A task that ends when `end` is called. */
function openTask() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended };
}

test('decodes two pictures at a time and the rest in order [FILE-7c]', async () => {
  const queue = createDecodeQueue();
  const tasks = Array.from({ length: 5 }, openTask);
  const begun: number[] = [];
  const done = tasks.map((task, index) =>
    queue.run(async () => {
      begun.push(index);
      await task.ended;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  expect(queue.state()).toEqual({ running: 2, waiting: 3, refused: 0 });
  tasks[1]!.end();
  await done[1];
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { end } of tasks) end();
  await Promise.all(done);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(queue.state()).toEqual({ running: 0, waiting: 0, refused: 0 });
});

test('refuses a picture that waits too long or finds too many waiting, and continues [FILE-7c]', async () => {
  const queue = createDecodeQueue({ atOnce: 1, waitMs: 20, maxWaiting: 1 });
  const task = openTask();
  const first = queue.run(() => task.ended);
  const second = queue.run(async () => 'decoded');
  await expect(queue.run(async () => 'decoded')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  expect(queue.state()).toEqual({ running: 1, waiting: 0, refused: 2 });
  task.end();
  await first;
  expect(await queue.run(async () => 'decoded')).toBe('decoded');
});

test('refuses a picture that has waited for 10 s [FILE-7c]', async () => {
  vi.useFakeTimers();
  try {
    const queue = createDecodeQueue();
    const tasks = [openTask(), openTask()];
    const running = tasks.map((task) => queue.run(() => task.ended));
    const refused = expect(queue.run(async () => 'decoded')).rejects.toMatchObject({ code: 'unavailable' });
    await vi.advanceTimersByTimeAsync(9_900);
    expect(queue.state()).toEqual({ running: 2, waiting: 1, refused: 0 });
    await vi.advanceTimersByTimeAsync(200);
    await refused;
    for (const { end } of tasks) end();
    await Promise.all(running);
  } finally {
    vi.useRealTimers();
  }
});

test('frees the turn of a task that fails', async () => {
  const queue = createDecodeQueue({ atOnce: 1 });
  await expect(queue.run(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(queue.state().running).toBe(0);
});
