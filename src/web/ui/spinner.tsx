import { cn } from './class-names.ts';
import { LoaderCircle } from './early-icons.tsx';

/** A turning ring with its words, announced politely: for a wait whose shape is unknown. Lists use `Skeleton`. */
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
