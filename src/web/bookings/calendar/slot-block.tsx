import { Link } from '@tanstack/react-router';
import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { BlockProps } from '#web/ui/calendar/day-columns.tsx';
import { cn } from '#web/ui/class-names.ts';
import { sportStyle } from '#web/ui/sport-dot.tsx';
import { describeDrag, describeSlot, type SlotState, stateOf } from '../slot-labels.ts';
import { formatClockTimes } from './slot-blocks.ts';

const looks: Record<SlotState, string> = {
  full: 'border-sport-solid bg-sport-solid text-sport-solid-foreground hover:brightness-95',
  partly: 'border-sport/45 border-l-sport bg-sport-soft hover:border-sport',
  empty: 'border-sport bg-card hover:bg-sport-soft',
  cancelled: 'border-dashed border-input/70 bg-background text-muted-foreground hover:bg-muted',
  completed: 'border-border border-l-sport/60 bg-muted text-muted-foreground hover:border-sport/60',
  over: 'border-border border-l-sport/60 bg-muted text-muted-foreground hover:border-sport/60',
};

const lineHeight = 17;

type SlotBlockProps = {
  slot: CoachSlot;
  /** The current time, in ms since 1970; lessons that have ended look faded. */
  now: number;
  /** The block's height in pixels, which decides how many lines of text fit. */
  height: number;
  stop: BlockProps;
};

/**
 * A lesson in the calendar, linked to its page. The lesson's sport sets the hue (domain/sport-hues.ts). Full lessons
 * are solid, partly booked ones tinted, lessons without bookings outlined, cancelled lessons dashed and struck
 * through, and lessons that have ended faded, with a tick once completed. Parts that don't fit are omitted: the
 * location and the end time in a narrow or short block, the customer's name in a short one. The title, the start time
 * and the count are always shown. The tooltip shows everything.
 */
export function SlotBlock({ slot, now, height, stop }: SlotBlockProps) {
  const state = stateOf(slot, now);
  const [start, end] = formatClockTimes(slot).split('–');
  const isLine = height < 2 * lineHeight + 2;
  const lines = Math.max(1, Math.floor((height - 6) / lineHeight) - 1);
  // One line is kept for the customer's name.
  const titleLines = slot.customerName ? Math.max(1, lines - 1) : lines;
  const Icon = state === 'cancelled' ? Ban : state === 'completed' ? Check : null;
  const title = (
    <span
      style={titleLines === 1 ? undefined : { WebkitLineClamp: titleLines }}
      className={cn(
        'min-w-0 font-semibold',
        titleLines === 1 ? 'truncate' : 'line-clamp-1 break-words',
        isLine && 'grow',
        state === 'cancelled' && 'line-through',
      )}
    >
      {Icon && <Icon aria-hidden className="mr-1 inline size-3 align-[-0.0625rem]" />}
      {slot.title}
    </span>
  );
  const count = (
    <span className="ml-auto shrink-0">
      {slot.bookedCount}/{slot.maxCapacity}
      <span className="hidden @min-[18rem]:inline"> {state === 'full' ? 'booked, full' : 'booked'}</span>
    </span>
  );
  const drag = describeDrag(slot, now);
  return (
    <Link
      to="/coach/lesson/$slotId"
      params={{ slotId: slot.slotId }}
      draggable={false}
      aria-label={describeSlot(slot, now)}
      title={[describeSlot(slot, now), drag].filter(Boolean).join('\n')}
      {...stop}
      style={sportStyle(slot.sport)}
      className={cn(
        '@container flex h-full scroll-my-16 flex-col overflow-hidden border border-l-[3px] px-1.5 text-xs leading-[1.0625rem] shadow-[0_0_0_1px_var(--background)] transition-colors select-none [-webkit-touch-callout:none] hover:z-20',
        'focus-visible:outline-offset-0 data-carried:opacity-40',
        'data-movable' in stop && 'cursor-grab data-carried:cursor-grabbing',
        height < 24 ? 'rounded-sm' : 'rounded-md',
        height < 40 ? 'justify-center' : 'py-0.5',
        looks[state],
      )}
    >
      {isLine ? (
        <span className="flex items-center gap-1.5">
          <span className="shrink-0 tabular-nums">{start}</span>
          {title}
          <span className="flex shrink-0 tabular-nums">{count}</span>
        </span>
      ) : (
        <>
          {title}
          {slot.customerName && lines > 1 && <span className="truncate">{slot.customerName}</span>}
          <span className="flex min-w-0 gap-x-1.5 tabular-nums">
            <span className="shrink-0">
              {start}
              <span className="hidden @min-[7.5rem]:inline">–{end}</span>
            </span>
            {slot.location && (
              <span className="hidden min-w-0 truncate @min-[18rem]:inline">· {slot.location.name}</span>
            )}
            {count}
          </span>
        </>
      )}
    </Link>
  );
}
