import { cn } from './class-names.ts';

const tones = {
  neutral: 'bg-input',
  primary: 'bg-primary',
  success: 'bg-success-mark',
  warning: 'bg-warning-mark',
  destructive: 'bg-destructive',
};

type StatusDotProps = { label: string; tone?: keyof typeof tones; className?: string };

/** A coloured dot before its label, for states in rows where a badge would be too strong: "● Booked". */
export function StatusDot({ label, tone = 'neutral', className }: StatusDotProps) {
  return (
    <span className={cn('inline-flex items-center gap-2 align-bottom text-sm', className)}>
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full', tones[tone])} />
      {label}
    </span>
  );
}
