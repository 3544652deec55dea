import ShieldCheck from 'lucide-react/icons/shield-check';
import { cn } from '../class-names.ts';

/** What was checked, when, by whom and how, and what the badge doesn't mean. */
type CheckBadge = { label: string; checked: string; how: string; limits: string };

/**
 * What the club has checked about a coach. Each badge opens the details: what was checked, by whom and how, and what
 * the badge doesn't mean. It works without JavaScript.
 */
export function BadgeList({ badges, className }: { badges: readonly CheckBadge[]; className?: string }) {
  return (
    <ul aria-label="Checks" className={cn('space-y-1', className)}>
      {badges.map(({ label, checked, how, limits }) => (
        <li key={label}>
          <details className="group text-sm">
            <summary className="inline-flex cursor-pointer items-start gap-2 rounded-sm py-1.5 font-medium marker:content-none touch:min-h-11 touch:py-2.5">
              <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
              <span className="underline decoration-border decoration-dotted underline-offset-4">
                {label}
              </span>
            </summary>
            <div className="mb-2 ml-6 max-w-reading space-y-1 text-muted-foreground">
              <p>{checked}</p>
              <p>{how}</p>
              <p>{limits}</p>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
