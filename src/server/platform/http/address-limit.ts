import { AppError } from '#domain/errors.ts';
import { keyOfAddress } from './rate-limit.ts';

/** Requests that one IP address may make at once, and how many a second it regains: a family or a club shares one. */
const burst = 100;
const perSecond = 10;
/** Addresses counted at the same time; beyond that the one seen longest ago is forgotten. */
const mostAddresses = 20_000;

/** Throws `too_many_requests` for an IP address that reads more public pages than people do. */
export type RefuseCrowd = (ipAddress: string) => void;

/**
 * Limits public reads by IP address, in this process alone: counting them in the database would cost more than many of them.
 * The machine itself is not counted: where a proxy does not say who asks, everybody would share its address.
 */
export function createAddressLimit(now: () => number = () => performance.now()): RefuseCrowd {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return (ipAddress) => {
    if (/^(127\.|::1$|::ffff:127\.)/.test(ipAddress)) return;
    const key = keyOfAddress('read', ipAddress);
    const atMs = now();
    const known = buckets.get(key) ?? { left: burst, atMs };
    const left = Math.min(burst, known.left + ((atMs - known.atMs) / 1_000) * perSecond) - 1;
    buckets.delete(key);
    buckets.set(key, { left: Math.max(left, -1), atMs });
    if (buckets.size > mostAddresses) buckets.delete(buckets.keys().next().value!);
    if (left >= 0) return;
    throw new AppError(
      'too_many_requests',
      "You've asked for a lot in a short time. Please try again in a moment.",
      {
        details: { retryAfterSeconds: 1 },
      },
    );
  };
}
