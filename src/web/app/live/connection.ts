import { type RealtimeChannel, RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js';

/** How often the slots to watch are compared with those last sent to the server, in milliseconds. */
const lookEveryMs = 1_000;
/** How long the server may take to answer a heartbeat, in milliseconds, before the connection counts as dead. */
const answerWithinMs = 5_000;

export type LiveEvents = {
  /** Data of this kind changed for a private topic, such as `bookings` for `user:{id}`. */
  onChange: (topic: string, kind: string) => void;
  /** A topic was joined, for the first time or again: changes since the page's last fetches may have been missed. */
  onJoined: (topic: string, isAgain: boolean) => void;
  /** The server ended a topic, because a session or a role has ended. */
  onEnded: (topic: string) => void;
  /** Called with true when live updates start or resume, with false when they are interrupted. */
  onConnected: (isConnected: boolean) => void;
  /** The server does not answer although the connection looks open, so the connection must be replaced. */
  onSilent: () => void;
};

export type LiveConnection = {
  renewToken: () => void;
  /** Sends a heartbeat, unless the last one is still unanswered or the connection is closed. */
  check: () => void;
  close: () => void;
};

export type LiveSettings = {
  /** The URL of the site. */
  url: string;
  /** The private topics to join. */
  topics: string[];
  readToken: () => Promise<string | null>;
  isHidden: () => boolean;
  /**
   * The slots to watch, and the handlers of the server's messages about them. When `round` increases, the client
   * requests the state of these slots again.
   */
  slots: {
    list: () => string[];
    round: () => number;
    report: (slots: { slotId: string }[]) => void;
    setLive: (isLive: boolean) => void;
  };
  transport?: RealtimeClientOptions['transport'];
};

/**
 * Connects to the server and joins the private topics; joins the public topic once a component watches slots. The
 * library sends the heartbeats, retries a lost connection after 1, 2 and 5 s, then every 10 s, and joins the topics
 * again.
 */
export function openConnection(
  { url, topics, readToken, isHidden, slots, transport }: LiveSettings,
  events: LiveEvents,
): LiveConnection {
  let answering: ReturnType<typeof setTimeout> | undefined;
  const client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    // The library refuses to start without a key.
    params: { apikey: 'app' },
    // This is a function, because a fixed token would never be renewed.
    accessToken: readToken,
    heartbeatCallback: (status) => {
      clearTimeout(answering);
      if (status === 'sent' && !isClosed) answering = setTimeout(events.onSilent, answerWithinMs);
    },
    ...(transport && { transport }),
  });
  let isClosed = false;
  let slotChannel: RealtimeChannel | null = null;
  let watched = '';
  const stateTopic = topics[0] ?? 'places';

  function join(topic: string, onState: (isJoined: boolean) => void): RealtimeChannel {
    let wasJoined = false;
    const channel = client.channel(topic);
    channel.subscribe((status) => {
      if (isClosed) return;
      const isJoined = status === 'SUBSCRIBED';
      if (topic === stateTopic) events.onConnected(isJoined);
      onState(isJoined);
      if (isJoined) events.onJoined(topic, wasJoined);
      wasJoined ||= isJoined;
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
    if (isHidden()) return;
    const slotIds = slots.list();
    if (slotIds.length === 0 && !slotChannel) return;
    if (!slotChannel) {
      slotChannel = join('places', (isJoined) => {
        slots.setLive(isJoined);
        // The server's list of watched slots ends with the connection.
        watched = '';
        if (isJoined) watch();
      });
      slotChannel.on('broadcast', { event: 'slots' }, ({ payload }) => slots.report(payload.slots));
      return;
    }
    const next = `${slots.round()} ${slotIds.join()}`;
    if (next === watched || slotChannel.state !== 'joined') return;
    watched = next;
    void slotChannel.send({ type: 'broadcast', event: 'watch', payload: { slotIds } });
  }

  const looking = setInterval(watch, lookEveryMs);
  // A join carries the token, so the client must have the token first.
  void client.setAuth().then(() => {
    if (isClosed) return;
    for (const topic of topics) joinOwn(topic);
    watch();
  });
  return {
    renewToken: () => void client.setAuth(),
    check: () => {
      // The library treats a second heartbeat as a timeout if the first is still unanswered.
      if (client.isConnected() && client.pendingHeartbeatRef === null) void client.sendHeartbeat();
    },
    close: () => {
      isClosed = true;
      clearInterval(looking);
      clearTimeout(answering);
      slots.setLive(false);
      void client.removeAllChannels();
    },
  };
}
