import { Link } from '@tanstack/react-router';
import type { OpenSlot } from '#domain/catalogue/contract.ts';
import { type Sport, sports } from '#domain/catalogue/sports.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { isFull, PlaceLine, SpotsLeft } from './slot-facts.tsx';

/** One lesson of the list: the card opens its details, the button books it. */
export function SlotCard({ slot }: { slot: OpenSlot }) {
  const day = formatDay(slot.startTime, Date.now());
  const time = `${formatTime(slot.startTime)}–${formatTime(slot.endTime)}`;
  return (
    <li className="relative grid grid-cols-[1fr_auto] gap-x-4 gap-y-3 border-t py-4 first:border-t-0 hover:bg-muted/50 md:grid-cols-[8.5rem_1fr_auto_9rem] md:items-center md:px-3">
      <p className="tabular-nums">
        <span className="block text-lg leading-tight font-semibold">{time}</span>
        <span className="text-xs text-muted-foreground">{day}</span>
      </p>
      <div className="col-span-2 row-start-2 min-w-0 md:col-span-1 md:row-start-1">
        <h3 className="text-base leading-snug">
          <Link
            to="/customer/discover"
            search={(known) => ({ ...known, lesson: slot.slotId })}
            resetScroll={false}
            className="before:absolute before:inset-0 hover:underline"
          >
            {slot.title}
          </Link>
        </h3>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted-foreground">
          <span className="inline-flex items-center gap-1.5">
            <Avatar name={slot.coachName} size="sm" />
            {slot.coachName}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <SportDot sport={slot.sport} />
            {sports[slot.sport as Sport]}
          </span>
          <PlaceLine slot={slot} />
        </p>
      </div>
      <div className="row-start-1 text-right md:col-start-3">
        <Money cents={slot.priceCents} className="block text-lg leading-tight font-semibold" />
      </div>
      <div className="col-span-2 flex items-center justify-between gap-3 md:col-span-1 md:flex-col md:items-end md:justify-center md:gap-2">
        <SpotsLeft slot={slot} />
        {isFull(slot) ? (
          <Button variant="secondary" size="sm" disabled className="relative">
            Fully Booked
          </Button>
        ) : (
          <Button asChild size="sm" className="relative">
            <Link
              to="/customer/discover"
              search={(known) => ({ ...known, book: slot.slotId })}
              resetScroll={false}
              aria-label={`Book Lesson: ${slot.title}, ${day}, ${time}`}
            >
              Book Lesson
            </Link>
          </Button>
        )}
      </div>
    </li>
  );
}
