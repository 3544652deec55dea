import type { ReactNode } from 'react';
import { cn } from '../class-names.ts';
import { EmptyPitch } from './pitch-lines.tsx';

type EmptyStateProps = {
  /** The empty state as a short statement: "No lessons scheduled". */
  title: string;
  /** `h1` if the empty state is the whole page. */
  titleAs?: 'p' | 'h1' | 'h2';
  /** One sentence on what to do next or which filter to remove. */
  children?: ReactNode;
  /** The next step: usually one button. */
  action?: ReactNode;
  illustration?: ReactNode;
  className?: string;
};

/** Shown instead of an empty list: an illustration, a sentence and a button. */
export function EmptyState({
  title,
  titleAs: Title = 'p',
  children,
  action,
  illustration = <EmptyPitch />,
  className,
}: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-center px-4 base:py-12 text-center', className)}>
      {illustration}
      <Title className={cn('mt-6 font-semibold tracking-tight', Title === 'h1' ? 'text-2xl' : 'text-lg')}>
        {title}
      </Title>
      {children && (
        <p className="mt-1.5 max-w-[44ch] text-sm text-balance text-muted-foreground">{children}</p>
      )}
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}
