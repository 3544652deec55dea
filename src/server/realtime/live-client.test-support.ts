import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type RealtimeChannelOptions,
  RealtimeClient,
  type RealtimeClientOptions,
} from '@supabase/realtime-js';
import { decodeJwt, SignJWT } from 'jose';
import { expect } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { eventually, type TestApp } from '#server/test-support/test-app.test-support.ts';

type Message = { event: string; payload: Record<string, unknown> };

const socketUrl = (url: string) => `${url.replace('http', 'ws')}/realtime/v1`;

/** A token of a person's session that expires after this many seconds. */
export function signExpiring(app: TestApp, { token }: Someone, seconds: number): Promise<string> {
  const key = app.config.signingKeys[0]!;
  const exp = Math.floor(Date.now() / 1_000) + seconds;
  const signed = new SignJWT({ ...decodeJwt(token), exp }).setProtectedHeader({ alg: 'ES256', kid: key.kid });
  return signed.sign({ ...key, alg: 'ES256' });
}

/**
 * Connects to live updates with the library that browsers use. As in a browser, `token` is called for each join. Close
 * the connection at the end of the test.
 */
export function openLive(
  url: string,
  token: () => string | null = () => null,
  options: RealtimeClientOptions = {},
) {
  const client = new RealtimeClient(socketUrl(url), {
    params: { apikey: 'test' },
    transport: WebSocket as never,
    accessToken: async () => token(),
    ...options,
  });

  /** Joins a topic, and collects the library's statuses and errors and the server's broadcasts and system messages. */
  function join(name: string, config: RealtimeChannelOptions['config'] = {}) {
    const channel = client.channel(name, { config });
    const statuses: string[] = [];
    const errors: string[] = [];
    const messages: Message[] = [];
    const system: Record<string, unknown>[] = [];
    channel.on('broadcast', { event: '*' }, ({ event, payload }) => messages.push({ event, payload }));
    channel.on('system', {} as { event: string }, (payload) => system.push(payload));
    const joined = client.setAuth().then(() =>
      channel.subscribe((status, error) => {
        statuses.push(status);
        if (error) errors.push(error.message);
      }),
    );
    return {
      channel,
      statuses,
      errors,
      messages,
      system,
      /** Waits for the join's first status, and returns it. */
      answered: async () => {
        await joined;
        await eventually(async () => statuses.length > 0);
        return statuses[0];
      },
      /** Waits for a message that matches, and returns it. */
      next: (match: (message: Message) => boolean) => eventually(async () => messages.find(match)),
      /** Watches these slots: the server sends their state now and after each change. */
      watch: (slotIds: string[]) => channel.send({ type: 'broadcast', event: 'watch', payload: { slotIds } }),
    };
  }
  return { client, join, close: () => client.disconnect() };
}

/** Opens a bare WebSocket, which can send frames that the library never sends. */
export async function openRaw(
  url: string,
  { query = 'apikey=test&vsn=2.0.0', ...options }: ClientOptions & { query?: string } = {},
) {
  const socket = new WebSocket(`${socketUrl(url)}/websocket?${query}`, options);
  const received: unknown[][] = [];
  let closeCode: number | null = null;
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  socket.on('close', (code) => {
    closeCode = code;
  });
  const outcome = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('error', () => resolve(0));
  });
  return {
    socket,
    /** The status of the response to the upgrade: 101 if the socket is open, 0 if there was no response. */
    outcome,
    received,
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    join: (topic: string, token?: string, ref = '1') =>
      socket.send(JSON.stringify([ref, ref, topic, 'phx_join', { config: {}, access_token: token }])),
    /** Waits for the reply to this ref, and returns its payload. */
    reply: (ref: string) =>
      eventually(async () => received.find((frame) => frame[3] === 'phx_reply' && frame[1] === ref)).then(
        (frame) => frame[4] as { status: string; response: Record<string, unknown> },
      ),
    closed: () => eventually(async () => closeCode),
    close: () => socket.terminate(),
  };
}

/** Expects a join to be refused without revealing whether the topic exists. */
export function expectNotJoined(reply: { status: string; response: unknown }, what: string): void {
  expect(reply, what).toEqual({ status: 'error', response: { reason: 'You may not join this topic.' } });
}

/**
 * Starts a stopwatch. It returns how many ms have passed, less ten times the longest delay of the event loop: how long
 * a busy machine kept this process waiting says nothing about the product.
 */
export function startStopwatch(): () => number {
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const startedAt = performance.now();
  return () => {
    loop.disable();
    return performance.now() - startedAt - 10 * (loop.max / 1e6);
  };
}
