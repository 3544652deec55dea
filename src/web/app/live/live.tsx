import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { changeKinds, type PrivateTopic } from '#domain/changes.ts';
import { invalidate } from '../api/api.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { recheckSession } from '../auth/session.ts';
import type { LiveConnection, LiveEvents } from './connection.ts';
import { useAreSlotsWatched } from './watched-slots.ts';

/** How long the connection may be interrupted before the page says so, in milliseconds. */
const pausedAfterMs = 2_000;
/**
 * Timers stop in hidden tabs and on sleeping computers. After a gap this long, in milliseconds, the page reconnects. A
 * failed load of the client library is retried after the same time.
 */
const asleepMs = 60_000;
const checkEveryMs = 5_000;

/** Keeps the page's data up to date over a live connection. Shows a notice while the connection is interrupted. */
export function Live() {
  const client = useQueryClient();
  const { user, loading, isCoach, isAdmin } = useAuth();
  const areSlotsWatched = useAreSlotsWatched();
  const [isPaused, setIsPaused] = useState(false);
  const [reconnects, setReconnects] = useState(0);
  const userId = user?.id;
  const topics = useMemo(
    () =>
      userId && !loading
        ? [`user:${userId}`, ...(isCoach ? [`coach:${userId}`] : []), ...(isAdmin ? ['admin'] : [])]
        : [],
    [userId, loading, isCoach, isAdmin],
  );
  const isNeeded = !loading && (topics.length > 0 || areSlotsWatched);

  useEffect(() => {
    if (!isNeeded) return;
    let connection: LiveConnection | undefined;
    let isOver = false;
    let pausing: ReturnType<typeof setTimeout> | undefined;
    const refresh = createRefresh(client);
    const events: LiveEvents = {
      onChange: (topic, kind) => refresh(listCalls(topic, kind)),
      onJoined: (topic, isAgain) => {
        // A new connection, such as after sleep, refetches everything as well.
        if (isAgain || reconnects > 0) refresh(listCalls(topic));
        else
          void client.invalidateQueries({
            predicate: ({ queryKey, state }) =>
              state.fetchStatus === 'idle' && listCalls(topic).includes(String(queryKey[0])),
          });
      },
      onEnded: () => void recheckSession(),
      onLine: (isUp) => {
        clearTimeout(pausing);
        if (isUp) setIsPaused(false);
        else pausing = setTimeout(() => setIsPaused(true), pausedAfterMs);
      },
    };
    async function start() {
      const { openConnection } = await import('./connection.ts');
      if (!isOver) connection = openConnection(topics, events);
    }
    const reconnect = () => setReconnects((count) => count + 1);
    let retrying: ReturnType<typeof setTimeout> | undefined;
    const starting = setTimeout(() => {
      start().catch((error) => {
        console.error('Live updates could not be loaded', error);
        if (!isOver) retrying = setTimeout(reconnect, asleepMs);
      });
    });
    let hiddenAt = 0;
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') {
        hiddenAt = Date.now();
        return;
      }
      connection?.renewToken();
      if (Date.now() - hiddenAt > checkEveryMs) for (const topic of topics) refresh(listCalls(topic));
    };
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', reconnect);
    let checkedAt = Date.now();
    const checking = setInterval(() => {
      const now = Date.now();
      if (now - checkedAt > asleepMs) reconnect();
      checkedAt = now;
    }, checkEveryMs);
    return () => {
      isOver = true;
      clearTimeout(starting);
      clearTimeout(retrying);
      clearTimeout(pausing);
      clearInterval(checking);
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', reconnect);
      connection?.close();
      setIsPaused(false);
    };
  }, [client, topics, isNeeded, reconnects]);

  // The library ends up retrying every 10 s. After an outage, the page reconnects as soon as the server answers.
  useEffect(() => {
    if (!isPaused) return;
    let wasAway = false;
    const probing = setInterval(
      () => {
        fetch('/livez', { cache: 'no-store' }).then(
          ({ ok }) => {
            if (ok && wasAway) setReconnects((count) => count + 1);
            wasAway = !ok;
          },
          () => {
            wasAway = true;
          },
        );
      },
      // Random, so that browsers do not all connect at the same moment.
      2_000 + Math.random() * 1_000,
    );
    return () => clearInterval(probing);
  }, [isPaused]);

  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-16 z-40 flex justify-center">
      {isPaused && (
        <p className="rounded-full border bg-warning-soft px-3 py-1 text-sm text-warning shadow-sm">
          Live updates paused
        </p>
      )}
    </div>
  );
}

/** The operation ids that a kind of change concerns; without a kind, those of the whole topic. */
function listCalls(topic: string, kind?: string): string[] {
  const kinds: Record<string, readonly string[]> = changeKinds[topic.split(':')[0] as PrivateTopic] ?? {};
  return kind === undefined ? Object.values(kinds).flat() : [...(kinds[kind] ?? [])];
}

/**
 * Refetches calls that are on the screen, and marks the others as outdated. While a refetch runs, further calls are
 * collected, so that frequent changes never restart a slow one.
 */
function createRefresh(client: QueryClient): (operationIds: string[]) => void {
  const waiting = new Set<string>();
  let isRunning = false;
  async function run() {
    if (isRunning) return;
    isRunning = true;
    while (waiting.size > 0) {
      const calls = [...waiting].map((operationId) => ({ operationId }));
      waiting.clear();
      await invalidate(client, calls).catch(() => {});
    }
    isRunning = false;
  }
  return (operationIds) => {
    for (const operationId of operationIds) waiting.add(operationId);
    void run();
  };
}
