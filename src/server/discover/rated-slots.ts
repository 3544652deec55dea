import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import type { ListedRating } from '#domain/reviews/review.ts';
import type { Database } from '#server/platform/db/db.ts';
import { createRatingsReader } from '#server/reviews/read-ratings.ts';
import { createDiscover } from './discover-slots.ts';

type Page = { slots: OpenSlot[]; ratings: ListedRating[]; nextCursor: string | null };

/**
 * Creates the reader for discover with the ratings of the coaches on the page. All ratings are kept in memory, so that
 * no request aggregates them.
 */
export function createRatedDiscover(
  db: Database,
): (query: Parameters<ReturnType<typeof createDiscover>>[0]) => Promise<Page> {
  const discover = createDiscover(db);
  const readRatings = createRatingsReader(db);
  return async (query) => {
    const [page, known] = await Promise.all([discover(query), readRatings()]);
    const ratings = new Set<ListedRating>();
    for (const { coachId } of page.slots) {
      const rating = known.get(coachId);
      if (rating) ratings.add(rating);
    }
    return { ...page, ratings: [...ratings] };
  };
}
