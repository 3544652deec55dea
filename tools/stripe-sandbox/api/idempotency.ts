import { StripeError } from './stripe-error.ts';

/** Stripe forgets a key after a day. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;

/** The first response to a request with an idempotency key. */
export interface KeptAnswer {
  key: string;
  path: string;
  /** The parameters, sorted, so that their order makes no difference. */
  params: string;
  status: number;
  body: unknown;
  requestId: string;
  /** In ms since 1970. */
  at: number;
}

export function sortParams(form: string): string {
  return form.split('&').sort().join('&');
}

/**
 * Stripe's rules for `Idempotency-Key`: once execution has begun, the first response is replayed, even an error.
 * The same key is refused with another endpoint or other parameters, and for a second request while the first is
 * running. Responses are in the store, so they survive a restart.
 */
export class IdempotencyKeys {
  readonly #answers: Map<string, KeptAnswer>;
  readonly #running = new Set<string>();

  constructor(answers: Map<string, KeptAnswer>) {
    this.#answers = answers;
  }

  /** The response to replay, or null if this request is the first. Throws Stripe's idempotency errors. */
  find(key: string, path: string, params: string): KeptAnswer | null {
    if (key.length > 255) {
      throw new StripeError(400, {
        type: 'invalid_request_error',
        message: 'Idempotency keys can have up to 255 characters.',
      });
    }
    if (this.#running.has(key)) {
      throw new StripeError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    }
    const answer = this.#answers.get(key);
    if (!answer) return null;
    if (answer.at < Date.now() - idempotencyLifetimeMs) {
      this.#answers.delete(key);
      return null;
    }
    if (answer.path !== path) {
      throw new StripeError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${answer.path}' vs '${path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (answer.params !== params) {
      throw new StripeError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    return answer;
  }

  /** Marks the key as running until the returned function is called. */
  begin(key: string): () => void {
    this.#running.add(key);
    return () => this.#running.delete(key);
  }

  keep(answer: KeptAnswer) {
    this.#answers.set(answer.key, answer);
  }
}
