import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvents } from './connection.ts';
import { type KeptConnection, keepConnected } from './keep-connected.ts';

beforeEach(() => void vi.useFakeTimers());
let kept: KeptConnection;
afterEach(() => {
  kept.close();
  vi.useRealTimers();
});

/** Opens a page whose network the test switches off and on; `connections` lists the connections that the page made. */
async function openPage() {
  const connections: { events: LiveEvents; isOpen: boolean; checks: number }[] = [];
  const page = {
    connections,
    isReachable: true,
    isPaused: false,
    joined: [] as boolean[],
    last: () => connections.at(-1)!,
    join: () => {
      page.last().events.onConnected(true);
      page.last().events.onJoined('user:1', false);
    },
  };
  kept = keepConnected({
    open: async (events) => {
      const connection = { events, isOpen: true, checks: 0 };
      connections.push(connection);
      return {
        renewToken: () => {},
        check: () => {
          connection.checks += 1;
        },
        close: () => {
          connection.isOpen = false;
        },
      };
    },
    probe: async () => page.isReachable,
    onPaused: (isPaused) => {
      page.isPaused = isPaused;
    },
    onChange: () => {},
    onEnded: () => {},
    onJoined: (_topic, isAgain) => page.joined.push(isAgain),
  });
  await vi.advanceTimersByTimeAsync(0);
  page.join();
  return page;
}

test('shows an interruption after 2 s, and reconnects once the server is reachable [RT-9]', async () => {
  const page = await openPage();
  page.isReachable = false;
  page.last().events.onConnected(false);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(page.isPaused).toBe(false);
  await vi.advanceTimersByTimeAsync(8_100);
  expect([page.isPaused, page.connections.length]).toEqual([true, 1]);
  page.isReachable = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(page.connections.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  page.join();
  expect([page.isPaused, page.joined]).toEqual([false, [false, true]]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.connections).toHaveLength(2);
});

test('leaves reconnecting to the library while the server is reachable', async () => {
  const page = await openPage();
  page.last().events.onConnected(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([page.isPaused, page.connections.length]).toEqual([true, 1]);
  page.join();
  expect(page.isPaused).toBe(false);
});

test('replaces an unresponsive connection, and closes the old connection', async () => {
  const page = await openPage();
  kept.check();
  expect(page.last().checks).toBe(1);
  page.last().events.onSilent();
  await vi.advanceTimersByTimeAsync(0);
  expect(page.connections.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  kept.close();
  expect(page.last().isOpen).toBe(false);
});
