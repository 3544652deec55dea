import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Refusal } from '#domain/errors.ts';
import { createAuthenticate } from '#server/auth/authenticate.ts';
import { readAvailability } from '#server/catalogue/queries.ts';
import type { Config } from '#server/platform/config.ts';
import { type Database, openDatabase, openPool, queryTimeoutFor } from '#server/platform/db/db.ts';
import { refuseUpgrade } from '#server/platform/http/listen.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { findClientAddress } from '#server/platform/http/trusted-proxy.ts';
import type { Log } from '#server/platform/log.ts';
import type { Gauge } from '#server/platform/metrics.ts';
import { type Change, createChangeReader, rightsKinds } from './change-reader.ts';
import { Connection, closeCodes } from './connection.ts';
import { decodeFrame, type Frame } from './frames.ts';
import { createFrameHandler } from './handle-frame.ts';
import { type RealtimeLimits, realtimeLimits } from './limits.ts';
import { isLoopback, refuseRequest } from './refuse-request.ts';
import { createSlotWatch } from './slot-watch.ts';
import { createSubscriptions } from './subscriptions.ts';
import { nameTopic } from './topics.ts';

/** How often connections are checked for expired tokens and inactivity, in milliseconds. */
const checkEveryMs = 1_000;
/** The frame that the reply to an unreadable message refers to. */
const unreadable: Frame = { joinRef: null, ref: null, topic: 'phoenix', event: '', payload: {} };

export type Realtime = {
  /** Accepts WebSockets on this server. */
  attach: (server: Server) => void;
  readGauges: () => Gauge[];
  /**
   * Refuses new connections and closes the others, spread over most of `drainMs`, so that pages reconnect elsewhere.
   */
  stop: (options: { drainMs: number }) => Promise<void>;
};

/**
 * Serves live updates to browsers at /realtime/v1, in the protocol of @supabase/realtime-js. Each change in the table
 * of changes is sent to the browsers that joined its topic, as a kind and an id; the public topic sends the state of
 * watched slots instead. Each join is authorised like an API request.
 */
export function openRealtime({
  config,
  db,
  log,
  limits = realtimeLimits,
}: {
  config: Config;
  /** For sessions and roles. Changes and watched slots are read through a separate connection. */
  db: Database;
  log: Log;
  limits?: RealtimeLimits;
}): Realtime {
  const { databaseUrl, statementTimeoutMs } = config;
  const pool = openPool(databaseUrl, {
    size: 1,
    statementTimeoutMs,
    queryTimeoutMs: queryTimeoutFor(statementTimeoutMs),
  });
  const changesDb = openDatabase(pool);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.readableBytes,
    perMessageDeflate: false,
  });
  const connections = new Set<Connection>();
  const slow = new Set<Connection>();
  const strangers = new Map<string, Set<Connection>>();
  let isStopping = false;

  const strangersAt = (address: string) => strangers.get(keyOfAddress('live', address)) ?? new Set();
  const subscriptions = createSubscriptions({
    authenticate: createAuthenticate(db, config),
    limits,
    countSignedOut: ({ address }) =>
      isLoopback(address)
        ? 0
        : [...strangersAt(address)].filter((other) => !other.userId && other.subscriptions.size > 0).length,
  });
  const slotWatch = createSlotWatch({
    readMany: (slotIds) => readAvailability(changesDb, slotIds),
    everyMs: limits.slotEveryMs,
  });
  const reader = createChangeReader({
    pool,
    log,
    everyMs: limits.changesEveryMs,
    listTopics: subscriptions.listKinds,
    onChanges: (changes) => changes.forEach(publish),
    onGap: () => {
      slotWatch.noteAll();
      subscriptions.recheckAll();
      subscriptions.publishToAll('resync');
    },
    onRead: () => {
      subscriptions.recheckFailed();
      void slotWatch.pump();
      const now = performance.now();
      for (const connection of slow) {
        connection.flush(now);
        if (!connection.isSlow) slow.delete(connection);
      }
    },
  });

  function publish({ topic, key, kind, subjectId }: Change): void {
    if (topic === 'places') {
      slotWatch.note(key);
      return;
    }
    const change = topic === 'admin' ? { kind: key, id: null } : { kind, id: subjectId };
    subscriptions.publish(nameTopic(topic, key), 'change', change);
    if (kind !== null && rightsKinds.includes(kind)) void subscriptions.recheck(key);
  }

  const handle = createFrameHandler({ reader, subscriptions, slotWatch, limits });

  function receive(connection: Connection, data: Buffer, isBinary: boolean): void {
    connection.seenAt = performance.now();
    const isCounted = connection.countFrame(connection.seenAt);
    const frame = data.length <= limits.frameBytes ? decodeFrame(data, isBinary) : null;
    if (data.length > limits.frameBytes || !isCounted || !frame) {
      const reason =
        data.length > limits.frameBytes
          ? 'This message is too large.'
          : isCounted
            ? 'This is not a message of Phoenix channels 2.0.0.'
            : 'Too many messages. Please slow down.';
      connection.refuse(frame ?? unreadable, reason);
      return;
    }
    connection.work = connection.work
      .then(() => (connection.isOpen ? handle(connection, frame) : undefined))
      .catch((error: unknown) => {
        log.debug({ reason: String(error), event: frame.event }, 'live message failed');
        connection.reply(frame, 'error', { reason: 'Live updates are not available right now.' });
      })
      .then(() => {
        // The browser may have disconnected while its token was being checked.
        if (!connection.isOpen) forget(connection);
      });
  }

  function forget(connection: Connection): void {
    slotWatch.drop(connection);
    subscriptions.forget(connection);
    slow.delete(connection);
    connections.delete(connection);
    const key = keyOfAddress('live', connection.address);
    const there = strangers.get(key);
    there?.delete(connection);
    if (there?.size === 0) strangers.delete(key);
    if (connections.size === 0) reader.pause();
  }

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new Connection(webSocket, address, limits, (it) => void slow.add(it));
      connections.add(connection);
      const key = keyOfAddress('live', address);
      strangers.set(key, (strangers.get(key) ?? new Set()).add(connection));
      webSocket.on('message', (data, isBinary) => receive(connection, data as Buffer, isBinary));
      webSocket.on('pong', () => {
        connection.seenAt = performance.now();
        connection.isPinged = false;
      });
      // A malformed frame; the library closes the connection.
      webSocket.on('error', () => {});
      webSocket.on('close', () => forget(connection));
    });
  }

  function refuseAddress(address: string): Refusal {
    if (isStopping) return { code: 'unavailable', message: 'The server is restarting.' };
    const here = isLoopback(address) ? [] : [...strangersAt(address)].filter(({ userId }) => !userId);
    if (here.length < limits.strangersPerAddress) return null;
    return { code: 'too_many_requests', message: 'Too many connections from this address.' };
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const { remoteAddress } = request.socket;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    const address = findClientAddress(config.trustProxy, remoteAddress, forwarded);
    const refusal = refuseRequest(request, config.publicUrl) ?? refuseAddress(address);
    if (refusal) refuseUpgrade(socket, refusal.code, refusal.message);
    else accept(request, socket, head, address);
  }

  const check = setInterval(() => {
    const [now, today] = [performance.now(), Date.now()];
    for (const connection of connections) {
      subscriptions.expire(connection, today);
      const inactiveForMs = now - connection.seenAt;
      if (inactiveForMs > 2 * limits.inactiveMs) connection.terminate();
      else if (inactiveForMs > limits.inactiveMs && !connection.isPinged) connection.ping();
      else if (connection.subscriptions.size === 0 && now - connection.openedAt > limits.idleMs) {
        connection.close(closeCodes.refused, 'no topic');
      }
    }
  }, checkEveryMs);
  check.unref();

  return {
    attach: (server) => void server.on('upgrade', upgrade),
    readGauges: () => [
      {
        name: 'app_realtime_connections',
        help: 'Open connections for live updates.',
        value: connections.size,
      },
      {
        name: 'app_realtime_topics',
        help: 'Topics joined by these connections, in total.',
        value: subscriptions.countTopics(),
      },
      {
        name: 'app_realtime_slow_connections',
        help: 'Connections whose reader is so slow that messages are waiting.',
        value: slow.size,
      },
      {
        name: 'app_realtime_lag_seconds',
        help: 'Time since changes were last read, while anyone is connected.',
        value: reader.readLag(),
      },
    ],
    stop: async ({ drainMs }) => {
      isStopping = true;
      clearInterval(check);
      // Spread out, because each browser reconnects and refetches the data of its page.
      const spreadMs = drainMs * 0.7;
      await Promise.all(
        [...connections].map(async (connection) => {
          if (spreadMs > 0) await delay(Math.random() * spreadMs);
          connection.close(closeCodes.restarting, 'restarting');
        }),
      );
      const until = performance.now() + 1_000;
      while (connections.size > 0 && performance.now() < until) await delay(20);
      for (const connection of connections) connection.terminate();
      await reader.close();
    },
  };
}
