import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { callEndpoint, outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { startKillableProduct } from '#server/test-support/killed-process.test-support.ts';
import {
  beforeTests,
  eventually,
  setUpTestApp,
  startTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { openLive, openRaw, signExpiring, startStopwatch } from './live-client.test-support.ts';
import { openRealtime } from './realtime.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const open: { close: () => unknown }[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});
const live = (token: () => string, url = app.url) => {
  const connection = openLive(url, token);
  open.push(connection);
  return connection;
};

/** Forwards data in both directions, and closes each socket when the other closes. */
function relay(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client);
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

describe('an expiring token', () => {
  test('ends the topic with a system message and phx_error, never phx_close [RT-8a]', async () => {
    const person = await app.signIn('customer');
    const topic = `realtime:user:${person.userId}`;
    const raw = await openRaw(app.url);
    open.push(raw);
    raw.join(topic, person.token, '7');
    expect((await raw.reply('7')).status).toBe('ok');
    const token = await signExpiring(app, person, 3);
    const expiresMs = decodeJwt(token).exp! * 1_000;
    raw.send(['7', '9', topic, 'access_token', { access_token: token }]);
    await eventually(async () => raw.received.some((frame) => frame[3] === 'phx_error'));
    expect(Date.now()).toBeGreaterThanOrEqual(expiresMs);
    expect(raw.received.slice(1)).toEqual([
      ['7', null, topic, 'system', expect.objectContaining({ status: 'error', extension: 'system' })],
      ['7', '7', topic, 'phx_error', {}],
    ]);
    // The token of a join expires as well.
    raw.join(topic, await signExpiring(app, person, 3), '8');
    expect((await raw.reply('8')).status).toBe('ok');
    await eventually(async () => raw.received.some((frame) => frame[3] === 'phx_error' && frame[0] === '8'));
    expect(raw.received.slice(-2)).toEqual([
      ['8', null, topic, 'system', expect.objectContaining({ status: 'error', extension: 'system' })],
      ['8', '8', topic, 'phx_error', {}],
    ]);
    expect(raw.received.map((frame) => frame[3])).not.toContain('phx_close');
  });

  test('does not end the topic if a newer token arrives in time [RT-8b]', async () => {
    const person = await app.signIn('customer');
    const topic = `realtime:user:${person.userId}`;
    const raw = await openRaw(app.url);
    open.push(raw);
    raw.join(topic, person.token, '1');
    expect((await raw.reply('1')).status).toBe('ok');
    const exp = Date.now() + 4_000;
    const tokens = [await signExpiring(app, person, 4), person.token];
    for (const token of tokens) raw.send(['1', '2', topic, 'access_token', { access_token: token }]);
    await eventually(async () => Date.now() > exp + 2_000);
    expect(raw.received.map((frame) => frame[3])).toEqual(['phx_reply']);
    raw.send(['1', '3', topic, 'access_token', { access_token: 'nonsense' }]);
    await eventually(async () => raw.received.some((frame) => frame[3] === 'phx_error'));
  });

  test('can be replaced after its expiry: the client joins again with the new token [RT-8c]', async () => {
    const person = await app.signIn('customer');
    let { token } = person;
    const connection = live(() => token);
    const own = connection.join(`user:${person.userId}`);
    expect(await own.answered()).toBe('SUBSCRIBED');
    token = await signExpiring(app, person, 2);
    await connection.client.setAuth();
    await eventually(async () => own.statuses.includes('CHANNEL_ERROR'));
    token = person.token;
    await connection.client.setAuth();
    await eventually(async () => own.statuses.at(-1) === 'SUBSCRIBED', 15_000);
  });
});

/** Starts a second process of the product on the same database. */
const startSecond = () =>
  startTestApp({
    env: { PUBLIC_URL: app.url, AUTH_SIGNING_KEYS: JSON.stringify(app.config.signingKeys) },
    database: { url: app.databaseUrl, drop: async () => {} },
  });

/** Fails unless a topic ends within 2 s. */
async function expectEnded({ statuses }: { statuses: string[] }): Promise<void> {
  const stopwatch = startStopwatch();
  await eventually(async () => statuses.includes('CLOSED'));
  expect(stopwatch()).toBeLessThan(2_000);
}

/** How long an interruption may delay a change, in ms (RT-12). */
const delayMs = 15_000;

describe('the server', () => {
  test('sends changes to browsers of every process, and ends topics after a sign-out [RT-2a, RT-7b, RT-12a]', async () => {
    const other = await startSecond();
    try {
      const url = `http://127.0.0.1:${other.config.port}`;
      const slotId = await club.publish({ priceCents: 0 });
      const customer = await club.join(null);
      const here = live(() => '').join('places');
      const there = live(() => '', url).join('places');
      const coach = live(() => club.coach.token, url).join(`coach:${club.coach.userId}`);
      for (const topic of [here, there, coach]) expect(await topic.answered()).toBe('SUBSCRIBED');
      for (const topic of [here, there]) await topic.watch([slotId]);
      await club.book(customer, slotId, 0);
      for (const topic of [here, there]) {
        await topic.next(({ payload }) => JSON.stringify(payload).includes('"bookedCount":1'));
      }
      await coach.next(({ payload }) => payload.kind === 'slots' && payload.id === slotId);
      const [ours, theirs] = await Promise.all(
        [app.url, url].map(async (process) => [
          await outputOf(callEndpoint(process, null, slotsApi.getOpenSlot, { slotId })),
          await outputOf(callEndpoint(process, club.coach, slotsApi.getCoachSlot, { slotId })),
        ]),
      );
      expect(theirs).toEqual(ours);
      expect(ours).toMatchObject([{ slot: { bookedCount: 1 } }, { slot: { bookedCount: 1 } }]);
      await app.auth(club.coach, '/logout?scope=global');
      await expectEnded(coach);
    } finally {
      await other.stop();
    }
  });

  test('ends topics on another process when a role is revoked or an account deleted [RT-7a, RT-7c]', async () => {
    const other = await startSecond();
    try {
      const url = `http://127.0.0.1:${other.config.port}`;
      const [admin, person] = [await app.signIn('admin'), await app.signIn('customer', 'coach')];
      const connection = live(() => person.token, url);
      const [own, coach] = ['user', 'coach'].map((kind) => connection.join(`${kind}:${person.userId}`));
      for (const topic of [own!, coach!]) expect(await topic.answered()).toBe('SUBSCRIBED');
      const change = { userId: person.userId, role: 'coach', isHeld: false } as const;
      await outputOf(app.call(admin, adminApi.changeRole, change));
      await expectEnded(coach!);
      expect(own!.statuses).toEqual(['SUBSCRIBED']);
      await outputOf(app.call(person, ownAccountApi.deleteAccount, {}));
      await expectEnded(own!);
    } finally {
      await other.stop();
    }
  });

  test('sends `resync` after the database connection breaks, and keeps topics joined [RT-12, RT-12b]', async () => {
    const person = await app.signIn('customer', 'coach', 'admin');
    const [slotId, other] = [await club.publish({ priceCents: 0 }), await club.publish()];
    const connection = live(() => person.token);
    const topics = [`user:${person.userId}`, `coach:${person.userId}`, 'admin'];
    const own = topics.map((topic) => connection.join(topic));
    const slots = live(() => '').join('places');
    for (const topic of [...own, slots]) expect(await topic.answered()).toBe('SUBSCRIBED');
    await slots.watch([slotId, other]);
    await slots.next(() => true);
    // Like a change whose row was lost with the connection: no later read of changes reports it.
    await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('lessonSlots').set({ priceCents: 4242 }).where('slotId', '=', other).execute();
      const lost = await tx.deleteFrom('changes').where('key', '=', other).returning('topic').execute();
      expect(lost).toContainEqual({ topic: 'places' });
    });
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(app.db);
    const stopwatch = startStopwatch();
    for (const topic of own) await topic.next(({ event }) => event === 'resync');
    await slots.next(({ payload }) => JSON.stringify(payload).includes('"priceCents":4242'));
    await club.book(await club.join(null), slotId, 0);
    await slots.next(({ payload }) => JSON.stringify(payload).includes('"bookedCount":1'));
    expect(stopwatch()).toBeLessThan(delayMs);
    for (const { statuses } of own) expect(statuses).toEqual(['SUBSCRIBED']);
  });

  test('keeps trying to reach the database, as often as it reads changes [RT-12, RT-12b]', async () => {
    const { hostname, port } = new URL(app.databaseUrl);
    let isCut = false;
    let refused = 0;
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => {
      if (isCut) {
        refused += 1;
        return socket.destroy();
      }
      relay(socket, connect(Number(port), hostname));
      sockets.add(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const databaseUrl = new URL(app.databaseUrl);
    databaseUrl.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const config = { ...app.config, databaseUrl: databaseUrl.href };
    const realtime = openRealtime({ config, db: app.db, log: createLog('silent') });
    const server = createHttpServer();
    realtime.attach(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await realtime.stop({ drainMs: 0 });
      server.close();
      proxy.close();
    });
    const raw = await openRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    open.push(raw);
    raw.join('realtime:places');
    expect((await raw.reply('1')).status).toBe('ok');
    isCut = true;
    for (const socket of sockets) socket.destroy();
    const cutAt = performance.now();
    const slotId = await club.publish();
    const watch = { type: 'broadcast', event: 'watch', payload: { slotIds: [slotId] } };
    raw.send(['1', '2', 'realtime:places', 'broadcast', watch]);
    // If the intervals doubled, ten attempts would take longer than `eventually` waits, and changes would be late.
    await eventually(async () => refused >= 10);
    // Changes are read every 250 ms. The message causes at most two more attempts.
    expect(refused).toBeLessThanOrEqual((performance.now() - cutAt) / 250 + 3);
    isCut = false;
    await eventually(async () => JSON.stringify(raw.received).includes(slotId));
  });

  test('closes connections when it stops, and accepts them again after a restart [RT-12, RT-12c]', async () => {
    const person = await app.signIn('customer');
    const own = live(() => person.token).join(`user:${person.userId}`);
    expect(await own.answered()).toBe('SUBSCRIBED');
    const raw = await openRaw(app.url);
    open.push(raw);
    raw.join('realtime:places');
    await raw.reply('1');
    const stopwatch = startStopwatch();
    await app.restart();
    expect(await raw.closed()).toBe(1012);
    await eventually(async () => own.statuses.filter((status) => status === 'SUBSCRIBED').length === 2);
    await sql`select record_change('user', ${person.userId}, 'card')`.execute(app.db);
    await own.next(({ payload }) => payload.kind === 'card');
    expect(stopwatch()).toBeLessThan(delayMs);
  });

  test('serves a browser from another process after the first is killed [RT-12, RT-12d]', async () => {
    const killable = await startKillableProduct(app, app.stripeSimulator.url);
    let target = killable.url;
    const proxy = createServer((socket) => {
      relay(socket, connect(Number(new URL(target).port), '127.0.0.1'));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    open.push(proxy);
    const person = await app.signIn('customer');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const own = live(() => person.token, url).join(`user:${person.userId}`);
    expect(await own.answered()).toBe('SUBSCRIBED');
    target = app.url;
    const stopwatch = startStopwatch();
    await killable.kill();
    await eventually(async () => own.statuses.filter((status) => status === 'SUBSCRIBED').length === 2);
    await sql`select record_change('user', ${person.userId}, 'card')`.execute(app.db);
    await own.next(({ payload }) => payload.kind === 'card');
    expect(stopwatch()).toBeLessThan(delayMs);
  });

  test('sends a change whose transaction commits after a later change', async () => {
    const slow = await app.signIn('customer');
    const quick = await app.signIn('customer');
    const [first, second] = [slow, quick].map((person) =>
      live(() => person.token).join(`user:${person.userId}`),
    );
    for (const topic of [first!, second!]) expect(await topic.answered()).toBe('SUBSCRIBED');
    const record = ({ userId }: Someone) => sql`select record_change('user', ${userId}, 'card')`;
    await app.db.transaction().execute(async (tx) => {
      await record(slow).execute(tx);
      await record(quick).execute(app.db);
      await second!.next(({ payload }) => payload.kind === 'card');
      expect(first!.messages).toEqual([]);
    });
    await first!.next(({ payload }) => payload.kind === 'card');
  });
});
