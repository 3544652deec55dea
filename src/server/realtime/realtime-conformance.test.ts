import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openLive, openRaw, signExpiring } from './live-client.test-support.ts';

// Checks, call by call, that the server does what realtime-js expects. docs/decisions/0068 lists the exceptions.
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const open: { close: () => unknown }[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});
function live(token: () => string | null, options?: Parameters<typeof openLive>[2]) {
  const connection = openLive(app.url, token, options);
  open.push(connection);
  return connection;
}
const liveAs = (person: Someone) => live(() => person.token);

const userTopic = ({ userId }: Someone) => `user:${userId}`;
const coachTopic = ({ userId }: Someone) => `coach:${userId}`;
/** Records a change that is sent to everyone on the topic. */
const record = (topic: 'user' | 'coach', { userId }: Someone, kind: string) =>
  sql`select record_change(${topic}, ${userId}, ${kind})`.execute(app.db);

type Topic = ReturnType<ReturnType<typeof openLive>['join']>;
const isOf = (kind: string) => (message: Topic['messages'][number]) => message.payload.kind === kind;
const kindsOf = ({ messages }: Topic) => messages.map(({ payload }) => payload.kind);
async function expectJoined(...topics: Topic[]): Promise<void> {
  for (const topic of topics) expect(await topic.answered()).toBe('SUBSCRIBED');
}

describe('connecting', () => {
  test('accepts any parameters in the URL, except another protocol version', async () => {
    const params = { apikey: 'test', eventsPerSecond: '10' };
    await expectJoined(live(() => null, { params, logLevel: 'info' }).join('places'));
    const former = live(() => null, { vsn: '1.0.0' }).join('places');
    expect(['CHANNEL_ERROR', 'TIMED_OUT']).toContain(await former.answered());
  });

  test("accepts a newer token with the client's next heartbeat [RT-8b]", async () => {
    const person = await app.signIn('customer');
    const expiresMs = Date.now() + 8_000;
    let token = await signExpiring(app, person, 8);
    const connection = live(() => token);
    const own = connection.join(userTopic(person));
    await expectJoined(own);
    token = person.token;
    await connection.client.sendHeartbeat();
    await eventually(async () => Date.now() > expiresMs + 2_000);
    expect(own.statuses).toEqual(['SUBSCRIBED']);
  });

  test('ends a topic when the client sets a token that does not allow the topic', async () => {
    const [person, other] = [await app.signIn('customer'), await app.signIn('customer')];
    for (const wrong of [other.token, 'not-a-token']) {
      const connection = liveAs(person);
      const own = connection.join(userTopic(person));
      await expectJoined(own);
      await connection.client.setAuth(wrong);
      await eventually(async () => own.statuses[1] === 'CHANNEL_ERROR');
      expect(own.system).toMatchObject([{ status: 'error', extension: 'system' }]);
    }
  });

  test('joins again with the current token after reconnecting [RT-8c]', async () => {
    const person = await app.signIn('customer');
    const second = await app.signInAs(person.userId);
    let token = person.token;
    const connection = live(() => token);
    const own = connection.join(userTopic(person));
    await expectJoined(own);
    await connection.client.disconnect();
    token = second.token;
    connection.client.connect();
    await eventually(async () => own.statuses.filter((status) => status === 'SUBSCRIBED').length === 2);
    await app.auth(second, '/logout?scope=others');
    await own.next(isOf('session'));
    expect(own.statuses.at(-1)).toBe('SUBSCRIBED');
  });
});

describe('joining', () => {
  test('accepts every channel option, but no presence or messages on private topics', async () => {
    const person = await app.signIn('customer');
    const own = liveAs(person).join(userTopic(person), {
      private: true,
      broadcast: { ack: true, self: true },
      presence: { key: 'me', enabled: true },
    });
    await expectJoined(own);
    expect(await own.channel.track({ online: true })).toBe('error');
    expect(await own.channel.untrack()).toBe('error');
    expect(own.channel.presenceState()).toEqual({});
    const forged = { kind: 'card', id: null };
    expect(await own.channel.send({ type: 'broadcast', event: 'change', payload: forged })).toBe('error');
    expect(kindsOf(own)).not.toContain('card');
  });

  test('refuses subscriptions to row changes with an error that the client reports', async () => {
    const person = await app.signIn('customer');
    const { client } = liveAs(person);
    await client.setAuth();
    const channel = client.channel(userTopic(person));
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'bookings' }, () => {});
    const error = await new Promise<Error | undefined>((resolve) => {
      channel.subscribe((status, error) => status === 'CHANNEL_ERROR' && resolve(error));
    });
    expect(error?.message).toContain('postgres changes');
  });

  test('gives the reason for a refusal, and lets a later attempt succeed', async () => {
    const person = await app.signIn('customer');
    const coach = liveAs(person).join(coachTopic(person));
    expect(await coach.answered()).toBe('CHANNEL_ERROR');
    expect(coach.errors[0]).toContain('You may not join this topic.');
    await app.db
      .updateTable('profiles')
      .set({ roles: ['customer', 'coach'] })
      .where('userId', '=', person.userId)
      .execute();
    await eventually(async () => coach.statuses.at(-1) === 'SUBSCRIBED');
  });

  test('sends each change once when a topic is joined twice on one connection', async () => {
    const person = await app.signIn('customer');
    const raw = await openRaw(app.url);
    open.push(raw);
    for (const ref of ['1', '2']) {
      raw.join(`realtime:${userTopic(person)}`, person.token, ref);
      expect(await raw.reply(ref)).toEqual({ status: 'ok', response: { postgres_changes: [] } });
    }
    const received = (kind: string) => raw.received.filter((frame) => JSON.stringify(frame).includes(kind));
    for (const kind of ['card', 'bookings']) {
      await record('user', person, kind);
      await eventually(async () => received(kind).length > 0);
    }
    expect(received('card')).toHaveLength(1);
  });

  test('leaves topics, sends nothing more on them, and rejoins them with the same token', async () => {
    const person = await app.signIn('customer', 'coach');
    const connection = liveAs(person);
    const [own, coach] = [connection.join(userTopic(person)), connection.join(coachTopic(person))];
    await expectJoined(own, coach);
    expect(await own.channel.unsubscribe()).toBe('ok');
    await eventually(async () => own.statuses.at(-1) === 'CLOSED');
    await record('user', person, 'card');
    await record('coach', person, 'earnings');
    await coach.next(isOf('earnings'));
    expect(kindsOf(own)).not.toContain('card');

    const again = connection.join(userTopic(person));
    await expectJoined(again);
    await record('user', person, 'card');
    await again.next(isOf('card'));
    expect(await connection.client.removeChannel(again.channel)).toBe('ok');
    expect(await connection.client.removeAllChannels()).toEqual(['ok']);
    await eventually(async () => connection.client.connectionState() === 'closed');
    await expectJoined(connection.join(userTopic(person)));
  });
});

describe('messages', () => {
  test('reach only the channel of their topic and the listeners of their event', async () => {
    const person = await app.signIn('customer', 'coach');
    const connection = liveAs(person);
    const topics = [userTopic(person), coachTopic(person), 'places'].map((name) => connection.join(name));
    const [own, coach, slots] = topics as [Topic, Topic, Topic];
    await expectJoined(...topics);
    const heard: unknown[] = [];
    own.channel.on('broadcast', { event: 'change' }, ({ event, payload }) =>
      heard.push([event, payload.kind]),
    );
    own.channel.on('broadcast', { event: 'other' }, () => heard.push('other'));
    await record('user', person, 'card');
    await record('coach', person, 'earnings');
    await own.next(isOf('card'));
    await coach.next(isOf('earnings'));
    expect(heard).toContainEqual(['change', 'card']);
    expect(heard).not.toContain('other');
    expect(kindsOf(own)).not.toContain('earnings');
    expect(kindsOf(coach)).not.toContain('card');
    expect(slots.messages).toEqual([]);
  });

  test('are acknowledged in order, however quickly the client sends them', async () => {
    const slotIds = await Promise.all(Array.from({ length: 10 }, () => club.publish()));
    const slots = live(() => null).join('places', { broadcast: { ack: true, self: false } });
    await expectJoined(slots);
    expect(await Promise.all(slotIds.map((slotId) => slots.watch([slotId])))).toEqual(Array(10).fill('ok'));
    const last = slotIds.at(-1)!;
    await slots.next(({ payload }) => JSON.stringify(payload).includes(last));
    const seen = slots.messages.length;
    await app.db
      .updateTable('lessonSlots')
      .set({ priceCents: 4200 })
      .where('slotId', 'in', slotIds)
      .execute();
    await slots.next(({ payload }) => JSON.stringify(payload).includes('"priceCents":4200'));
    const later = JSON.stringify(slots.messages.slice(seen));
    expect(slotIds.filter((slotId) => later.includes(slotId))).toEqual([last]);
    const send = (event: string, payload: unknown) =>
      slots.channel.send({ type: 'broadcast', event, payload });
    expect(await send('watch', { slotIds: ['not-an-id'] })).toBe('error');
    expect(await send('shout', { text: 'Hello' })).toBe('error');
    expect(slots.statuses).toEqual(['SUBSCRIBED']);
  });

  test('cannot be sent over HTTP, which the client falls back to before it has joined', async () => {
    const { client } = live(() => null);
    const channel = client.channel('places');
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await channel.send({ type: 'broadcast', event: 'watch', payload: {} })).toBe('error');
    warning.mockRestore();
    await expect(channel.httpSend('watch', {})).rejects.toThrow();
  });
});
