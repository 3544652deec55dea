import { LRUCache } from 'lru-cache';
import { AppError } from '#domain/errors.ts';
import { keyOfAddress } from './rate-limit.ts';

/** Requests that an IP address can make in a burst. A family or club may share one address. */
const burst = 100;
/** Requests that an IP address can make per second after a burst. */
const perSecond = 10;
/** The maximum number of tracked addresses. Above it, the least recently seen address is dropped. */
const maxAddresses = 20_000;

/** Throws `too_many_requests` for an IP address that requests more public pages than a person would. */
export type AssertReadAllowed = (ipAddress: string) => void;

/**
 * Limits public reads by IP address, per process: counting in the database would cost more than the reads. Loopback
 * addresses are exempt, because all visitors share one if a local proxy does not forward their addresses.
 */
export function createAddressLimit(now: () => number = () => performance.now()): AssertReadAllowed {
  const buckets = new LRUCache<string, { left: number; atMs: number }>({ max: maxAddresses });
  return (ipAddress) => {
    if (/^(127\.|::1$|::ffff:127\.)/.test(ipAddress)) return;
    const key = keyOfAddress('read', ipAddress);
    const atMs = now();
    const known = buckets.get(key) ?? { left: burst, atMs };
    const left = Math.min(burst, known.left + ((atMs - known.atMs) / 1_000) * perSecond) - 1;
    buckets.set(key, { left: Math.max(left, -1), atMs });
    if (left >= 0) return;
    throw new AppError(
      'too_many_requests',
      "You've made too many requests in a short time. Please try again in a moment.",
      {
        details: { retryAfterSeconds: 1 },
      },
    );
  };
}
