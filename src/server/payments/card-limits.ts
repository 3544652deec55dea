import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import {
  consumeAll,
  describeWait,
  keyOfAddress,
  type LimitedCall,
  type LimitState,
  nowMs,
  type RateLimit,
  refundOne,
  secondsToWait,
} from '#server/platform/http/rate-limit.ts';

const hour = 60 * 60;

/**
 * Limits on cards, payments and bookings: per account, or per IP address where the name ends in `-address`. Thieves
 * test stolen numbers by saving many cards and by making many small payments; legitimate use stays well below these
 * limits.
 */
const cardLimits = {
  // Opening the card form and saving the card each count once.
  card: { calls: 20, seconds: hour, message: "You've entered a lot of cards." },
  'card-address': { calls: 100, seconds: hour, message: 'A lot of cards were entered from your network.' },
  // Cards that a bank declined when they were saved.
  'card-failures': {
    calls: 10,
    seconds: hour,
    message: 'Several of your cards were declined. Check the card details with your bank.',
  },
  // Per IP address: cards that a bank declined when they were saved, and payments that a bank declined.
  'card-failures-address': {
    calls: 30,
    seconds: hour,
    message:
      'Many cards from your network were declined. You have not been charged. Try another internet connection.',
  },
  // Failed and undecided payments; a payment that succeeds is subtracted again.
  'card-tries': {
    calls: 10,
    seconds: hour,
    message:
      "Several payments didn't go through. You have not been charged. Check your card with your bank, or save another card.",
  },
  bookings: {
    calls: 60,
    seconds: 10 * 60,
    message: "You've booked a lot of lessons in a short time. You have not been charged for this lesson.",
  },
  // The browser polls every 1.5 seconds while a bank decides.
  'card-lookups': {
    calls: 600,
    seconds: 10 * 60,
    message: "You've checked your payments too often.",
  },
} satisfies Record<string, RateLimit & { message: string }>;

type Kind = keyof typeof cardLimits;

/** Card limits count requests by account and, if the IP address is known, by IP address. */
export type CardUser = { userId: string; ipAddress: string | null };

const limitOf = (kind: Kind, userId: string): LimitedCall => ({
  key: `${kind}:${userId}`,
  limit: cardLimits[kind],
});

/**
 * The limit for an IP address. Empty if the address does not distinguish callers: it is unknown, or it is a loopback
 * address, which belongs to a proxy or a developer.
 */
const limitsOfAddress = (kind: Kind, ipAddress: string | null): LimitedCall[] =>
  isOfSomebody(ipAddress) ? [{ key: keyOfAddress(kind, ipAddress), limit: cardLimits[kind] }] : [];

/** Whether an IP address distinguishes callers: false for null, "unknown" and loopback addresses. */
export function isOfSomebody(ipAddress: string | null): ipAddress is string {
  return ipAddress !== null && !/^(unknown|::1|(::ffff:)?127\..*)$/i.test(ipAddress);
}

/** Throws `too_many_requests` if payments from an IP address are paused; `waitMs` is the remaining time in ms. */
export function refusePausedAddress(waitMs: number | null): void {
  if (waitMs === null || waitMs <= 0) return;
  assertWithinLimits([{ key: 'card-failures-address:', isOver: true, waitMs }]);
}

/**
 * The key that counts an IP address's declined cards, and the count at which its payments are paused; null if the
 * address is not counted.
 */
export function pauseOfAddress(ipAddress: string | null): { key: string; calls: number } | null {
  const [call] = limitsOfAddress('card-failures-address', ipAddress);
  return call ? { key: call.key, calls: call.limit.calls } : null;
}

/** The key that counts an account's failed or undecided payments; `confirmBookings` subtracts one. */
export const keyOfCardTries = (userId: string) => limitOf('card-tries', userId).key;

/**
 * Counts a card that is about to be saved. Throws `too_many_requests` if the count exceeds a limit, or if too many
 * cards have been declined recently.
 */
export async function countCard(db: Database, { userId, ipAddress }: CardUser): Promise<void> {
  await count(db, [limitOf('card', userId), ...limitsOfAddress('card-address', ipAddress)]);
  await refusePaused(db, [
    limitOf('card-failures', userId),
    ...limitsOfAddress('card-failures-address', ipAddress),
  ]);
}

/** Counts a card that the bank declined when it was saved. */
export async function countRefusedCard(db: Database | Tx, { userId, ipAddress }: CardUser): Promise<void> {
  const calls = [limitOf('card-failures', userId), ...limitsOfAddress('card-failures-address', ipAddress)];
  await consumeAll(calls).execute(db);
}

/**
 * Adds a payment that the bank declined to the count of the request's IP address. The account's count was increased
 * before the charge.
 */
export async function countRefusedPayment(db: Database, ipAddress: string | null): Promise<void> {
  const calls = limitsOfAddress('card-failures-address', ipAddress);
  if (calls.length > 0) await consumeAll(calls).execute(db);
}

/** Counts a card lookup for an unfinished payment. Throws `too_many_requests`. */
export const consumeCardLookup = (db: Database, userId: string) =>
  count(db, [limitOf('card-lookups', userId)]);

/**
 * Limits that a booking consumes before the charge, so that simultaneous bookings can't exceed them. If no card was
 * used after all, {@link returnCardTry} subtracts the payment again.
 */
export const limitsOfBooking = (userId: string, priceCents: number): LimitedCall[] => [
  limitOf('bookings', userId),
  ...(priceCents > 0 ? [limitOf('card-tries', userId)] : []),
];

/** Subtracts one payment from the account's count. */
export const returnCardTry = (db: Database | Tx, userId: string) => refundOne(db, keyOfCardTries(userId));

/** Throws `too_many_requests` for the first count that exceeds its limit. */
export function assertWithinLimits(counts: LimitState[]): void {
  for (const { key, ...count } of counts) {
    const retryAfterSeconds = secondsToWait(count);
    if (retryAfterSeconds === null) continue;
    const { message } = cardLimits[key.split(':')[0] as Kind];
    throw new AppError(
      'too_many_requests',
      `${message} Please try again in ${describeWait(retryAfterSeconds)}.`,
      { details: { retryAfterSeconds } },
    );
  }
}

async function count(db: Database, calls: LimitedCall[]): Promise<void> {
  const { rows } = await consumeAll(calls).execute(db);
  assertWithinLimits(rows);
}

/** Throws `too_many_requests` if one of these limits has already been reached. Counts nothing. */
async function refusePaused(db: Database, calls: LimitedCall[]): Promise<void> {
  const { rows } = await sql<LimitState>`
    select rate_limits.key, true as is_over, expires_at_ms - ${nowMs} as wait_ms
    from unnest(${calls.map(({ key }) => key)}::text[], ${calls.map(({ limit }) => limit.calls)}::int[])
        as used (key, most)
      join rate_limits using (key)
    where calls >= most and expires_at_ms > ${nowMs}`.execute(db);
  assertWithinLimits(rows);
}
