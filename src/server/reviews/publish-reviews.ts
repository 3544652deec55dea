import { sql } from 'kysely';
import { reviewTimes } from '#domain/reviews/rules.ts';
import {
  composeNewReviewMessage,
  composeReviewPublishedMessage,
} from '#server/notifications/templates/reviews.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { logModeration } from './moderation/log.ts';
import { closeCheck } from './moderation/open-case.ts';

const batchSize = 50;
const hours = (count: number) => sql`interval '1 hour' * ${sql.lit(count)}`;

type Published = {
  reviewId: string;
  coachId: string;
  customerUserId: string;
  rating: number;
  coachName: string;
  isMasked: boolean;
  version: string;
};

/**
 * Publishes reviews whose delay is over. Held reviews on which nobody has decided in time are published without what
 * the checks found. Safe to repeat and to run in several processes.
 */
export async function publishDueReviews(db: Database): Promise<void> {
  for (;;) {
    const published = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<Published>`
        with due as (
          select review_id from reviews
          where status = 'pending' and submitted_at <= now() - ${hours(reviewTimes.publishedAfterHours)}
            or status = 'held' and submitted_at <= now() - ${hours(reviewTimes.publishedWithinHours)}
          order by submitted_at limit ${sql.lit(batchSize)} for update skip locked
        )
        update reviews review set status = 'published', is_masked = review.status = 'held',
          published_at = coalesce(published_at, now())
        from due, profiles coach
        where review.review_id = due.review_id and coach.user_id = review.coach_id
        returning review.review_id, review.coach_id, review.customer_user_id, review.rating, review.is_masked,
          coach_public_name(coach) as coach_name, review.submitted_at::text as version`.execute(tx);
      for (const { reviewId } of rows) await closeCheck(tx, reviewId);
      await logModeration(
        tx,
        rows.map(({ reviewId, isMasked }) => ({ reviewId, action: isMasked ? 'masked' : 'published' })),
      );
      await notifyPublished(tx, rows);
      return rows.length;
    });
    if (published < batchSize) return;
  }
}

/** Notifies the authors and coaches of reviews that have just become public. */
async function notifyPublished(tx: Tx, published: Published[]): Promise<void> {
  if (published.length === 0) return;
  const brand = await readBrand(tx);
  await writeNotifications(
    tx,
    published.flatMap(({ reviewId, coachId, customerUserId, rating, coachName, isMasked, version }) => [
      {
        kind: 'new_review' as const,
        userId: coachId,
        subjectId: reviewId,
        version,
        message: composeNewReviewMessage({ rating, brand }),
      },
      {
        kind: 'review_published' as const,
        userId: customerUserId,
        subjectId: reviewId,
        version,
        aboutUserId: coachId,
        message: composeReviewPublishedMessage({ coachName, isMasked }),
      },
    ]),
  );
}
