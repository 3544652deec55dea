import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Role } from '#domain/access.ts';
import type { PrivateTopic } from '#domain/changes.ts';
import { expectNotJoined, openRaw } from '#server/realtime/live-client.test-support.ts';
import { nameTopic, slotsTopic } from '#server/realtime/topics.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { forgeTokens } from '#server/test-support/forged-tokens.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

/** The role that a person needs to join each private topic; null for none. */
const roleNeeded: Record<PrivateTopic, Role | null> = { user: null, coach: 'coach', admin: 'admin' };
const privateTopics = Object.keys(roleNeeded) as PrivateTopic[];
const topicsOf = (userId: string) => privateTopics.map((kind) => nameTopic(kind, userId));

type Raw = Awaited<ReturnType<typeof openRaw>>;
type Listener = { name: string; raw: Raw; allowed: string[] };
const listeners: Listener[] = [];
afterAll(() => {
  for (const { raw } of listeners) raw.close();
});

let ref = 0;
/** Sends a message and returns the payload of the reply. */
function ask(raw: Raw, topic: string, event: string, payload: object) {
  ref += 1;
  raw.send([String(ref), String(ref), topic, event, payload]);
  return raw.reply(String(ref));
}

/** The other messages that a client may send about a topic. */
const otherMessages = (token: string | null): [event: string, payload: object][] => [
  ['access_token', { access_token: token }],
  ['broadcast', { type: 'broadcast', event: 'watch', payload: { slotIds: [] } }],
  ['phx_leave', {}],
];

const heardBy = ({ raw }: Listener) =>
  raw.received.filter((frame) => frame[3] === 'broadcast').map((frame) => String(frame[2]));

test('lets people join, read and write only their own topics, as their roles allow [ROLE-5, RT-1c, RT-6]', {
  timeout: 120_000,
}, async () => {
  const every: Role[] = ['customer', 'coach', 'admin'];
  const [owner, stranger] = [await app.signIn(...every), await app.signIn(...every)];
  const unknown = [
    ...['realtime:user:1', 'realtime:bookings', 'user', '__proto__', slotsTopic.toUpperCase()],
    `realtime:admin:${stranger.userId}`,
    `realtime:user:${stranger.userId}:bookings`,
    ...(['user', 'coach'] as const).map((kind) => nameTopic(kind, randomUUID())),
  ];

  /** Tries every topic; `roles` are null for a token that must not be accepted. */
  async function walk(name: string, token: string | null, userId: string, roles: Role[] | null) {
    const mine = (kind: PrivateTopic) => {
      const role = roleNeeded[kind];
      return roles !== null && (role === null || roles.includes(role));
    };
    const allowed = [slotsTopic, ...privateTopics.filter(mine).map((kind) => nameTopic(kind, userId))];
    const existing = new Set([slotsTopic, ...topicsOf(userId), ...topicsOf(stranger.userId)]);
    const raw = await openRaw(app.url);
    listeners.push({ name, raw, allowed });
    const topics = [...existing, ...unknown];
    const joins = topics.map((topic) => ask(raw, topic, 'phx_join', { config: {}, access_token: token }));
    for (const [index, reply] of (await Promise.all(joins)).entries()) {
      const topic = topics[index]!;
      if (allowed.includes(topic)) expect(reply.status, `${topic} by ${name}`).toBe('ok');
      else expectNotJoined(reply, `${topic} by ${name}`);
    }
    const others = topicsOf(stranger.userId)
      .filter((topic) => !allowed.includes(topic))
      .flatMap((topic) => otherMessages(token).map((message) => [topic, ...message] as const));
    const replies = await Promise.all(others.map((message) => ask(raw, ...message)));
    for (const [index, reply] of replies.entries()) {
      const [topic, event] = others[index]!;
      expect(reply, `${event} to ${topic} by ${name}`).toEqual({
        status: 'error',
        response: { reason: 'You have not joined this topic.' },
      });
    }
  }

  await walk('the stranger', stranger.token, stranger.userId, every);
  await walk('a visitor', null, owner.userId, null);
  for (let choice = 0; choice < 8; choice += 1) {
    const roles = every.filter((_, index) => choice & (1 << index));
    const person: Someone = await app.signIn(...roles);
    await app.db.updateTable('profiles').set({ roles }).where('userId', '=', person.userId).execute();
    await walk(`one with [${roles}]`, person.token, person.userId, roles);
  }
  const tokens = await forgeTokens(app, owner.token, stranger.userId);
  for (const [kind, token] of Object.entries(tokens)) {
    // These two tokens belonged to other people, so they are tried on those people's own topics.
    const isOver = kind === 'of a session that has ended' || kind === 'of an account that was deleted';
    await walk(kind, token, isOver ? decodeJwt(token).sub! : owner.userId, null);
  }

  const changed = topicsOf(stranger.userId);
  for (const kind of privateTopics) {
    const [key, changedKind] = kind === 'admin' ? ['overview', null] : [stranger.userId, 'walk'];
    await sql`select record_change(${kind}, ${key}, ${changedKind})`.execute(app.db);
  }
  for (const listener of listeners) {
    const expected = changed.filter((topic) => listener.allowed.includes(topic));
    await eventually(async () => expected.every((topic) => heardBy(listener).includes(topic)));
  }
  for (const listener of listeners) {
    // Messages arrive in order, so no earlier message can arrive after this reply.
    expect((await ask(listener.raw, 'phoenix', 'heartbeat', {})).status, listener.name).toBe('ok');
    expect(
      heardBy(listener).filter((topic) => !listener.allowed.includes(topic)),
      listener.name,
    ).toEqual([]);
  }
});
