/** How badly the network behaves. Rates run from 0 to 1. Reset to good behaviour at every start. */
export interface Switches {
  /** Waited in every API request, half of it before the execution and half after. */
  latencyMs: number;
  /** Up to this much more, at random. */
  jitterMs: number;
  /** 500 before anything happened; not kept under the idempotency key. */
  errorRate: number;
  /** 500 although the charge or refund was made; stored and replayed, as Stripe does with a 500. */
  errorAfterChargeRate: number;
  /** The charge or refund is made and stored, then the connection is cut without a response. */
  dropAfterChargeRate: number;
  /** 429 before anything happened. */
  rateLimitRate: number;
  /** Leave new refunds `pending` until `POST /control/refunds/:id` finishes them. */
  refundsPending: boolean;
  /** Refuse every new refund, as for a closed card account; the refusal is kept under its idempotency key. */
  refundsRefused: boolean;
  /** Extra copies of every webhook. */
  webhookDuplicates: number;
  webhookDelayMs: number;
  /** Delay each webhook by a random time, so that they overtake one another. */
  webhookShuffle: boolean;
  /** Share of webhooks that are lost for good. */
  webhookDropRate: number;
  /** Deliver nothing; what piled up is delivered once this is off again. */
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
    if (name.endsWith('Rate') && (value as number) > 1) return `${name} runs from 0 to 1.`;
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
