import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { readAccessToken } from '../auth/session.ts';
import { listWatchedSlots, reportSlots, setSlotsLive } from './watched-slots.ts';

/** How often the slots in sight are compared with those that are watched, in milliseconds. */
const lookEveryMs = 1_000;

export type LiveEvents = {
  /** `kind` of a private topic, such as `bookings` of `user:{id}`. */
  onChange: (topic: string, kind: string) => void;
  /** A topic was joined, for the first time or again: changes since the page was read may have been missed. */
  onJoined: (topic: string, isAgain: boolean) => void;
  /** The server ended a topic, because a session or a role has ended. */
  onEnded: (topic: string) => void;
  /** Whether the line is up. */
  onLine: (isUp: boolean) => void;
};

export type LiveConnection = { renewToken: () => void; close: () => void };

/**
 * Connects to the server and joins these private topics, or only the public one of places. The library sends the
 * heartbeats, reconnects after 1, 2, 5 and then 10 s, and joins again.
 */
export function openConnection(topics: string[], events: LiveEvents): LiveConnection {
  const client = new RealtimeClient(`${location.origin.replace(/^http/, 'ws')}/realtime/v1`, {
    // The library refuses to start without a key.
    params: { apikey: 'app' },
    // A function: a token that is set once would never be renewed.
    accessToken: readAccessToken,
  });
  let isClosed = false;
  let slotChannel: RealtimeChannel | null = null;
  let watched = '';
  const lineTopic = topics[0] ?? 'places';

  function join(topic: string, onUp: (isUp: boolean) => void): RealtimeChannel {
    let wasJoined = false;
    const channel = client.channel(topic);
    channel.subscribe((status) => {
      if (isClosed) return;
      const isUp = status === 'SUBSCRIBED';
      if (topic === lineTopic) events.onLine(isUp);
      onUp(isUp);
      if (isUp) events.onJoined(topic, wasJoined);
      wasJoined ||= isUp;
      if (status === 'CLOSED') events.onEnded(topic);
    });
    return channel;
  }

  function joinOwn(topic: string): void {
    const channel = join(topic, () => {});
    channel.on('broadcast', { event: 'change' }, ({ payload }) => events.onChange(topic, payload.kind));
    channel.on('broadcast', { event: 'resync' }, () => events.onJoined(topic, true));
  }

  function watch(): void {
    if (document.visibilityState === 'hidden') return;
    const slotIds = listWatchedSlots();
    if (slotIds.length === 0 && !slotChannel) return;
    if (!slotChannel) {
      slotChannel = join('places', (isUp) => {
        setSlotsLive(isUp);
        // The server forgot them with the old connection.
        watched = '';
        if (isUp) watch();
      });
      slotChannel.on('broadcast', { event: 'slots' }, ({ payload }) => reportSlots(payload.slots));
      return;
    }
    const next = slotIds.join();
    if (next === watched || slotChannel.state !== 'joined') return;
    watched = next;
    void slotChannel.send({ type: 'broadcast', event: 'watch', payload: { slotIds } });
  }

  const looking = setInterval(watch, lookEveryMs);
  // Joins carry the token.
  void client.setAuth().then(() => {
    if (isClosed) return;
    for (const topic of topics) joinOwn(topic);
    watch();
  });
  return {
    renewToken: () => void client.setAuth(),
    close: () => {
      isClosed = true;
      clearInterval(looking);
      setSlotsLive(false);
      void client.removeAllChannels();
    },
  };
}
