import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

type ChipProps = {
  children: ReactNode;
  /** The accessible name of the cross: "Remove filter Tennis". */
  removeLabel: string;
  onRemove: () => void;
  className?: string;
};

/** An active filter, with a cross to remove it. */
export function Chip({ children, removeLabel, onRemove, className }: ChipProps) {
  return (
    <span
      className={cn(
        'inline-flex h-8 items-center rounded-full bg-primary-soft pl-3 text-sm font-medium text-primary touch:h-9',
        className,
      )}
    >
      {children}
      <button
        type="button"
        aria-label={removeLabel}
        onClick={onRemove}
        className="relative ml-0.5 inline-flex size-8 items-center justify-center rounded-full before:absolute hover:bg-primary/10 touch:size-9 touch:before:-inset-1"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
