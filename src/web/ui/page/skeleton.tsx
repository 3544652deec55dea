import type { ComponentProps } from 'react';
import { cn } from '../class-names.ts';

/** A grey block in place of content that is loading; give the block the content's size. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={cn('base:h-4 animate-pulse base:rounded-md bg-accent motion-reduce:animate-none', className)}
      {...props}
    />
  );
}

/** Wraps the skeletons of a list or page and announces once to screen readers what is loading. */
export function Loading({
  label = 'Loading...',
  className,
  children,
}: ComponentProps<'div'> & { label?: string }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** Placeholder rows of a list: avatar, two lines, an amount. */
export function SkeletonRows({ count = 3, label }: { count?: number; label?: string }) {
  return (
    <Loading label={label} className="divide-y">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no ids
        <div key={row} className="flex items-center gap-3 py-4">
          <Skeleton className="size-10 rounded-full" />
          <div className="grow space-y-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
          <Skeleton className="w-16" />
        </div>
      ))}
    </Loading>
  );
}
