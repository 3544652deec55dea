import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Journal } from './journal.ts';
import { renderEvent } from './objects/records.ts';
import type { Store } from './store.ts';
import type { Dice, Switches } from './switches.ts';

const deliveriesAtOnce = 8;
const answerDeadlineMs = 10_000;
const firstBackoffMs = 250;
const longestBackoffMs = 30_000;
const shuffleWindowMs = 250;
const keptSeconds = 3 * 24 * 60 * 60;

/** `Stripe-Signature` for a body: HMAC-SHA256 of `<unix seconds>.<body>` with the endpoint's secret. */
export function signWebhook(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

/**
 * Delivers events to the endpoint and retries each until the endpoint responds with 2xx, for at most three days.
 * Undelivered events are stored, so a restart resumes delivery. Like Stripe, this guarantees neither order nor single
 * delivery.
 */
export class WebhookSender {
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #switches: Switches;
  readonly #dice: Dice;
  readonly #ready = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  readonly #inFlight = new Set<string>();
  readonly #attempts = new Map<string, number>();
  #url: URL | null = null;
  #secret = '';
  #types: ReadonlySet<string> | null = null;

  constructor(store: Store, journal: Journal, switches: Switches, dice: Dice) {
    this.#store = store;
    this.#journal = journal;
    this.#switches = switches;
    this.#dice = dice;
  }

  /** Sets the secret, if it isn't null, and the URL, which gets all undelivered events immediately. */
  setEndpoint(url: string | null, secret: string | null) {
    this.#url = url === null ? null : new URL(url);
    if (secret !== null) this.#secret = secret;
    this.resume();
  }

  /** Sets the types of events that are delivered; null for all. */
  subscribe(types: readonly string[] | null) {
    this.#types = types && new Set(types);
    this.resume();
  }

  get url(): string | null {
    return this.#url?.href ?? null;
  }

  /** Cancels all delays and sends every undelivered event now. */
  resume() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#attempts.clear();
    for (const id of this.#store.undelivered) {
      if (this.#isSubscribed(id) && !this.#inFlight.has(id)) this.#ready.add(id);
    }
    this.#pump();
  }

  #isSubscribed(id: string): boolean {
    if (!this.#types || this.#types.has(this.#store.events.get(id)!.type)) return true;
    this.#store.undelivered.delete(id);
    return false;
  }

  /** Queues a new event, which must be in the journal, for delivery. */
  offer(id: string) {
    if (!this.#isSubscribed(id)) return;
    if (this.#dice.hits(this.#switches.webhookDropRate)) {
      void this.#finish(id);
      return;
    }
    let delay = this.#switches.webhookDelayMs;
    if (this.#switches.webhookShuffle) delay += this.#dice.next() * Math.max(shuffleWindowMs, delay);
    if (delay > 0) this.#later(id, delay);
    else {
      this.#ready.add(id);
      this.#pump();
    }
  }

  stop() {
    this.#url = null;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #later(id: string, delayMs: number) {
    const timer = setTimeout(() => {
      this.#timers.delete(id);
      this.#ready.add(id);
      this.#pump();
    }, delayMs);
    timer.unref();
    this.#timers.set(id, timer);
  }

  #pump() {
    for (const id of this.#ready) {
      if (this.#url === null || this.#switches.webhooksOff) return;
      if (this.#inFlight.size >= deliveriesAtOnce) return;
      this.#ready.delete(id);
      void this.#deliver(id);
    }
  }

  async #deliver(id: string) {
    this.#inFlight.add(id);
    const event = this.#store.events.get(id)!;
    const body = JSON.stringify(renderEvent(event, false));
    const copies = Array.from({ length: this.#switches.webhookDuplicates }, () => this.#send(body));
    const [isTaken] = await Promise.all([this.#send(body), ...copies]);
    const attempts = this.#attempts.get(id) ?? 0;
    const isExpired = event.created + keptSeconds < Date.now() / 1000;
    if (isTaken || isExpired) await this.#finish(id);
    else {
      this.#inFlight.delete(id);
      this.#attempts.set(id, attempts + 1);
      this.#later(id, Math.min(firstBackoffMs * 2 ** attempts, longestBackoffMs));
    }
    this.#pump();
  }

  /** Marks an event as delivered. Until the mark is in the journal, a restart resends the event. */
  async #finish(id: string) {
    this.#inFlight.add(id);
    await this.#journal.append({ delivered: id });
    this.#store.undelivered.delete(id);
    this.#attempts.delete(id);
    this.#inFlight.delete(id);
  }

  /** Posts the body to the endpoint; true if the endpoint responded with 2xx. */
  #send(body: string): Promise<boolean> {
    const url = this.#url;
    if (url === null) return Promise.resolve(false);
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve) => {
      const sent = request(
        url,
        {
          method: 'POST',
          agent: this.#agents[url.protocol as 'http:' | 'https:'],
          timeout: answerDeadlineMs,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(body),
            'stripe-signature': signWebhook(body, this.#secret, Math.floor(Date.now() / 1000)),
            'user-agent': 'Stripe/1.0 (Stripe simulator)',
          },
        },
        (answer) => {
          answer.on('error', () => resolve(false));
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode! >= 200 && answer.statusCode! < 300));
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no response in time')));
      sent.on('error', () => resolve(false));
      sent.end(body);
    });
  }
}
