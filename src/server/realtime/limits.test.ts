import { afterEach, describe, expect, test } from 'vitest';
import { openClub } from '#server/test-support/club.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { Connection } from './connection.ts';
import { realtimeLimits } from './limits.ts';
import { openRaw } from './live-client.test-support.ts';

const metricsToken = 'only-for-the-monitor';
const app = setUpTestApp({
  env: { TRUST_PROXY: '1', METRICS_TOKEN: metricsToken },
  realtimeLimits: { ...realtimeLimits, topicsPerConnection: 2 },
});
/** Connections may send almost any number of frames. Readers soon count as slow, but are disconnected only later. */
const tolerantApp = setUpTestApp({
  env: { METRICS_TOKEN: metricsToken },
  realtimeLimits: { ...realtimeLimits, framesPerWindow: 100_000, unsentBytes: 32 * 1024, slowMs: 60_000 },
});
const strict = setUpTestApp({
  env: { METRICS_TOKEN: metricsToken },
  realtimeLimits: {
    ...realtimeLimits,
    ...{ framesPerWindow: 100_000, unsentBytes: 32 * 1024, slowMs: 500, pongMs: 100 },
  },
});

type Raw = Awaited<ReturnType<typeof openRaw>>;
const open: Raw[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});
async function connect(options: Parameters<typeof openRaw>[1] = {}, url = app.url): Promise<Raw> {
  const connection = await openRaw(url, options);
  open.push(connection);
  return connection;
}
async function readFigure(url: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number(new RegExp(`^app_realtime_${name} (\\S+)$`, 'm').exec(await answer.text())?.[1]);
}
/** Expects an error reply to each of three messages, and then the end of the connection. */
async function refuseThrice(raw: Raw, send: (ref: string) => void): Promise<void> {
  for (const ref of ['1', '2', '3']) {
    send(ref);
    expect((await raw.reply(ref)).status).toBe('error');
  }
  expect(await raw.closed()).toBe(1008);
}
const heartbeat = (ref: string) => [null, ref, 'phoenix', 'heartbeat', {}];
const watchOf = (ref: string, slotIds: string[]) => [
  ...['1', ref, 'realtime:places', 'broadcast'],
  { type: 'broadcast', event: 'watch', payload: { slotIds } },
];

test('sets the specified limits on topics, connections, messages and unsent data [RT-10, RT-11]', () => {
  expect(realtimeLimits).toMatchObject({
    ...{ topicsPerConnection: 10, connectionsPerPerson: 5, signedOutPerAddress: 20, closingRefusal: 3 },
    ...{ framesPerWindow: 30, windowMs: 10_000, frameBytes: 16 * 1024, slotsPerWatch: 100 },
    unsentBytes: 256 * 1024,
  });
});

describe('the upgrade', () => {
  test('refuses foreign origins, other paths and other protocols [RT-10e]', async () => {
    expect((await connect()).outcome).toBe(101);
    expect((await connect({ origin: app.url })).outcome).toBe(101);
    expect((await connect({ origin: 'https://elsewhere.example' })).outcome).toBe(403);
    expect((await connect({ origin: 'null' })).outcome).toBe(403);
    expect((await connect({ query: 'apikey=test&vsn=1.0.0' })).outcome).toBe(400);
    expect((await openRaw(`${app.url}/elsewhere`)).outcome).toBe(404);
    const plain = await fetch(`${app.url}/realtime/v1/websocket`);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/json']);
    const upgraded = await fetch(`${app.url}/healthz`, { headers: { upgrade: 'h2c' } }).catch(() => null);
    expect([200, 404, undefined]).toContain(upgraded?.status);
  });
});

describe('the server', () => {
  test('refuses topics beyond the limit; closes the connection at the third refusal [RT-10a]', async () => {
    const person = await app.signIn('customer', 'coach', 'admin');
    const raw = await connect();
    raw.join('realtime:places', person.token, '1');
    raw.join(`realtime:user:${person.userId}`, person.token, '2');
    expect([(await raw.reply('1')).status, (await raw.reply('2')).status]).toEqual(['ok', 'ok']);
    for (const ref of ['3', '4', '5']) raw.join('realtime:admin', person.token, ref);
    for (const ref of ['3', '4', '5']) {
      expect(await raw.reply(ref)).toEqual({
        status: 'error',
        response: { reason: 'A connection may join at most 2 topics.' },
      });
    }
    expect(await raw.closed()).toBe(1008);
  });

  test('refuses the sixth connection of a person [RT-10b]', async () => {
    const person = await app.signIn('customer');
    const topic = `realtime:user:${person.userId}`;
    const connections = await Promise.all(Array.from({ length: 5 }, () => connect()));
    for (const raw of connections) {
      raw.join(topic, person.token);
      expect((await raw.reply('1')).status).toBe('ok');
    }
    const sixth = await connect();
    await refuseThrice(sixth, (ref) => sixth.join(topic, person.token, ref));
    connections[0]!.close();
    await eventually(async () => {
      const again = await connect();
      again.join(topic, person.token);
      return (await again.reply('1')).status === 'ok';
    });
  });

  test('closes connections that do not answer a ping when the person opens another', async () => {
    const person = await strict.signIn('customer');
    const topic = `realtime:user:${person.userId}`;
    const left = await Promise.all(Array.from({ length: 5 }, () => connect({}, strict.url)));
    for (const raw of left) {
      raw.join(topic, person.token);
      expect((await raw.reply('1')).status).toBe('ok');
      raw.socket.pause();
    }
    const next = await connect({}, strict.url);
    next.join(topic, person.token);
    expect((await next.reply('1')).status).toBe('ok');
    await eventually(async () => (await readFigure(strict.url, 'connections')) === 1);
  });

  test('limits signed-out connections per IP address to 20, but not signed-in people [RT-10c]', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    for (let count = 0; count < 20; count += 1) {
      const raw = await connect({ headers });
      raw.join('realtime:places');
      expect((await raw.reply('1')).status).toBe('ok');
    }
    const refused = await connect({ headers });
    await refuseThrice(refused, (ref) => refused.join('realtime:places', undefined, ref));
    const next = await connect({ headers });
    const person = await app.signIn('customer');
    next.join('realtime:places', person.token, '2');
    expect((await next.reply('2')).status).toBe('ok');
    const elsewhere = await connect({ headers: { 'x-forwarded-for': '203.0.113.8' } });
    elsewhere.join('realtime:places');
    expect((await elsewhere.reply('1')).status).toBe('ok');
  });

  test('refuses messages that are too large or too frequent, then disconnects [RT-3, RT-10d]', async () => {
    const large = await connect();
    /** A heartbeat whose frame has this many bytes. */
    const ofBytes = (ref: string, bytes: number) => {
      const frame = (filler: string) => JSON.stringify([null, ref, 'phoenix', 'heartbeat', { filler }]);
      return frame('x'.repeat(bytes - frame('').length));
    };
    large.send(ofBytes('0', 16 * 1024));
    expect((await large.reply('0')).status).toBe('ok');
    for (const bytes of [16 * 1024 + 1, 17_000, 64 * 1024]) large.send(ofBytes('1', bytes));
    expect(await large.closed()).toBe(1008);
    expect(large.received.map((frame) => (frame[4] as { status: string }).status)).toEqual([
      'ok',
      ...Array(3).fill('error'),
    ]);
    const huge = await connect();
    huge.send(ofBytes('1', 64 * 1024 + 1));
    expect(await huge.closed()).toBe(1009);
    expect(huge.received).toEqual([]);
    const frequent = await connect();
    for (let ref = 1; ref <= 30; ref += 1) frequent.send(heartbeat(String(ref)));
    expect((await frequent.reply('30')).status).toBe('ok');
    for (let ref = 31; ref <= 33; ref += 1) frequent.send(heartbeat(String(ref)));
    expect((await frequent.reply('31')).status).toBe('error');
    expect(await frequent.closed()).toBe(1008);
    const wide = await connect();
    wide.join('realtime:places', undefined, '0');
    await wide.reply('0');
    const newIds = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
    wide.send(watchOf('100', newIds(100)));
    expect((await wide.reply('100')).status).toBe('ok');
    await refuseThrice(wide, (ref) => wide.send(watchOf(ref, newIds(101))));
  });

  test('starts a new count of messages every 10 s [RT-10d]', () => {
    const connection = new Connection({} as never, '', realtimeLimits, () => {});
    const start = performance.now() + 60_000;
    const accepted = (at: number) => Array.from({ length: 31 }, () => connection.countFrame(at));
    for (const at of [start, start + 10_001, start + 20_002]) {
      expect(accepted(at)).toEqual([...Array(30).fill(true), false]);
    }
    expect(connection.countFrame(start + 29_000)).toBe(false);
  });

  test('keeps a connection open after malformed messages', async () => {
    const hostile: (string | Buffer)[] = [
      ...[
        '',
        '{}',
        '[]',
        '[1,2,3,4,5]',
        'null',
        '[null,null,"phoenix","heartbeat",[]]',
        '"text"',
        '['.repeat(9_000),
      ],
      ...['["1","1","realtime:places","phx_join",null]', '["1","1","__proto__","phx_join",{}]'],
      ...[
        Buffer.alloc(0),
        Buffer.from([3]),
        Buffer.from([3, 255, 255, 255, 255, 255, 1]),
        Buffer.from([0, 1, 2]),
      ],
      Buffer.from([3, 1, 1, 1, 1, 0, 0, 49, 49, 97, 98, 1, 2, 3]),
    ];
    for (const message of hostile) {
      const raw = await connect();
      raw.socket.send(message);
      raw.send(heartbeat('9'));
      expect((await raw.reply('9')).status, String(message)).toBe('ok');
    }
  });
});

describe('a slow reader', () => {
  /** The booked seats in the messages about the only slot that a connection watches. */
  const countsOf = ({ received }: Raw) =>
    received
      .map((frame) => frame[4] as { event?: string; payload: { slots: { bookedCount: number }[] } })
      .filter(({ event }) => event === 'slots')
      .map(({ payload }) => payload.slots[0]!.bookedCount);

  /** Stops reading, and requests so many replies that the buffers of both ends are full. */
  async function fallBehind({ url }: { url: string }, raw: Raw): Promise<void> {
    raw.socket.pause();
    const ref = 'r'.repeat(64);
    await eventually(async () => {
      for (let count = 0; count < 5_000; count += 1) raw.send(heartbeat(ref));
      if ((await readFigure(url, 'slow_connections')) === 1) return true;
      // A strict server may have disconnected the reader between two reads of the metric.
      return (await readFigure(url, 'connections')) === 0;
    });
  }

  test('gets only the newest state of a slot [RT-11a]', async () => {
    const own = await openClub(tolerantApp);
    const slotId = await own.publish({ seats: 20, priceCents: 0 });
    const raw = await connect({}, tolerantApp.url);
    raw.join('realtime:places');
    raw.send(watchOf('2', [slotId]));
    await eventually(async () => countsOf(raw).length === 1);
    await fallBehind(tolerantApp, raw);
    const watcher = await connect({}, tolerantApp.url);
    watcher.join('realtime:places');
    await watcher.reply('1');
    watcher.send(watchOf('2', [slotId]));
    for (let count = 1; count <= 4; count += 1) {
      await own.book(await own.join(null), slotId, 0);
      await eventually(async () => countsOf(watcher).includes(count));
      // The state that the server sends in response also waits.
      if (count === 2) raw.send(watchOf('3', [slotId]));
    }
    raw.socket.resume();
    raw.send(heartbeat('last'));
    await raw.reply('last');
    expect(countsOf(raw)).toEqual([0, expect.any(Number), 4]);
    expect(countsOf(raw)).not.toContain(1);
  });

  test('is disconnected if it stays slow [RT-11b]', async () => {
    const raw = await connect({}, strict.url);
    raw.join('realtime:places');
    await fallBehind(strict, raw);
    await eventually(async () => (await readFigure(strict.url, 'connections')) === 0);
    raw.socket.resume();
    expect(await raw.closed()).toBeGreaterThan(0);
  });

  test('gets no messages above 256 KB of unsent data, then is disconnected with 1013 [RT-11b]', () => {
    const done: unknown[] = [];
    const socket = {
      ...{ OPEN: 1, readyState: 1, bufferedAmount: 256 * 1024 },
      send: (message: Buffer) => done.push(String(message)),
      close: (...how: unknown[]) => done.push(how),
      terminate: () => {},
    };
    const connection = new Connection(socket as never, '', realtimeLimits, () => {});
    connection.send(Buffer.from('sent'), 'slot');
    socket.bufferedAmount += 1;
    for (const state of ['old', 'new']) connection.send(Buffer.from(state), 'slot');
    const now = performance.now();
    connection.flush(now + realtimeLimits.slowMs - 1_000);
    expect([done, connection.isSlow]).toEqual([['sent'], true]);
    connection.flush(now + realtimeLimits.slowMs + 1_000);
    expect(done).toEqual(['sent', [1013, 'too slow']]);
  });
});

test('reports connections, topics and lag as metrics', async () => {
  const read = (name: string) => readFigure(app.url, name);
  await eventually(async () => (await read('connections')) === 0);
  expect([await read('topics'), await read('lag_seconds')]).toEqual([0, 0]);
  const raw = await connect();
  raw.join('realtime:places');
  await raw.reply('1');
  expect([await read('connections'), await read('topics')]).toEqual([1, 1]);
  expect(await read('lag_seconds')).toBeLessThan(30);
});
