import { sql } from 'kysely';
import { type RemovalReason, removalReasonNames } from '#domain/reviews/rules.ts';
import type { Database } from '#server/platform/db/db.ts';
import { countFiveStarReviews } from '../read-ratings.ts';

/**
 * The policy page's figures for the last 12 months, counted from the moderation log. `fiveStars` instead counts all
 * public reviews with five stars.
 */
export type ReviewFigures = {
  published: number;
  fiveStars: number;
  reported: number;
  kept: number;
  removed: Record<RemovalReason, number>;
  appealed: number;
  restored: number;
};

export async function readReviewFigures(db: Database): Promise<ReviewFigures> {
  const { rows } = await sql<{ action: string; reason: RemovalReason | null; count: number }>`
    select action, case when action = 'removed' then reason end as reason, count(*)::integer as count
    from moderation_log
    where at > now() - interval '12 months'
      and action in ('published', 'masked', 'reported', 'kept', 'removed', 'appealed', 'restored')
    group by 1, 2`.execute(db);
  const countOf = (...actions: string[]) =>
    rows.filter(({ action }) => actions.includes(action)).reduce((sum, { count }) => sum + count, 0);
  return {
    published: countOf('published', 'masked'),
    fiveStars: await countFiveStarReviews(db),
    reported: countOf('reported'),
    kept: countOf('kept'),
    removed: Object.fromEntries(
      removalReasonNames.map((name) => [name, rows.find(({ reason }) => reason === name)?.count ?? 0]),
    ) as Record<RemovalReason, number>,
    appealed: countOf('appealed'),
    restored: countOf('restored'),
  };
}
