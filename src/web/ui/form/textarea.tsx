import type { ComponentProps } from 'react';
import { cn } from '../class-names.ts';
import { useFieldControl } from './form-field.tsx';
import { controlClasses } from './input.tsx';

/** A multi-line text control that grows with its text, up to half the height of the screen. */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      {...props}
      {...useFieldControl(props)}
      className={cn(
        controlClasses,
        'field-sizing-content read-only:bg-muted h-auto max-h-[50dvh] min-h-20 py-2 touch:h-auto',
        className,
      )}
    />
  );
}
