import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Connection, Subscription } from './connection.ts';
import { encodeBroadcast, encodeFrame, type Frame } from './frames.ts';
import type { RealtimeLimits } from './limits.ts';
import { mayJoin, parseTopic, type Topic } from './topics.ts';

type Authenticate = (authorization: string) => Promise<Person | null>;

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** The reply to every join that is not allowed, whether or not the topic exists. */
const unauthorised = 'You may not join this topic.';

/**
 * Tracks which connections have joined which topics. As in an API request, the token, its session and the person's
 * roles are checked: at each join, for each newer token, and whenever the session or the roles change. Limits apply per
 * process.
 */
export function createSubscriptions({
  authenticate,
  limits,
  countSignedOut,
}: {
  authenticate: Authenticate;
  limits: RealtimeLimits;
  /** The number of signed-out connections from this connection's IP address that have joined a topic. */
  countSignedOut: (connection: Connection) => number;
}) {
  const byTopic = new Map<string, Set<Subscription>>();
  const byUser = new Map<string, Set<Connection>>();
  /** How many subscriptions there are to topics of each kind. */
  const counts = new Map<Topic['kind'], number>();
  /** People whose sessions and roles must be checked again, because the database did not respond. */
  const unchecked = new Set<string>();

  /** The number of rechecks so far. A join compares it to notice a recheck while its token was being checked. */
  let rechecks = 0;

  /** The person the token belongs to; null for a token that is missing, invalid or from an ended session. */
  async function authenticateToken(token: unknown): Promise<Person | null> {
    if (typeof token !== 'string' || token === '') return null;
    try {
      return await authenticate(`Bearer ${token}`);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  function add(subscription: Subscription): void {
    const { connection, topic } = subscription;
    remove(connection, topic.name);
    connection.subscriptions.set(topic.name, subscription);
    const members = byTopic.get(topic.name) ?? new Set();
    byTopic.set(topic.name, members.add(subscription));
    counts.set(topic.kind, (counts.get(topic.kind) ?? 0) + 1);
  }

  function remove(connection: Connection, name: string): void {
    const subscription = connection.subscriptions.get(name);
    if (!subscription) return;
    connection.subscriptions.delete(name);
    const members = byTopic.get(name);
    members?.delete(subscription);
    if (members?.size === 0) byTopic.delete(name);
    const { kind } = subscription.topic;
    counts.set(kind, counts.get(kind)! - 1);
  }

  /** Ends a joined topic with a message. The client joins again after `phx_error`, but not after `phx_close`. */
  function end(
    { connection, topic, joinRef }: Subscription,
    event: 'phx_error' | 'phx_close',
    message: string,
  ) {
    remove(connection, topic.name);
    const channel = topic.name.replace('realtime:', '');
    const payload = { status: 'error', extension: 'system', channel, message };
    const frame = { joinRef, topic: topic.name };
    connection.send(encodeFrame({ ...frame, ref: null, event: 'system', payload }), `system ${topic.name}`);
    connection.send(encodeFrame({ ...frame, ref: joinRef, event, payload: {} }), `end ${topic.name}`);
  }

  /**
   * If a person has reached the limit, closes the person's connections that don't answer a ping in time. A browser that
   * changes networks leaves its old connections behind.
   */
  async function makeRoom(connection: Connection, { userId }: Person): Promise<void> {
    const connections = byUser.get(userId);
    if (connection.userId === userId || !connections) return;
    if (connections.size < limits.connectionsPerPerson) return;
    const askedAt = performance.now();
    for (const other of connections) other.ping();
    await delay(limits.pongMs);
    for (const other of connections) {
      if (other.seenAt >= askedAt) continue;
      connections.delete(other);
      other.terminate();
    }
  }

  /**
   * Assigns a connection to a person and ends other people's topics on it. Returns false if the person has too many
   * connections.
   */
  function claim(connection: Connection, { userId }: Person): boolean {
    if (connection.userId === userId) return true;
    const connections = byUser.get(userId) ?? new Set();
    if (connections.size >= limits.connectionsPerPerson) return false;
    // A recheck of the previous person would not find their topics on this connection.
    for (const subscription of connection.subscriptions.values()) {
      if (subscription.userId) end(subscription, 'phx_close', unauthorised);
    }
    unassign(connection);
    connection.userId = userId;
    byUser.set(userId, connections.add(connection));
    return true;
  }

  function unassign(connection: Connection): void {
    if (!connection.userId) return;
    const connections = byUser.get(connection.userId);
    connections?.delete(connection);
    if (connections?.size === 0) byUser.delete(connection.userId);
    connection.userId = null;
  }

  async function join(connection: Connection, frame: Frame): Promise<void> {
    const topic = parseTopic(frame.topic);
    const isNew = !connection.subscriptions.has(frame.topic);
    if (isNew && connection.subscriptions.size >= limits.topicsPerConnection) {
      connection.refuse(frame, `A connection may join at most ${limits.topicsPerConnection} topics.`);
      return;
    }
    const token = frame.payload.access_token;
    const rechecksBefore = rechecks;
    const person = await authenticateToken(token);
    if (!topic || (topic.kind !== 'places' && (!person || !mayJoin(topic, person)))) {
      connection.reply(frame, 'error', { reason: unauthorised });
      return;
    }
    if (person) await makeRoom(connection, person);
    if (person && !claim(connection, person)) {
      connection.refuse(frame, `A person may have at most ${limits.connectionsPerPerson} connections.`);
      return;
    }
    if (!connection.userId && countSignedOut(connection) >= limits.signedOutPerAddress) {
      connection.refuse(frame, 'Too many connections from this address. Sign in to get live updates.');
      return;
    }
    const isPrivate = topic.kind !== 'places';
    add({
      connection,
      topic,
      joinRef: frame.joinRef,
      userId: isPrivate ? person!.userId : null,
      token: isPrivate ? (token as string) : '',
      expiresAt: isPrivate ? expiryOf(token as string) : Number.POSITIVE_INFINITY,
    });
    connection.reply(frame, 'ok', { postgres_changes: [] });
    if (person && rechecks !== rechecksBefore) await recheck(person.userId);
  }

  /** Stores a newer token for a joined private topic; ends the topic if that token does not allow it. */
  async function renew(connection: Connection, frame: Frame): Promise<void> {
    const subscription = connection.subscriptions.get(frame.topic);
    if (!subscription?.userId) return;
    const token = frame.payload.access_token;
    const person = await authenticateToken(token);
    if (connection.subscriptions.get(frame.topic) !== subscription) return;
    if (!person || person.userId !== subscription.userId) {
      return end(subscription, 'phx_error', 'The access token is not valid.');
    }
    if (!mayJoin(subscription.topic, person)) return end(subscription, 'phx_close', unauthorised);
    subscription.token = token as string;
    subscription.expiresAt = expiryOf(subscription.token);
  }

  /** Checks a person's sessions and roles again, and ends the topics that they no longer allow. */
  async function recheck(userId: string): Promise<void> {
    rechecks += 1;
    const own = [...(byUser.get(userId) ?? [])].flatMap((connection) => [
      ...connection.subscriptions.values(),
    ]);
    await Promise.all(
      own
        .filter((subscription) => subscription.userId === userId && subscription.expiresAt > Date.now())
        .map(async (subscription) => {
          const person = await authenticateToken(subscription.token).catch(() => 'unknown' as const);
          if (person === 'unknown') unchecked.add(userId);
          if (person === 'unknown' || (person && mayJoin(subscription.topic, person))) return;
          const { connection, topic } = subscription;
          if (connection.subscriptions.get(topic.name) !== subscription) return;
          end(subscription, 'phx_close', unauthorised);
        }),
    );
  }

  return {
    join,
    renew,
    leave: remove,
    recheck,
    /** Repeats the checks that failed because the database did not respond. */
    recheckFailed: () => {
      const people = [...unchecked];
      unchecked.clear();
      for (const userId of people) void recheck(userId);
    },
    recheckAll: () => {
      for (const userId of byUser.keys()) void recheck(userId);
    },
    forget: (connection: Connection) => {
      for (const name of [...connection.subscriptions.keys()]) remove(connection, name);
      unassign(connection);
    },
    /** Ends those topics of a connection whose tokens have expired. `now` is in ms since 1970. */
    expire: (connection: Connection, now: number) => {
      for (const subscription of connection.subscriptions.values()) {
        if (subscription.expiresAt <= now) end(subscription, 'phx_error', 'The access token has expired.');
      }
    },
    /** Sends an event to everyone on a topic. */
    publish: (name: string, event: string, payload: Record<string, unknown>) => {
      const members = byTopic.get(name);
      if (!members) return;
      const json = JSON.stringify(payload);
      const message = encodeBroadcast(name, event, json);
      for (const { connection } of members) connection.send(message, `${name} ${json}`);
    },
    /** Sends an event to everyone on every private topic. */
    publishToAll: (event: string) => {
      for (const [name, members] of byTopic) {
        const message = encodeBroadcast(name, event, '{}');
        for (const { connection, userId } of members) {
          if (userId) connection.send(message, `${name} ${event}`);
        }
      }
    },
    countTopics: () => [...counts.values()].reduce((total, count) => total + count, 0),
    /** The kinds of topics that anybody has joined. */
    listKinds: () => [...counts].filter(([, count]) => count > 0).map(([kind]) => kind),
  };
}

/** When a token that has been verified expires, in ms since 1970. */
const expiryOf = (token: string): number => (decodeJwt(token).exp ?? 0) * 1_000;
