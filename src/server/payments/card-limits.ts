import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import {
  type ActCount,
  type CountedAct,
  countActs,
  describeWait,
  type RateLimit,
  returnPoint,
  secondsToWait,
} from '#server/platform/rate-limit.ts';

/**
 * How often one person may reach the card network. Stolen numbers are tried out by saving many cards and by
 * making many small payments; nobody honest comes near these.
 */
const cardLimits = {
  // Opening the card form and saving what was typed count one each.
  card: { points: 20, seconds: 60 * 60, message: 'That was a lot of cards.' },
  // Payments that failed or are not decided yet; one that succeeds is taken off again.
  'card-tries': {
    points: 10,
    seconds: 60 * 60,
    message: 'Several payments did not go through. You have not been charged.',
  },
  bookings: {
    points: 60,
    seconds: 10 * 60,
    message: 'You have booked a lot of lessons in a short time. You have not been charged for this one.',
  },
  // The browser asks every second and a half while a bank takes its time.
  'card-questions': {
    points: 600,
    seconds: 10 * 60,
    message: 'You have asked about your payments very often.',
  },
} satisfies Record<string, RateLimit & { message: string }>;

type Kind = keyof typeof cardLimits;

const actOf = (kind: Kind, userId: string): CountedAct => ({
  key: `${kind}:${userId}`,
  limit: cardLimits[kind],
});

/** Where a person's payments that did not succeed (yet) are counted; `confirmBooking` takes one off. */
export const keyOfCardTries = (userId: string) => actOf('card-tries', userId).key;

/** Counts a card that is about to be saved. Throws `too_many_requests`. */
export const countCard = (db: Database, userId: string) => count(db, actOf('card', userId));

/** Counts a question about an unfinished payment. Throws `too_many_requests`. */
export const countCardQuestion = (db: Database, userId: string) => count(db, actOf('card-questions', userId));

/**
 * What a booking that is about to begin counts as: before the charge, so that many at once cannot slip through.
 * {@link returnCardTry} where no card is asked after all.
 */
export const actsOfBooking = (userId: string, priceCents: number): CountedAct[] => [
  actOf('bookings', userId),
  ...(priceCents > 0 ? [actOf('card-tries', userId)] : []),
];

/** Takes back a payment that was counted. */
export const returnCardTry = (db: Database | Tx, userId: string) => returnPoint(db, keyOfCardTries(userId));

/** Throws `too_many_requests` for the first count that is over its limit. */
export function insistWithinLimits(counts: ActCount[]): void {
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

async function count(db: Database, act: CountedAct): Promise<void> {
  const { rows } = await countActs([act]).execute(db);
  insistWithinLimits(rows);
}
