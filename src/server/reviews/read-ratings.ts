import { sql } from 'kysely';
import type { CoachRating, ListedRating } from '#domain/reviews/review.ts';
import { meanOf } from '#domain/reviews/rules.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { memoizeWithTtl } from '#server/platform/ssr/memoize-with-ttl.ts';

type Row = { coachId: string; reviews: number; stars: number; distribution: number[] };

const toRating = ({ reviews, stars, distribution }: Omit<Row, 'coachId'>): CoachRating => ({
  reviews,
  mean: meanOf({ reviews, stars }),
  distribution,
});

const noReviews: CoachRating = { reviews: 0, mean: null, distribution: [0, 0, 0, 0, 0] };

/** A summary of a coach's published reviews from the last 24 months. */
export async function readRating(db: Database | Tx, coachId: string): Promise<CoachRating> {
  const { rows } = await sql<Row>`
    select reviews, stars, distribution from coach_ratings where coach_id = ${coachId}::uuid`.execute(db);
  return rows[0] ? toRating(rows[0]) : noReviews;
}

/** Time to live of the cached ratings of all coaches, in ms. */
const ttlMs = 10_000;

/**
 * Creates a cached reader of the ratings of all coaches with reviews, by coach id. Without the cache, every list of
 * lessons would aggregate them.
 */
export function createRatingsReader(db: Database): () => Promise<ReadonlyMap<string, ListedRating>> {
  return memoizeWithTtl(ttlMs, async () => {
    const { rows } = await sql<Omit<Row, 'distribution'>>`
      select coach_id, reviews, stars from coach_ratings`.execute(db);
    return new Map(
      rows.map(({ coachId, ...figures }) => [
        coachId,
        { coachId, reviews: figures.reviews, mean: meanOf(figures) },
      ]),
    );
  });
}

/** The number of published five-star reviews of all coaches, of any age. */
export async function countFiveStarReviews(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from reviews where status = 'published' and rating = 5`.execute(db);
  return rows[0]!.count;
}

/** Whether the bookable coaches belong to more than one business, so that ratings compare businesses. */
export async function hasSeveralBusinesses(db: Database): Promise<boolean> {
  const { rows } = await sql<{ several: boolean }>`
    select count(*) > 1 as several from (
      select distinct business_id from coaches where is_active and is_listed and business_id is not null limit 2) listed`.execute(
    db,
  );
  return rows[0]!.several;
}
