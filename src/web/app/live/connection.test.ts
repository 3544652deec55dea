import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LiveConnection, type LiveEvents, openConnection } from './connection.ts';

beforeEach(() => void vi.useFakeTimers());
let connection: LiveConnection;
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

/** Creates a socket class. Its sockets reply to every message if `answers` is true; otherwise they fail to open. */
function createSockets(answers: boolean) {
  const [openedAt, heartbeatsAt]: number[][] = [[], []];
  const sockets: Socket[] = [];
  class Socket {
    readyState = 0;
    bufferedAmount = 0;
    onopen?: () => void;
    onclose?: (event: { code: number }) => void;
    onmessage?: (event: { data: string }) => void;
    constructor() {
      openedAt!.push(Date.now());
      sockets.push(this);
      setTimeout(() => {
        this.readyState = answers ? 1 : 3;
        if (answers) this.onopen?.();
        else this.onclose?.({ code: 1006 });
      });
    }
    send(frame: string): void {
      const [joinRef, ref, topic, event] = JSON.parse(frame);
      if (event === 'heartbeat') heartbeatsAt!.push(Date.now());
      const reply = [joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }];
      setTimeout(() => this.onmessage?.({ data: JSON.stringify(reply) }));
    }
    close(): void {
      this.readyState = 3;
    }
  }
  return { Socket, sockets, openedAt: openedAt!, heartbeatsAt: heartbeatsAt! };
}

function open(transport: unknown) {
  const events = {
    onChange: vi.fn(),
    onJoined: vi.fn(),
    onEnded: vi.fn(),
    onConnected: vi.fn(),
    onSilent: vi.fn(),
  } satisfies LiveEvents;
  const slots = { list: () => [], round: () => 0, report: () => {}, setLive: () => {} };
  const settings = { url: 'http://club.test', topics: ['user:1'], readToken: async () => 'token', slots };
  connection = openConnection({ ...settings, isHidden: () => false, transport: transport as never }, events);
  return events;
}

const secondsBetween = (times: number[]) =>
  times.slice(1).map((time, index) => Math.round((time - times[index]!) / 1_000));

test('retries the connection after 1, 2 and 5 s, then every 10 s [RT-1a]', async () => {
  const { Socket, openedAt } = createSockets(false);
  open(Socket);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(secondsBetween(openedAt)).toEqual([1, 2, 5, 10, 10]);
});

test('sends a heartbeat every 25 s [RT-1a]', async () => {
  const { Socket, openedAt, heartbeatsAt } = createSockets(true);
  const { onConnected, onSilent } = open(Socket);
  await vi.advanceTimersByTimeAsync(80_000);
  expect(secondsBetween([...openedAt, ...heartbeatsAt])).toEqual([25, 25, 25]);
  expect(onConnected.mock.calls).toEqual([[true]]);
  expect(onSilent).not.toHaveBeenCalled();
});

test('joins its topics again after the server closes the connection [RT-9, RT-12c]', async () => {
  const { Socket, sockets } = createSockets(true);
  const { onConnected, onJoined, onEnded } = open(Socket);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onJoined.mock.calls).toEqual([['user:1', false]]);
  // 1012: the server is restarting.
  sockets[0]!.readyState = 3;
  sockets[0]!.onclose?.({ code: 1012 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sockets).toHaveLength(2);
  expect(onJoined.mock.calls).toEqual([
    ['user:1', false],
    ['user:1', true],
  ]);
  expect(onConnected.mock.calls).toEqual([[true], [false], [true]]);
  expect(onEnded).not.toHaveBeenCalled();
});
