import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#domain/endpoint.ts';
import { createHttpApp, route, serveRoutes } from './http.ts';
import { clientTimeouts, listen } from './listen.ts';
import { bodyLimitBytes } from './read-body.ts';

const echo = endpoint({
  method: 'POST',
  path: '/api/echo',
  operationId: 'echo',
  gate: 'public',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  summary: 'Echo a text',
  description: 'Returns the same text.',
});

let server: Awaited<ReturnType<typeof listen>>;
/** A server with the same routes and a short timeout. */
let hasty: Awaited<ReturnType<typeof listen>>;
const logged: { level: number; msg: string }[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write: (line, _encoding, done) => {
      logged.push(JSON.parse(String(line)));
      done();
    },
  });
  const app = createHttpApp(pino({ level: 'info' }, sink), { trustProxy: { hops: 0 } });
  serveRoutes(app, [route(echo, async (input) => input)], async () => null);
  const limits = {
    ...clientTimeouts,
    headersTimeout: 200,
    requestTimeout: 400,
    connectionsCheckingInterval: 50,
  };
  server = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
  hasty = await listen(app.fetch, { port: 0, host: '127.0.0.1', limits });
});
afterAll(() => {
  for (const { server: one } of [server, hasty]) {
    one.closeAllConnections();
    one.close();
  }
});

/** Sends exactly these bytes and returns everything received until the server closes the connection. */
async function sendBytes(text: string, to = server): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(to.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

const start = 'POST /api/echo HTTP/1.1\r\nhost: club.example\r\n';

test('times out an incomplete request with a readable message', async () => {
  const endless = {
    'in its headers': start,
    'in a body with a length': `${start}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"text":`,
    'when chunked': `${start}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{"text":\r\n`,
  };
  for (const [kind, bytes] of Object.entries(endless)) {
    const { status, head, body } = await sendBytes(bytes, hasty);
    expect(status, kind).toBe(408);
    expect(head).toMatch(/x-request-id: [\w-]{36}/);
    expect(head).toContain('x-content-type-options: nosniff');
    expect(JSON.parse(body).error).toMatchObject({
      code: 'request_timeout',
      message: 'This request took too long to arrive. Please try again.',
    });
  }
  expect(logged.filter(({ level }) => level >= 50)).toEqual([]);
});

test('refuses malformed HTTP and oversized headers', async () => {
  const refused: [bytes: string, status: number, code: string][] = [
    ['nonsense\r\n\r\n', 400, 'bad_request'],
    [`${start}x-long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`${start}content-length: -1\r\n\r\n`, 400, 'bad_request'],
    [`${start}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`, 400, 'bad_request'],
    ['GET /api\\echo HTTP/1.1\r\nhost: club.example\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['GET nowhere HTTP/1.1\r\nhost: club.example\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    [
      'TRACE /api/echo HTTP/1.1\r\nhost: club.example\r\nconnection: close\r\n\r\n',
      405,
      'method_not_allowed',
    ],
  ];
  for (const [bytes, status, code] of refused) {
    const answer = await sendBytes(bytes);
    expect(answer.status, bytes.slice(0, 60)).toBe(status);
    expect(answer.head).toMatch(/x-request-id: [\w-]{36}/);
    expect(JSON.parse(answer.body).error.code).toBe(code);
  }
  expect(logged.filter(({ level }) => level >= 50)).toEqual([]);
});

test('refuses a body that is too large and keeps the connection open', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async (body: string, headers: Record<string, string | number>) => {
    const request = httpRequest({
      ...{ agent, host: '127.0.0.1', port: server.port, path: '/api/echo', method: 'POST' },
      headers: { 'content-type': 'application/json', ...headers },
    });
    request.end(body);
    const [response] = await once(request, 'response');
    for await (const _ of response);
    return { status: response.statusCode, isReused: request.reusedSocket };
  };
  const large = JSON.stringify({ text: 'x'.repeat(bodyLimitBytes) });
  expect(await post('{"text":"a"}', {})).toEqual({ status: 200, isReused: false });
  expect(await post(large, { 'content-length': large.length })).toEqual({ status: 413, isReused: true });
  expect(await post('{"text":"a"}', {})).toEqual({ status: 200, isReused: true });
  expect(await post(large, { 'transfer-encoding': 'chunked' })).toEqual({ status: 413, isReused: true });
  expect(await post('{"text":"a"}', {})).toEqual({ status: 200, isReused: true });
  agent.destroy();
});

test("keeps a proxy's request id if it is well-formed", async () => {
  const url = `http://127.0.0.1:${server.port}/nowhere`;
  const idFor = async (given: string) =>
    (await fetch(url, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  expect(await idFor('proxy-0123456789')).toBe('proxy-0123456789');
  for (const given of ['short', 'x'.repeat(65), 'with space', '<script>alert(1)</script>']) {
    expect(await idFor(given)).toMatch(/^[\da-f-]{36}$/);
  }
});

test("takes the client's IP address only from trusted proxies", async () => {
  const whoAsks = async (hops: number, forwarded?: string) => {
    const app = createHttpApp(pino({ level: 'silent' }), { trustProxy: { hops } });
    const echoAddress = route(echo, async (_input, _caller, { ipAddress }) => ({ text: ipAddress }));
    serveRoutes(app, [echoAddress], async () => null);
    const own = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
    const answer = await fetch(`http://127.0.0.1:${own.port}/api/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(forwarded && { 'x-forwarded-for': forwarded }) },
      body: '{"text":""}',
    });
    await own.close();
    return ((await answer.json()) as { text: string }).text;
  };
  expect(await whoAsks(0, '192.0.2.1')).toBe('127.0.0.1');
  expect(await whoAsks(1, '192.0.2.1, 198.51.100.7'), 'what the proxy saw').toBe('198.51.100.7');
  expect(await whoAsks(1)).toBe('127.0.0.1');
});

test('finishes running requests when closing and accepts no new requests', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const slow = await listen(
    async (request) => {
      begun += 1;
      const text = await request.text();
      await held;
      return new Response(`kept ${text}`);
    },
    { port: 0, host: '127.0.0.1' },
  );
  const url = `http://127.0.0.1:${slow.port}/`;
  const waiting = Array.from({ length: 5 }, (_, n) => fetch(url, { method: 'POST', body: String(n) }));
  const sending = httpRequest({ host: '127.0.0.1', port: slow.port, method: 'POST', path: '/' });
  const sent = once(sending, 'response');
  sending.write('half');
  const idle = connect(slow.port, '127.0.0.1');
  await expect.poll(() => begun).toBe(6);

  const closed = slow.close();
  await expect(fetch(url)).rejects.toThrow();
  sending.end(' whole');
  release();
  const texts = await Promise.all(waiting.map(async (answer) => (await answer).text()));
  expect(texts).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4']);
  const [response] = await sent;
  let rest = '';
  for await (const chunk of response) rest += chunk;
  expect(rest).toBe('kept half whole');
  await closed;
  idle.destroy();
});

test('accepts connections while draining, closes each after a response, then stops', async () => {
  const server = await listen(async () => new Response('kept'), { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${server.port}/`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const request = httpRequest({ agent, host: '127.0.0.1', port: server.port });
    request.end();
    const [response] = await once(request, 'response');
    for await (const _ of response);
    return { connection: response.headers.connection, isReused: request.reusedSocket };
  };
  expect(await ask()).toEqual({ connection: 'keep-alive', isReused: false });
  const closed = server.close({ drainMs: 3_000 });
  expect(await ask(), 'on an existing connection').toEqual({ connection: 'close', isReused: true });
  expect(await ask(), 'on a new connection').toEqual({ connection: 'close', isReused: false });
  await closed;
  await expect(fetch(url)).rejects.toThrow();
  agent.destroy();
});

test('stops even if a client pipelined two requests and disconnected', async () => {
  let answer = () => {};
  const own = await listen(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(new Response());
      }),
    { port: 0, host: '127.0.0.1' },
  );
  const socket = connect(own.port, '127.0.0.1');
  const arrived = once(own.server, 'request');
  socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\nGET /second HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = await arrived;
  socket.destroy();
  await once(response, 'close');
  answer();
  await own.close();
});
