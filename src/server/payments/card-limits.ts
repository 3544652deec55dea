import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { describeWait, type RateLimit, returnPoint, takePoint } from '#server/platform/rate-limit.ts';

/**
 * How often one person may reach the card network. Stolen numbers are tried out by saving many cards and by
 * making many small payments; nobody honest comes near these.
 */
const cardLimits = {
  // Opening the card form and saving what was typed count one each.
  cards: { points: 20, seconds: 60 * 60 },
  // Payments that failed or are not decided yet; one that succeeds is taken off again.
  tries: { points: 10, seconds: 60 * 60 },
  bookings: { points: 60, seconds: 10 * 60 },
  // The browser asks every second and a half while a bank takes its time.
  questions: { points: 600, seconds: 10 * 60 },
} satisfies Record<string, RateLimit>;

/** Where a person's payments that did not succeed (yet) are counted; `confirmBooking` takes one off. */
export const keyOfCardTries = (userId: string) => `card-tries:${userId}`;

/** Counts a card that is about to be saved. Throws `too_many_requests`. */
export const countCard = (db: Database, userId: string) =>
  take(db, `card:${userId}`, 'cards', 'That was a lot of cards.');

/** Counts a question about an unfinished payment. Throws `too_many_requests`. */
export const countCardQuestion = (db: Database, userId: string) =>
  take(db, `card-questions:${userId}`, 'questions', 'You have asked about your payments very often.');

/**
 * Counts a booking that is about to begin, and its payment if it costs something: before the charge, so that many
 * at once cannot slip through. Throws `too_many_requests`; {@link returnCardTry} where no card is asked after all.
 */
export async function countBooking(db: Database, userId: string, priceCents: number): Promise<void> {
  await take(
    db,
    `bookings:${userId}`,
    'bookings',
    'You have booked a lot of lessons in a short time. You have not been charged for this one.',
  );
  if (priceCents === 0) return;
  await take(
    db,
    keyOfCardTries(userId),
    'tries',
    'Several payments did not go through. You have not been charged.',
  );
}

/** Takes back a payment that {@link countBooking} counted. */
export const returnCardTry = (db: Database | Tx, userId: string) => returnPoint(db, keyOfCardTries(userId));

async function take(db: Database, key: string, limit: keyof typeof cardLimits, message: string) {
  const retryAfterSeconds = await takePoint(db, key, cardLimits[limit]);
  if (retryAfterSeconds === null) return;
  throw new AppError(
    'too_many_requests',
    `${message} Please try again in ${describeWait(retryAfterSeconds)}.`,
    { details: { retryAfterSeconds } },
  );
}
