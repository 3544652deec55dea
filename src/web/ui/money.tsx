import { formatPounds } from '#domain/money.ts';
import { cn } from './class-names.ts';

/** Formats minor units as pounds in tabular figures, so that columns align: 5000 → £50.00. */
export function Money({ cents, className }: { cents: number; className?: string }) {
  return <span className={cn('whitespace-nowrap tabular-nums', className)}>{formatPounds(cents)}</span>;
}
