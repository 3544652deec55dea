import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Review } from '#domain/reviews/review.ts';
import { checkText, type Finding } from '#domain/reviews/rules.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { getReview } from './list-reviews.ts';
import { readReviewFacts } from './writing/review-facts.ts';

const refusals: Record<Finding, string> = {
  link: "A reply can't contain a link. Please remove it.",
  contact: "A reply can't contain contact details. Please remove them.",
  name: 'Your reply names someone in the lesson or their family. Please remove the name, because everyone can read it.',
};

/**
 * Publishes a coach's one reply to a review about them. Throws `not_found` for a review of another coach or one that
 * isn't public, `conflict` for a second reply and `unprocessable` for a text that the checks refuse.
 */
export function replyToReview(
  db: Database,
  coach: Person,
  { reviewId, text }: { reviewId: string; text: string },
): Promise<Review> {
  return db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('reviews')
      .select(['bookingId', 'customerUserId'])
      .where('reviewId', '=', reviewId)
      .where('coachId', '=', coach.userId)
      .where('status', '=', 'published')
      .forKeyShare()
      .executeTakeFirst();
    if (!found) throw new AppError('not_found', "This review doesn't exist, or it's no longer public.");
    const lesson = await readReviewFacts(tx, found.customerUserId, found.bookingId);
    const { findings } = checkText(text, {
      names: [...lesson.names, lesson.customerName],
      coachName: lesson.coachName,
    });
    if (findings[0]) {
      const message = refusals[findings[0]];
      throw new AppError('unprocessable', message, { fields: { text: message } });
    }
    const { rows } = await sql`
      insert into review_replies (review_id, coach_id, body) values (${reviewId}::uuid, ${coach.userId}::uuid, ${text})
      on conflict do nothing returning review_id`.execute(tx);
    if (rows.length === 0) throw new AppError('conflict', "You've already replied to this review.");
    await recordAudit(tx, coach, { action: 'review.replied', subjectType: 'review', subjectId: reviewId });
    return (await getReview(tx, reviewId)).review;
  });
}
