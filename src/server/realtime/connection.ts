import type { WebSocket } from 'ws';
import { encodeFrame, type Frame } from './frames.ts';
import type { RealtimeLimits } from './limits.ts';
import type { Topic } from './topics.ts';

/** WebSocket close codes: https://www.iana.org/assignments/websocket/websocket.xhtml */
export const closeCodes = { refused: 1008, restarting: 1012, tooSlow: 1013 };

/**
 * A joined topic. A private topic has its person, the person's latest token and the time when that token expires, in ms
 * since 1970. For the public topic these are null, '' and infinity.
 */
export type Subscription = {
  connection: Connection;
  topic: Topic;
  joinRef: string | null;
  userId: string | null;
  token: string;
  expiresAt: number;
};

/** A browser's connection: its topics, its rate of incoming frames, and the messages that wait for a slow reader. */
export class Connection {
  readonly address: string;
  readonly openedAt = performance.now();
  readonly subscriptions = new Map<string, Subscription>();
  /** The ids of the slots that this connection watches, if any. */
  watched: ReadonlySet<string> | null = null;
  /** The person whose valid token came with a join; null before that. */
  userId: string | null = null;
  seenAt = performance.now();
  isPinged = false;
  /** Resolves when every frame received so far is handled: frames are handled one after the other. */
  work: Promise<void> = Promise.resolve();
  readonly #socket: WebSocket;
  readonly #limits: RealtimeLimits;
  readonly #onSlow: (connection: Connection) => void;
  #windowAt = 0;
  #framesInWindow = 0;
  #refusals = 0;
  #waiting: Map<string, Buffer> | null = null;
  #slowSince = 0;

  /** `onSlow` is called when messages start to wait. */
  constructor(
    socket: WebSocket,
    address: string,
    limits: RealtimeLimits,
    onSlow: (connection: Connection) => void,
  ) {
    this.#onSlow = onSlow;
    this.#socket = socket;
    this.address = address;
    this.#limits = limits;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** True while messages wait because the reader is slow. */
  get isSlow(): boolean {
    return this.#waiting !== null;
  }

  /** True if the next message would wait. */
  get isBehind(): boolean {
    return this.isSlow || this.#socket.bufferedAmount > this.#limits.unsentBytes;
  }

  /** Counts an incoming frame; false if it exceeds the limit. */
  countFrame(now: number): boolean {
    if (now - this.#windowAt > this.#limits.windowMs) {
      this.#windowAt = now;
      this.#framesInWindow = 0;
    }
    this.#framesInWindow += 1;
    return this.#framesInWindow <= this.#limits.framesPerWindow;
  }

  /**
   * Sends a message. While too much data is unsent, the message waits for {@link Connection.flush}, and a later message
   * with the same key replaces it.
   */
  send(message: Buffer, key: string): void {
    if (!this.isOpen) return;
    if (!this.isBehind) {
      this.#socket.send(message, { binary: false });
      return;
    }
    if (this.#waiting === null) {
      this.#waiting = new Map();
      this.#slowSince = performance.now();
      this.#onSlow(this);
    }
    // Deleted first, so that messages are sent in the order of their newest content: the first response to `watch` may
    // have an older state of a slot than a later message about that slot.
    this.#waiting.delete(key);
    this.#waiting.set(key, message);
  }

  /** Sends the waiting messages after the reader has caught up; disconnects a reader that stays slow. */
  flush(now: number): void {
    if (this.#waiting === null) return;
    if (!this.isOpen) {
      this.#waiting = null;
    } else if (this.#socket.bufferedAmount <= this.#limits.unsentBytes / 2) {
      const messages = [...this.#waiting.values()];
      this.#waiting = null;
      for (const message of messages) this.#socket.send(message, { binary: false });
    } else if (
      now - this.#slowSince > this.#limits.slowMs ||
      this.#waiting.size > this.#limits.slowMessages
    ) {
      this.#waiting = null;
      this.close(closeCodes.tooSlow, 'too slow');
    }
  }

  reply(
    { joinRef, ref, topic }: Frame,
    status: 'ok' | 'error',
    response: Record<string, unknown> = {},
  ): void {
    const payload = { status, response };
    this.send(encodeFrame({ joinRef, ref, topic, event: 'phx_reply', payload }), `reply ${ref}`);
  }

  /** Refuses a frame that is malformed or exceeds a limit. Too many refusals close the connection. */
  refuse(frame: Frame, reason: string): void {
    this.reply(frame, 'error', { reason });
    this.#refusals += 1;
    if (this.#refusals >= this.#limits.closingRefusal) this.close(closeCodes.refused, reason);
  }

  ping(): void {
    this.isPinged = true;
    this.#socket.ping();
  }

  /** Starts the closing handshake, and terminates the connection after 1 s if the browser has not responded. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), 1_000).unref();
  }

  terminate(): void {
    this.#socket.terminate();
  }
}
