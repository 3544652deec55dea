import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { listCalls } from '#domain/changes.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { readAccessToken, recheckSession } from '../auth/session.ts';
import { keepConnected } from './keep-connected.ts';
import { createLiveRefetch } from './live-refetch.ts';
import {
  listWatchedSlots,
  reportSlots,
  setSlotsLive,
  useAreSlotsWatched,
  watchRound,
} from './watched-slots.ts';

/** Timers stop in hidden tabs and on sleeping computers. After a gap this long, in milliseconds, the page reconnects. */
const asleepMs = 60_000;
const checkEveryMs = 5_000;
const probeTimeoutMs = 2_000;

const probe = () =>
  fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(probeTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

const isHidden = () => document.visibilityState === 'hidden';

/** The device's network connection; undefined if the browser does not report it. */
const network = () => (navigator as { connection?: EventTarget }).connection;

/** Keeps the page's data up to date over a live connection. Shows a notice while the connection is interrupted. */
export function Live() {
  const client = useQueryClient();
  const { user, loading, isCoach, isAdmin } = useAuth();
  const areSlotsWatched = useAreSlotsWatched();
  const [isPaused, setIsPaused] = useState(false);
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
    const refetch = createLiveRefetch(client);
    const known = topics.flatMap((topic) => listCalls(topic));
    const kept = keepConnected({
      open: async (events) => {
        const { openConnection } = await import('./connection.ts');
        const slots = {
          list: listWatchedSlots,
          round: watchRound,
          report: reportSlots,
          setLive: setSlotsLive,
        };
        const settings = { url: location.origin, topics, readToken: readAccessToken, isHidden, slots };
        return openConnection(settings, events);
      },
      probe,
      onPaused: setIsPaused,
      onChange: (topic, kind) => refetch.afterChange(listCalls(topic, kind)),
      onJoined: (topic, isAgain) => {
        if (!isAgain) return refetch.afterJoin(listCalls(topic));
        refetch.afterBreak(listCalls(topic));
        if (topic === (topics[0] ?? 'places')) refetch.others(known);
      },
      onEnded: () => void recheckSession(),
    });

    let hiddenAt = 0;
    const onVisibility = () => {
      if (isHidden()) {
        hiddenAt = Date.now();
        return;
      }
      kept.renewToken();
      kept.check();
      if (Date.now() - hiddenAt > checkEveryMs) refetch.afterBreak(known);
    };
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', kept.reconnect);
    network()?.addEventListener('change', kept.check);
    // A request that gets no valid response suggests that the live connection is dead too.
    const stopWatching = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if ((event.action.error as { code?: unknown } | null)?.code === 'unavailable') kept.check();
    });
    let checkedAt = Date.now();
    const checking = setInterval(() => {
      const now = Date.now();
      if (now - checkedAt > asleepMs) kept.reconnect();
      checkedAt = now;
    }, checkEveryMs);
    return () => {
      clearInterval(checking);
      stopWatching();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', kept.reconnect);
      network()?.removeEventListener('change', kept.check);
      kept.close();
      setIsPaused(false);
    };
  }, [client, topics, isNeeded]);

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
