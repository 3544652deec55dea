/** The faults that the simulator injects. Rates are from 0 to 1. All faults are off at every start. */
export interface Switches {
  /** The delay of every API request, half of it before execution and half after. */
  latencyMs: number;
  /** The maximum of an additional random delay. */
  jitterMs: number;
  /** Share of requests that return 500 before execution; not stored under the idempotency key. */
  errorRate: number;
  /** Share of requests to charge or refund that are executed but return 500, which is replayed, as in Stripe. */
  errorAfterChargeRate: number;
  /** Share of requests to charge or refund that are executed but get no response: the connection is closed. */
  dropAfterChargeRate: number;
  /** Share of requests that return 429 before execution. */
  rateLimitRate: number;
  /** Leave new refunds `pending` until `POST /control/refunds/:id` finishes them. */
  refundsPending: boolean;
  /** Refuse every new refund, as for a closed card account; the refusal is stored under its idempotency key. */
  refundsRefused: boolean;
  /** The number of extra copies of every webhook. */
  webhookDuplicates: number;
  webhookDelayMs: number;
  /** Delay each webhook by a random time, so that webhooks arrive out of order. */
  webhookShuffle: boolean;
  /** Share of webhooks that are permanently lost. */
  webhookDropRate: number;
  /** Deliver nothing; undelivered webhooks are sent once this switch is off again. */
  webhooksOff: boolean;
  /** Reseeds the random numbers, so that a run can be repeated. */
  seed: number;
}

export function defaultSwitches(): Switches {
  return {
    latencyMs: 0,
    jitterMs: 0,
    errorRate: 0,
    errorAfterChargeRate: 0,
    dropAfterChargeRate: 0,
    rateLimitRate: 0,
    refundsPending: false,
    refundsRefused: false,
    webhookDuplicates: 0,
    webhookDelayMs: 0,
    webhookShuffle: false,
    webhookDropRate: 0,
    webhooksOff: false,
    seed: 1,
  };
}

/** Returns the error in a patch, or null after applying all of it. */
export function applySwitches(switches: Switches, patch: Record<string, unknown>): string | null {
  for (const [name, value] of Object.entries(patch)) {
    if (!Object.hasOwn(switches, name)) return `There is no switch called ${name}.`;
    const current = switches[name as keyof Switches];
    if (typeof value !== typeof current) return `${name} must be a ${typeof current}.`;
    if (typeof value === 'number' && !(value >= 0)) return `${name} can't be negative.`;
    if (name.endsWith('Rate') && (value as number) > 1) return `${name} must be from 0 to 1.`;
  }
  Object.assign(switches, patch);
  return null;
}

/** Random numbers from a seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  reseed(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  hits(rate: number): boolean {
    return rate > 0 && this.next() < rate;
  }
}
