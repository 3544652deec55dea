import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import { describeAges } from '#domain/catalogue/age-text.ts';
import type { Filters } from '#domain/discover/filters.ts';
import type { ListedRating } from '#domain/reviews/review.ts';
import { formatDay, formatTimes } from '#domain/time.ts';
import { CoachLink } from '#web/bookings/coach-link.tsx';
import { bookingObstacle, isFull, LocationLine } from '#web/bookings/slot-facts.tsx';
import type { ListedSlot } from '#web/catalogue/open-slots.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { LessonRow } from '#web/ui/lesson/lesson-row.tsx';
import { SeatsLeft } from '#web/ui/lesson/seats-left.tsx';
import { Money } from '#web/ui/money.tsx';
import { RatingLine } from '#web/ui/rating/rating-line.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';

// Loaded only when shown, because moved-note.tsx imports the validation library.
const MovedNote = lazyPart(() => import('./moved-note.tsx'), 'MovedNote');

type SlotCardProps = {
  slot: ListedSlot;
  filters: Filters;
  /** Whether the card shows the day: true unless its section's heading is the lesson's day. */
  hasDay: boolean;
  /** The seats of the customer and their dependants in this lesson. */
  held: HeldSlot[];
  /** The coach's rating, if there are reviews. */
  rating?: ListedRating | undefined;
};

/**
 * One lesson in the list. The card opens the lesson's details; the button books the lesson or opens its booking.
 */
export function SlotCard({ slot, filters, hasDay, held, rating }: SlotCardProps) {
  const obstacle = bookingObstacle(slot);
  const bookingId = held.find(({ status }) => status === 'booked')?.bookingId;
  const ages = describeAges(slot);
  const day = formatDay(slot.startTime, Date.now());
  const time = formatTimes(slot.startTime, slot.endTime);
  return (
    <LessonRow
      data-slot={slot.slotId}
      className="relative border-t py-4 first:border-t-0 hover:bg-muted/60 max-md:-mx-4 max-md:px-4 md:-mx-3 md:px-3 @2xl:grid-cols-[minmax(7.5rem,max-content)_1fr_5.5rem_8rem]"
      when={
        <>
          <span className="block text-lg leading-tight font-semibold whitespace-nowrap">{time}</span>
          {hasDay && <span className="text-sm text-muted-foreground">{day}</span>}
        </>
      }
      price={<Money cents={slot.priceCents} className="text-lg leading-tight font-semibold" />}
      actionsClass="mt-1 flex items-center justify-between gap-3 @2xl:mt-0 @2xl:flex-col @2xl:items-stretch @2xl:gap-2 @2xl:text-center"
      actions={
        <>
          {bookingId ? (
            <Badge tone="primary" className="@2xl:self-center">
              Booked
            </Badge>
          ) : (
            (!obstacle || isFull(slot)) && <SeatsLeft lesson={slot} className="@2xl:self-center" />
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
        </>
      }
    >
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
          <Avatar name={slot.coachName} src={slot.coachAvatarUrl} size="sm" />
          <CoachLink coach={slot} className="relative touch:py-2" />
        </span>
        {rating && <RatingLine rating={rating} className="relative touch:py-2" />}
        <SportName sport={slot.sport} />
        {ages && <span>Ages {ages}</span>}
        <LocationLine slot={slot} />
      </p>
      {slot.listed && (
        <Suspense>
          <MovedNote slot={slot} listed={slot.listed} filters={filters} />
        </Suspense>
      )}
    </LessonRow>
  );
}
