import { Link } from '@tanstack/react-router';
import MapPin from 'lucide-react/icons/map-pin';
import type { CoachSlot } from '#domain/catalogue/contract.ts';
import { formatTime } from '#domain/time.ts';
import { cn } from '#web/ui/class-names.ts';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { SlotStatusBadge } from './slot-status-badge.tsx';

/** One dated lesson in the coach's list; the whole row opens it. */
export function SlotRow({ slot }: { slot: CoachSlot }) {
  const isCancelled = slot.status === 'cancelled';
  const isPast = Date.parse(slot.endTime) <= Date.now();
  return (
    <li>
      <Link
        to="/coach/lesson/$slotId"
        params={{ slotId: slot.slotId }}
        className={cn(
          'grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 rounded-md px-3 py-3 transition-colors hover:bg-accent',
          'md:grid-cols-[7rem_minmax(0,1fr)_auto_6rem] md:items-center',
          isPast && 'text-muted-foreground',
        )}
      >
        <span className="text-sm font-medium tabular-nums">
          {formatTime(slot.startTime)}–{formatTime(slot.endTime)}
        </span>
        <span className="min-w-0 max-md:col-span-2 max-md:row-start-2">
          <span className={cn('flex items-center gap-2 font-medium', isCancelled && 'line-through')}>
            <SportDot sport={slot.sport} className={cn(isPast && 'opacity-50')} />
            <span className="min-w-0 truncate">{slot.title}</span>
          </span>
          {slot.location && (
            <span className="mt-0.5 flex items-center gap-1.5 text-xs text-muted-foreground">
              <MapPin aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">
                {slot.location.name}, {slot.location.city}
              </span>
            </span>
          )}
        </span>
        <span className="text-sm whitespace-nowrap tabular-nums max-md:row-start-3 md:text-right">
          {slot.bookedCount}/{slot.maxCapacity} <span className="text-muted-foreground">booked</span>
        </span>
        <span className="max-md:row-span-1 max-md:row-start-1 max-md:col-start-2 max-md:justify-self-end md:justify-self-end">
          <SlotStatusBadge status={slot.status} />
        </span>
      </Link>
    </li>
  );
}
