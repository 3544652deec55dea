import type { ComponentProps } from 'react';
import { cn } from '../class-names.ts';
import { ChevronDown } from '../page/early-icons.tsx';
import { useFieldControl } from './form-field.tsx';
import { controlClasses } from './input.tsx';

/** The browser's own select (the best one on a phone), styled; children are `<option>`s. */
export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <div className={cn('relative', className)}>
      <select
        {...props}
        {...useFieldControl(props)}
        className={cn(controlClasses, 'appearance-none truncate pr-9')}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </div>
  );
}
