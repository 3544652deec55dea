import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { reviewsApi } from '#domain/reviews/contract.ts';
import type { OwnReview } from '#domain/reviews/review.ts';
import { checkText, refuseReview } from '#domain/reviews/rules.ts';
import { rememberCardOfBooking } from '#server/payments/card-fingerprints.ts';
import { describeChange, recordAudit } from '#server/platform/audit.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { consume, describeWait } from '#server/platform/http/rate-limit.ts';
import { logModeration } from '../moderation/log.ts';
import { closeCheck, openCase } from '../moderation/open-case.ts';
import { findOwnReview } from './own-reviews.ts';
import { type LessonToReview, readReviewFacts } from './review-facts.ts';

const saveLimit = { calls: 20, seconds: 3600 };

/**
 * Writes a customer's review of a lesson's coach, or edits the one that counts today. Every text is checked, and an
 * admin looks at whatever the checks find. Nothing is public before the delay, whatever the number of stars. Throws
 * `conflict` for a lesson that can't be reviewed, a review that an admin removed, a second review of the coach in 12
 * months and a card that already counts; `not_found` for another customer's booking; and `too_many_requests` after 20
 * saves in an hour.
 */
export async function saveReview(
  { db, cards }: { db: Database; cards: Stripe },
  author: Person,
  { bookingId, rating, text }: ParsedInputOf<typeof reviewsApi.save>,
): Promise<OwnReview> {
  const retryAfterSeconds = await consume(db, `review:${author.userId}`, saveLimit);
  if (retryAfterSeconds !== null) {
    const message = `You've saved a lot of reviews. Please try again in ${describeWait(retryAfterSeconds)}.`;
    throw new AppError('too_many_requests', message, { details: { retryAfterSeconds } });
  }
  await rememberCardOfBooking(db, cards, { userId: author.userId, bookingId });
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`
        select from bookings where booking_id = ${bookingId}::uuid and customer_user_id = ${author.userId}::uuid
        for no key update`.execute(tx);
      const lesson = await readReviewFacts(tx, author.userId, bookingId);
      // Locked before its check, in the same order as in `decideCase`, and before its status is read, so that an edit
      // can't undo a removal.
      await sql`
        select from reviews where customer_user_id = ${author.userId}::uuid and coach_id = ${lesson.coachId}::uuid
          and period @> current_date
        for no key update`.execute(tx);
      const before = await findOwnReview(tx, author.userId, lesson.coachId);
      if (before) {
        // The review may be about another lesson with this coach, with other participants.
        const isOther = before.bookingId !== bookingId;
        const reviewed = isOther ? await readReviewFacts(tx, author.userId, before.bookingId) : lesson;
        await editReview(tx, author, { before, lesson: reviewed, rating, text });
      } else await writeReview(tx, author, { lesson, rating, text });
      return (await findOwnReview(tx, author.userId, lesson.coachId))!;
    });
  } catch (error) {
    const isSecond = ['reviews_one_in_12_months', 'reviews_booking_unique'].some((name) =>
      isViolation(error, name),
    );
    if (isSecond) throw new AppError('conflict', "You've already reviewed this coach in the last 12 months.");
    if (!isViolation(error, 'reviews_one_per_card')) throw error;
    throw new AppError(
      'conflict',
      'Someone has already reviewed this coach with the same card. A card counts only once in 12 months.',
    );
  }
}

type Entered = { lesson: LessonToReview; rating: number; text: string };

const columnsOf = ({ lesson, rating, text }: Entered) => {
  const { findings, maskedText } = checkText(text, lesson);
  const status = findings.length > 0 ? ('held' as const) : ('pending' as const);
  return {
    rating,
    body: text,
    findings: findings as string[],
    maskedBody: maskedText,
    isMasked: false,
    status,
  };
};

async function writeReview(tx: Tx, author: Person, entered: Entered): Promise<void> {
  const { lesson } = entered;
  assertAllowed(refuseReview(lesson, Date.now()));
  const columns = columnsOf(entered);
  const { reviewId } = await tx
    .insertInto('reviews')
    .values({
      ...columns,
      bookingId: lesson.bookingId,
      coachId: lesson.coachId,
      customerUserId: author.userId,
      writtenFor: lesson.writtenFor,
      cardHash: lesson.cardHash,
      period: sql<string>`daterange(current_date, (current_date + interval '12 months')::date)`,
    })
    .returning('reviewId')
    .executeTakeFirstOrThrow();
  await submit(tx, reviewId, columns.status);
  await recordAudit(tx, author, {
    action: 'review.written',
    subjectType: 'review',
    subjectId: reviewId,
    after: { rating: entered.rating },
  });
}

async function editReview(
  tx: Tx,
  author: Person,
  { before, ...entered }: Entered & { before: OwnReview },
): Promise<void> {
  if (before.status === 'removed') {
    throw new AppError('conflict', "An admin removed this review, so it can't be edited.");
  }
  const change = describeChange(before, { rating: entered.rating, text: entered.text }, ['rating']);
  if (!change) return;
  const { reviewId } = before;
  const columns = columnsOf(entered);
  await closeCheck(tx, reviewId);
  await tx
    .updateTable('reviews')
    .set({
      ...columns,
      submittedAt: sql<string>`now()`,
      editedAt: sql<string>`case when published_at is null then edited_at else now() end`,
    })
    .where('reviewId', '=', reviewId)
    .execute();
  await submit(tx, reviewId, columns.status);
  await recordAudit(tx, author, {
    action: 'review.edited',
    subjectType: 'review',
    subjectId: reviewId,
    ...change,
  });
}

async function submit(tx: Tx, reviewId: string, status: 'pending' | 'held'): Promise<void> {
  await logModeration(tx, [{ reviewId, action: 'submitted' }]);
  if (status === 'pending') return;
  await logModeration(tx, [{ reviewId, action: 'held' }]);
  await openCase(tx, { kind: 'check', about: 'review', reviewId });
}

/**
 * Deletes the customer's review of a lesson's coach. Throws `not_found` if there is none or the booking is another
 * customer's, and `conflict` for a review that an admin removed.
 */
export function withdrawReview(db: Database, author: Person, bookingId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { coachId } = await readReviewFacts(tx, author.userId, bookingId);
    const review = await findOwnReview(tx, author.userId, coachId);
    if (!review) throw new AppError('not_found', "You haven't reviewed this coach.");
    if (review.status === 'removed') {
      throw new AppError(
        'conflict',
        'An admin removed this review. It stays in your list so that you can appeal.',
      );
    }
    const { reviewId } = review;
    const { numDeletedRows } = await tx
      .deleteFrom('reviews')
      .where('reviewId', '=', reviewId)
      .where('status', '<>', 'removed')
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new AppError('conflict', 'An admin has just removed this review.');
    await logModeration(tx, [{ reviewId, action: 'withdrawn' }]);
    await recordAudit(tx, author, { action: 'review.deleted', subjectType: 'review', subjectId: reviewId });
  });
}
