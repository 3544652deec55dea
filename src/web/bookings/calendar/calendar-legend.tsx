import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import { cn } from '#web/ui/class-names.ts';
import { sportStyle } from '#web/ui/sport-dot.tsx';

const swatches = [
  { label: 'No bookings yet', look: 'border-sport bg-card' },
  { label: 'Some booked', look: 'border-sport/45 border-l-sport bg-sport-soft' },
  { label: 'Full', look: 'border-sport-solid bg-sport-solid' },
  { label: 'Completed', look: 'border-border border-l-sport/60 bg-muted', icon: Check },
  { label: 'Cancelled', look: 'border-dashed border-input/70', icon: Ban },
];

/** Explains the styles of the blocks and, if `hasKeys`, the keys. */
export function CalendarLegend({ hasKeys }: { hasKeys: boolean }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-xs text-muted-foreground">
      {swatches.map(({ label, look, icon: Icon }) => (
        <span key={label} className="flex items-center gap-1.5" style={sportStyle('tennis')}>
          <span
            aria-hidden
            className={cn('grid h-3.5 w-5 place-items-center rounded-sm border border-l-[3px]', look)}
          >
            {Icon && <Icon className="size-2.5" />}
          </span>
          {label}
        </span>
      ))}
      {hasKeys && (
        <span aria-hidden className="lg:ml-auto touch:hidden">
          Arrow keys: move. Enter: open or add. Drag an unbooked lesson to move it.
        </span>
      )}
    </div>
  );
}
