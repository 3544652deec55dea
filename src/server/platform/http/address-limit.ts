import { LRUCache } from 'lru-cache';
import { AppError } from '#domain/errors.ts';
import { keyOfAddress } from './rate-limit.ts';

/** How many requests an IP address, which a family or club may share, can make in a burst, and how many each second. */
const burst = 100;
const perSecond = 10;
/** Maximum number of counted addresses; beyond that the least recently seen is dropped. */
const mostAddresses = 20_000;

/** Throws `too_many_requests` for an IP address that reads more public pages than people do. */
export type RefuseCrowd = (ipAddress: string) => void;

/**
 * Limits public reads by IP address, per process: counting in the database would cost more than the reads. The
 * machine itself is exempt, because behind a proxy that names no client everyone would share its address.
 */
export function createAddressLimit(now: () => number = () => performance.now()): RefuseCrowd {
  const buckets = new LRUCache<string, { left: number; atMs: number }>({ max: mostAddresses });
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
