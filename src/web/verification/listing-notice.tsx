import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { cn } from '#web/ui/class-names.ts';
import { describeListing } from './check-text.ts';

type ListingNoticeProps = { file: TrustFile; today: string; className?: string; children?: ReactNode };

/**
 * Says that the coach's lessons are hidden or soon will be, or that under-18s can't book them; otherwise
 * renders nothing.
 */
export function ListingNotice({ file, today, className, children }: ListingNoticeProps) {
  const warning = describeListing(file, today);
  if (!warning) return null;
  return (
    <section
      aria-label={warning.title}
      className={cn(
        'flex gap-3 rounded-lg px-4 py-3 text-sm',
        warning.tone === 'destructive'
          ? 'bg-destructive-soft text-destructive'
          : 'bg-warning-soft text-warning',
        className,
      )}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 space-y-1">
        <p className="font-semibold">{warning.title}</p>
        <p>{warning.text}</p>
        {children}
      </div>
    </section>
  );
}
