import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../class-names.ts';
import { useFieldControl } from './form-field.tsx';

/** Style of text fields and pickers: 40 px high; on touch 44 px, in 16 px type because iOS zooms in on smaller type. */
export const controlClasses = cn(
  'base:h-10 base:w-full min-w-0 rounded-md border border-input bg-card px-3 text-sm base:text-foreground transition-colors',
  'placeholder:text-muted-foreground hover:border-foreground/60 base:touch:h-11 touch:text-base',
  'disabled:bg-muted disabled:text-muted-foreground disabled:hover:border-input',
  'aria-invalid:border-destructive aria-invalid:outline-destructive',
);

type InputProps = ComponentProps<'input'> & {
  /** Inside the left edge: a currency sign or an icon. Decoration only; the label names the unit. */
  leading?: ReactNode;
  /** Inside the right edge: a unit such as "minutes". */
  trailing?: ReactNode;
};

/** A one-line text control; inside a `FormField` it connects itself to label, hint and error. */
export function Input({ className, leading, trailing, type = 'text', ...props }: InputProps) {
  const input = (
    <input
      type={type}
      {...props}
      {...useFieldControl(props)}
      className={cn(
        controlClasses,
        'read-only:bg-muted',
        (type === 'number' || type === 'time' || type === 'date') && 'tabular-nums',
        Boolean(leading) && 'pl-8',
        Boolean(trailing) && 'pr-20',
        !leading && !trailing && className,
      )}
    />
  );
  if (!leading && !trailing) return input;
  const edge =
    'pointer-events-none absolute inset-y-0 flex items-center text-sm text-muted-foreground touch:text-base [&_svg]:size-4';
  return (
    <div className={cn('relative', className)}>
      {leading && (
        <span aria-hidden className={cn(edge, 'left-3')}>
          {leading}
        </span>
      )}
      {input}
      {trailing && (
        <span aria-hidden className={cn(edge, 'right-3')}>
          {trailing}
        </span>
      )}
    </div>
  );
}
