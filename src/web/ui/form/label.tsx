import type { ComponentProps } from 'react';
import { cn } from '../class-names.ts';

/** The text above a control; `htmlFor` is required, so that pressing the text activates the control. */
export function Label({
  className,
  children,
  htmlFor,
  ...props
}: ComponentProps<'label'> & { htmlFor: string }) {
  return (
    <label htmlFor={htmlFor} className={cn('text-sm font-medium', className)} {...props}>
      {children}
    </label>
  );
}
