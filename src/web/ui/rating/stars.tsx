import { cn } from '../class-names.ts';

const path = 'M12 2.6l2.8 6 6.6.7-4.9 4.4 1.4 6.5L12 16.9l-5.9 3.3 1.4-6.5L2.6 9.3l6.6-.7z';

/** One star, filled or outlined, without an accessible name. */
export function Star({ isFilled, className }: { isFilled: boolean; className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinejoin="round"
      className={cn(
        'base:size-4 shrink-0',
        isFilled ? 'text-warning-mark' : 'text-muted-foreground',
        className,
      )}
    >
      <path d={path} />
    </svg>
  );
}

/** The stars of one review, read out as "4 of 5 stars". */
export function Stars({ rating, className }: { rating: number; className?: string }) {
  return (
    <span role="img" aria-label={`${rating} of 5 stars`} className={cn('inline-flex gap-0.5', className)}>
      {[1, 2, 3, 4, 5].map((star) => (
        <Star key={star} isFilled={star <= rating} />
      ))}
    </span>
  );
}
