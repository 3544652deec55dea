import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

const look =
  'inline-flex h-6 w-fit shrink-0 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5';

const tones = {
  neutral: 'bg-muted text-muted-foreground',
  primary: 'bg-primary-soft text-primary',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  destructive: 'bg-destructive-soft text-destructive',
  outline: 'border border-input/60 text-foreground',
};

/** A short label for a state ("Completed", "Full"); the text alone carries the meaning, and the tone repeats it. */
export function Badge({
  tone = 'neutral',
  className,
  ...props
}: ComponentProps<'span'> & { tone?: keyof typeof tones }) {
  return <span className={cn(look, tones[tone], className)} {...props} />;
}
