import type { LiveConnection, LiveEvents } from './connection.ts';

/** How long the connection may be interrupted before the page says so, in milliseconds. */
const pausedAfterMs = 2_000;
/** A failed load of the client library is retried after this long, in milliseconds. */
const reloadAfterMs = 60_000;
/**
 * The shortest interval at which a page checks during an interruption whether the server can be reached, in
 * milliseconds; each page adds up to a second at random.
 */
const probeEveryMs = 2_000;

export type KeptConnection = {
  /** Replaces the connection with a new one. */
  reconnect: () => void;
  /** Sends a heartbeat, and reconnects if the server does not answer within seconds. */
  check: () => void;
  renewToken: () => void;
  close: () => void;
};

/**
 * Keeps a connection open. After a few attempts the library retries only every 10 s, and a single attempt may take
 * minutes. So during an interruption the page checks every few seconds whether the server can be reached, and after an
 * outage it reconnects immediately.
 */
export function keepConnected({
  open,
  probe,
  onPaused,
  onJoined,
  ...events
}: Pick<LiveEvents, 'onChange' | 'onEnded' | 'onJoined'> & {
  open: (events: LiveEvents) => Promise<LiveConnection>;
  /** Whether the server can be reached; resolves within seconds. */
  probe: () => Promise<boolean>;
  /** Called with true when the connection has been interrupted for a while, with false when it is back. */
  onPaused: (isPaused: boolean) => void;
}): KeptConnection {
  let connection: LiveConnection | undefined;
  let connections = 0;
  let pausing: ReturnType<typeof setTimeout> | undefined;
  let probing: ReturnType<typeof setInterval> | undefined;
  let reloading: ReturnType<typeof setTimeout> | undefined;

  function reconnect(): void {
    connections += 1;
    const own = connections;
    const isCurrent = () => own === connections;
    connection?.close();
    connection = undefined;
    clearTimeout(reloading);
    if (own > 1) note(false);
    const ownEvents: LiveEvents = {
      ...events,
      // Changes between the two connections may have been missed.
      onJoined: (topic, isAgain) => onJoined(topic, isAgain || own > 1),
      onConnected: note,
      onSilent: reconnect,
    };
    open(ownEvents).then(
      (opened) => {
        if (isCurrent()) connection = opened;
        else opened.close();
      },
      (error) => {
        if (!isCurrent()) return;
        console.error('Live updates could not be loaded', error);
        note(false);
        reloading = setTimeout(reconnect, reloadAfterMs);
      },
    );
  }

  function note(isUp: boolean): void {
    if (isUp) {
      stopTimers();
      onPaused(false);
    } else pausing ??= setTimeout(pause, pausedAfterMs);
  }

  function pause(): void {
    onPaused(true);
    let wasAway = false;
    // The interval is random, so that browsers do not all connect at the same moment.
    probing = setInterval(
      async () => {
        const isReachable = await probe();
        if (isReachable && wasAway && probing) reconnect();
        wasAway = !isReachable;
      },
      probeEveryMs + Math.random() * 1_000,
    );
  }

  function stopTimers(): void {
    clearTimeout(pausing);
    clearInterval(probing);
    pausing = undefined;
    probing = undefined;
  }

  reconnect();
  return {
    reconnect,
    check: () => connection?.check(),
    renewToken: () => connection?.renewToken(),
    close: () => {
      connections += 1;
      stopTimers();
      clearTimeout(reloading);
      connection?.close();
    },
  };
}
