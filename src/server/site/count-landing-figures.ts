import { sql } from 'kysely';
import type { LandingCounts } from '#domain/settings/landing-stats.ts';
import type { Database } from '#server/platform/db/db.ts';
import { countFiveStarReviews } from '#server/reviews/read-ratings.ts';

/**
 * Counts active, listed coaches, published reviews with five stars, and lessons that took place with at least one
 * booking. Reads all lessons, so callers should cache the result.
 */
export async function countLandingFigures(db: Database): Promise<LandingCounts> {
  const [{ rows }, fiveStars] = await Promise.all([
    sql<{ coaches: number; lessons: number }>`select
      (select count(*)::integer from coaches where is_active and is_listed) as coaches,
      (select count(*)::integer from lesson_slots where status = 'completed' and booked_count > 0) as lessons`.execute(
      db,
    ),
    countFiveStarReviews(db),
  ]);
  return { ...rows[0]!, fiveStars };
}
