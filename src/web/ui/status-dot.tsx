import { cva, type VariantProps } from 'class-variance-authority';
import { cn } from './class-names.ts';

const dotVariants = cva('size-2 shrink-0 rounded-full', {
  variants: {
    tone: {
      neutral: 'bg-input',
      primary: 'bg-primary',
      success: 'bg-success-mark',
      warning: 'bg-warning-mark',
      destructive: 'bg-destructive',
    },
  },
  defaultVariants: { tone: 'neutral' },
});

/** A coloured dot before its word, for states in rows where a badge would be loud: "● Booked". */
export function StatusDot({
  label,
  tone,
  className,
}: { label: string; className?: string } & VariantProps<typeof dotVariants>) {
  return (
    <span className={cn('inline-flex items-center gap-2 align-bottom text-sm', className)}>
      <span aria-hidden className={dotVariants({ tone })} />
      {label}
    </span>
  );
}
