import { reviewsPolicyPath } from '#domain/pages.ts';
import { cn } from '../class-names.ts';
import { Star } from './stars.tsx';

/** The number of reviews and the mean of their stars; the mean is null while there are few reviews. */
type Rating = { reviews: number; mean: number | null };
type RatingLineProps = { rating: Rating; className?: string };

/** "12 reviews" */
export const countReviews = (count: number) => `${count} ${count === 1 ? 'review' : 'reviews'}`;

/**
 * A coach's rating in one line: the mean and the number of reviews or, while there are few, "New · 2 reviews". Links to
 * how reviews work; renders nothing without reviews.
 */
export function RatingLine({ rating: { reviews, mean }, className }: RatingLineProps) {
  if (reviews === 0) return null;
  const text =
    mean === null ? `New · ${countReviews(reviews)}` : `${mean.toFixed(1)} · ${countReviews(reviews)}`;
  const name = mean === null ? text : `${mean.toFixed(1)} of 5 stars, ${countReviews(reviews)}`;
  return (
    <a
      href={reviewsPolicyPath}
      aria-label={`${name}. How reviews work`}
      className={cn('inline-flex items-center gap-1.5 tabular-nums hover:underline', className)}
    >
      {mean !== null && <Star isFilled />}
      {text}
    </a>
  );
}
