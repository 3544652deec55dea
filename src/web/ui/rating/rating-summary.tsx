import { reviewsPolicyPath } from '#domain/pages.ts';
import { countReviews } from './rating-line.tsx';
import { Star } from './stars.tsx';

/** `distribution`: how many reviews have one, two, three, four and five stars. */
type Rating = { reviews: number; mean: number | null; distribution: readonly number[] };

/**
 * A coach's rating above the reviews: the mean, the number of reviews, the number for each star, and a link to how
 * reviews work.
 */
export function RatingSummary({ rating: { reviews, mean, distribution } }: { rating: Rating }) {
  return (
    <div className="flex flex-wrap items-start gap-x-10 gap-y-5">
      <div>
        {mean === null ? (
          <p className="text-lg font-semibold">
            {reviews === 0 ? 'No reviews yet' : `New · ${countReviews(reviews)}`}
          </p>
        ) : (
          <>
            <p className="flex items-center gap-2 text-3xl font-semibold tracking-tight tabular-nums">
              <Star isFilled className="size-7" />
              <span className="sr-only">Rating: </span>
              {mean.toFixed(1)}
            </p>
            <p className="mt-1 text-sm text-muted-foreground">
              {countReviews(reviews)} in the last 24 months
            </p>
          </>
        )}
        <p className="mt-1 text-sm">
          <a href={reviewsPolicyPath} className="inline-block py-1 text-primary underline underline-offset-4">
            How reviews work
          </a>
        </p>
      </div>
      {mean !== null && (
        <dl className="grid min-w-56 grow grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1 text-sm tabular-nums sm:max-w-xs">
          {[5, 4, 3, 2, 1].map((stars) => {
            const count = distribution[stars - 1] ?? 0;
            return (
              <div key={stars} className="contents">
                <dt>
                  {stars} <span className="sr-only">{stars === 1 ? 'star' : 'stars'}</span>
                </dt>
                <dd aria-hidden>
                  <svg
                    aria-hidden
                    viewBox="0 0 100 6"
                    preserveAspectRatio="none"
                    className="block h-1.5 w-full"
                  >
                    <rect width="100" height="6" rx="3" className="fill-accent" />
                    <rect
                      width={(count * 100) / Math.max(1, reviews)}
                      height="6"
                      rx="3"
                      className="fill-warning-mark"
                    />
                  </svg>
                </dd>
                <dd className="text-muted-foreground">{count}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </div>
  );
}
