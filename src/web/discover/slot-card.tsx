import { Link } from '@tanstack/react-router';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import type { OpenSlot } from '#domain/catalogue/contract.ts';
import { sports } from '#domain/sports.ts';
import { formatDay, formatTimes } from '#domain/time.ts';
import { CoachLink } from '#web/bookings/coach-link.tsx';
import { bookingObstacle, isFull, LocationLine, SeatsLeft } from '#web/bookings/slot-facts.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';

type SlotCardProps = {
  slot: OpenSlot;
  /** The list is not grouped by day. */
  hasDay: boolean;
  /** The customer's own seat in this lesson. */
  held: HeldSlot | undefined;
};

/**
 * One lesson of the list: the card opens its details, the button books it, or leads to the customer's booking of it.
 */
export function SlotCard({ slot, hasDay, held }: SlotCardProps) {
  const obstacle = bookingObstacle(slot);
  const bookingId = held?.status === 'booked' ? held.bookingId : null;
  const day = formatDay(slot.startTime, Date.now());
  const time = formatTimes(slot.startTime, slot.endTime);
  return (
    <li
      data-slot={slot.slotId}
      className="relative grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 border-t py-4 first:border-t-0 hover:bg-muted/60 max-md:-mx-4 max-md:px-4 md:-mx-3 md:grid-cols-[minmax(7.5rem,max-content)_1fr_5.5rem_8rem] md:items-center md:gap-x-6 md:px-3"
    >
      <p className="tabular-nums">
        <span className="block text-lg leading-tight font-semibold whitespace-nowrap">{time}</span>
        {hasDay && <span className="text-sm text-muted-foreground">{day}</span>}
      </p>
      <div className="col-span-2 row-start-2 min-w-0 md:col-span-1 md:col-start-2 md:row-start-1">
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
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm text-muted-foreground">
          <span className="inline-flex items-center gap-2">
            <Avatar name={slot.coachName} size="sm" />
            <CoachLink coach={slot} className="relative touch:py-2" />
          </span>
          <span className="inline-flex items-center gap-2">
            <SportDot sport={slot.sport} />
            {sports[slot.sport]}
          </span>
          <LocationLine slot={slot} />
        </p>
      </div>
      <Money
        cents={slot.priceCents}
        className="col-start-2 row-start-1 text-right text-lg leading-tight font-semibold md:col-start-3"
      />
      <div className="col-span-2 mt-1 flex items-center justify-between gap-3 md:col-span-1 md:col-start-4 md:row-start-1 md:mt-0 md:flex-col md:items-stretch md:gap-2 md:text-center">
        {bookingId ? (
          <Badge tone="primary" className="md:self-center">
            Booked
          </Badge>
        ) : (
          (!obstacle || isFull(slot)) && <SeatsLeft slot={slot} className="md:self-center" />
        )}
        {bookingId ? (
          <Button asChild variant="secondary" size="sm" className="relative">
            <Link
              to="/customer/bookings/$bookingId"
              params={{ bookingId }}
              aria-label={`View booking: ${slot.title}, ${day}, ${time}`}
            >
              View booking
            </Link>
          </Button>
        ) : obstacle ? (
          <Button variant="secondary" size="sm" disabled className="relative">
            {obstacle}
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
