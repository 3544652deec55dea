import { type RawBuilder, sql } from 'kysely';
import { shortenName } from '#domain/bookings/calendar-rules.ts';
import { AppError } from '#domain/errors.ts';
import type { Review } from '#domain/reviews/review.ts';
import { nameAuthor } from '#domain/reviews/rules.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { readRating } from './read-ratings.ts';

type Row = Omit<Review, 'author'> & {
  coachId: string;
  coachName: string;
  customerName: string;
  writtenFor: 'self' | 'junior' | 'dependant';
  publishedAt: string;
};

async function selectPublished(db: Database | Tx, more: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select review.review_id, review.rating, case when review.is_masked then review.masked_body else review.body end as text,
      to_char(review.published_at at time zone 'Europe/London', 'YYYY-MM') as month,
      review.edited_at is not null as is_edited, review.written_for, review.published_at, review.coach_id,
      author.full_name as customer_name, coach_public_name(coach) as coach_name,
      case when reply.status = 'published' then jsonb_build_object('text', reply.body,
        'month', to_char(reply.created_at at time zone 'Europe/London', 'YYYY-MM')) end as reply
    from reviews review
    join profiles author on author.user_id = review.customer_user_id
    join profiles coach on coach.user_id = review.coach_id
    left join review_replies reply using (review_id)
    where review.status = 'published' ${more}`.execute(db);
  return rows;
}

const toReview = (row: Row): Review => {
  const { reviewId, rating, text, month, isEdited, reply, customerName, writtenFor } = row;
  return {
    ...{ reviewId, rating, text, month, isEdited, reply },
    author: nameAuthor(shortenName(customerName), writtenFor),
  };
};

/** A page of a coach's published reviews, newest first, with the coach's rating. */
export async function listReviews(
  db: Database,
  { coachId, cursor, limit }: { coachId: string; cursor?: string | undefined; limit: number },
) {
  const after = readPageCursor(cursor);
  const [rating, rows] = await Promise.all([
    readRating(db, coachId),
    selectPublished(
      db,
      sql`and review.coach_id = ${coachId}::uuid
        ${after ? sql`and (review.published_at, review.review_id) < (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
        order by review.published_at desc, review.review_id desc limit ${rowsOfPage(limit)}`,
    ),
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ publishedAt, reviewId }) => ({
    time: publishedAt,
    id: reviewId,
  }));
  return { rating, reviews: page.map(toReview), nextCursor };
}

/** The reviews of a coach who can be booked; throws `not_found` for any other. */
export async function listPublicReviews(db: Database, input: Parameters<typeof listReviews>[1]) {
  const coach = await db
    .selectFrom('coaches')
    .select('coachId')
    .where('coachId', '=', input.coachId)
    .where('isActive', '=', true)
    .where('isListed', '=', true)
    .executeTakeFirst();
  if (!coach) throw new AppError('not_found', 'Coach not found.');
  return listReviews(db, input);
}

/** A published review with its coach's name; throws `not_found` for any other. */
export async function getReview(db: Database | Tx, reviewId: string) {
  const [row] = await selectPublished(db, sql`and review.review_id = ${reviewId}::uuid`);
  if (!row) throw new AppError('not_found', "This review doesn't exist, or it's no longer public.");
  return { review: toReview(row), coachId: row.coachId, coachName: row.coachName };
}
