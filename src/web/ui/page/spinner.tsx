import { cn } from '../class-names.ts';
import { LoaderCircle } from './early-icons.tsx';

/** A spinner with a text, announced politely, for content whose shape is not known yet. Lists use `Skeleton`. */
export function Spinner({ label = 'Loading...', className }: { label?: string; className?: string }) {
  return (
    <div
      role="status"
      className={cn('flex items-center justify-center gap-2 text-muted-foreground', className)}
    >
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      <span className="text-sm">{label}</span>
    </div>
  );
}

/** A spinner in the middle of a page whose content is still loading. */
export const PageSpinner = () => <Spinner className="grow py-24" />;

/** A spinner over the page, for a dialog or sheet that is still loading. */
export const OverlaySpinner = () => (
  <Spinner className="fixed inset-0 z-50 bg-overlay base:text-foreground" />
);
