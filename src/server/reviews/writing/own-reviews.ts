import { type RawBuilder, sql } from 'kysely';
import type { OutputOf } from '#domain/endpoint.ts';
import type { reviewsApi } from '#domain/reviews/contract.ts';
import type { OwnReview } from '#domain/reviews/review.ts';
import { refuseClaim, refuseReview, reviewTimes } from '#domain/reviews/rules.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { isCardRefused, isRecentEnough, wasThere } from './may-review.ts';
import { readReviewFacts } from './review-facts.ts';

/** Selects reviews as their author sees them, newest first. */
async function selectOwn(db: Database | Tx, where: RawBuilder<unknown>): Promise<OwnReview[]> {
  const { rows } = await sql<OwnReview>`
    select review.review_id, review.booking_id, review.coach_id, coach_public_name(coach) as coach_name,
      review.rating, review.body as text, review.status, review.is_masked,
      review.submitted_at + interval '1 hour' * case review.status
        when 'held' then ${sql.lit(reviewTimes.publishedWithinHours)}
        else ${sql.lit(reviewTimes.publishedAfterHours)} end as published_by,
      (upper(review.period) - 1)::text as editable_until,
      (select decided_reason from review_cases decided
        where decided.review_id = review.review_id and decided.about = 'review' and decided.outcome = 'removed'
          and review.status = 'removed'
        order by decided_at desc limit 1) as removed_for,
      case when reply.status = 'published' then jsonb_build_object('text', reply.body,
        'month', to_char(reply.created_at at time zone 'Europe/London', 'YYYY-MM')) end as reply
    from reviews review
    join profiles coach on coach.user_id = review.coach_id
    left join review_replies reply using (review_id)
    where ${where}
    order by review.submitted_at desc`.execute(db);
  return rows;
}

/** The customer's current review of a coach, which counts for 12 months; null if there is none. */
export async function findOwnReview(
  db: Database | Tx,
  userId: string,
  coachId: string,
): Promise<OwnReview | null> {
  const found = await selectOwn(
    db,
    sql`review.customer_user_id = ${userId}::uuid and review.coach_id = ${coachId}::uuid
      and review.period @> current_date`,
  );
  return found[0] ?? null;
}

/**
 * A customer's review of a lesson's coach, and whether the customer can write or edit it now or contest an absence.
 * Throws `not_found` for another customer's booking.
 */
export async function getOwnReview(
  db: Database,
  userId: string,
  bookingId: string,
): Promise<OutputOf<typeof reviewsApi.getOwn>> {
  const facts = await readReviewFacts(db, userId, bookingId);
  const review = await findOwnReview(db, userId, facts.coachId);
  const { coachId, coachName, title, startTime, endTime, author } = facts;
  const canClaim = refuseClaim(facts, Date.now()) === null;
  return {
    lesson: { bookingId, coachId, coachName, title, startTime, endTime },
    author,
    review,
    refusal: review
      ? review.status === 'removed'
        ? "An admin removed this review, so it can't be edited."
        : null
      : (refuseReview(facts, Date.now())?.message ?? null),
    claim: canClaim ? 'possible' : facts.claim,
  };
}

/**
 * All of a customer's reviews and, for each coach, the latest lesson that the customer can review. Doesn't check the
 * cards that paid.
 */
export async function listOwnReviews(
  db: Database,
  userId: string,
): Promise<OutputOf<typeof reviewsApi.listOwn>> {
  const { rows: open } = await sql<OutputOf<typeof reviewsApi.listOwn>['open'][number]>`
    select distinct on (slot.coach_id) booking.booking_id, slot.coach_id, coach_public_name(coach) as coach_name,
      booking.title, lower(booking.during) as start_time, upper(booking.during) as end_time
    from bookings booking
    join lesson_slots slot using (slot_id)
    join profiles coach on coach.user_id = slot.coach_id
    where booking.customer_user_id = ${userId}::uuid and coach.deleted_at is null
      and ${wasThere} and ${isRecentEnough} and not ${isCardRefused}
      and not exists (select from reviews review where review.coach_id = slot.coach_id
        and review.customer_user_id = booking.customer_user_id and review.period @> current_date)
    order by slot.coach_id, lower(booking.during) desc`.execute(db);
  const reviews = await selectOwn(db, sql`review.customer_user_id = ${userId}::uuid`);
  return { reviews, open };
}
