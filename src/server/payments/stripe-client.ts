import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';

/**
 * A client for Stripe, or for any server with Stripe's API at `apiBase`. A call times out after 10 s and is retried
 * twice under its idempotency key, so the longest call takes about 32 s.
 */
export function createStripeClient({
  secretKey,
  apiBase,
}: Pick<Config['stripe'], 'secretKey' | 'apiBase'>): Stripe {
  const base = apiBase ? new URL(apiBase) : undefined;
  const isPlain = base?.protocol === 'http:';
  const Agent = isPlain ? http.Agent : https.Agent;
  return new Stripe(secretKey, {
    ...(base && { host: base.hostname, protocol: isPlain ? 'http' : 'https' }),
    ...(base?.port && { port: base.port }),
    httpAgent: new Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' }),
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

/**
 * True if Stripe definitely refused, so that repeating the call cannot change the result. HTTP 409 is not a refusal:
 * the same call is in progress elsewhere and may succeed there.
 */
export function isRefusal(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  const isDefinite = error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
  return isDefinite && error.statusCode !== 409;
}

/**
 * True if Stripe responded with the failure that it stored under the call's idempotency key. Stripe stores even its
 * own errors (HTTP 500) with the key, for at least 24 hours. It never stores the error about a call in progress.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
export function isStoredFailure(error: InstanceType<typeof Stripe.errors.StripeError>): boolean {
  return error.headers?.['idempotent-replayed'] === 'true';
}

/** True if Stripe responded that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/**
 * Makes a call that changes nothing if it fails, and turns its failure into a message for customers: throws
 * `unprocessable` with `refusedMessage` if Stripe refused, `unavailable` after any other Stripe error.
 */
export async function callStripe<T>(call: () => Promise<T>, refusedMessage: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (isRefusal(error)) throw new AppError('unprocessable', refusedMessage, { cause: error });
    throw new AppError(
      'unavailable',
      "We can't reach Stripe right now. Nothing was charged. Please try again in a moment.",
      { cause: error },
    );
  }
}
