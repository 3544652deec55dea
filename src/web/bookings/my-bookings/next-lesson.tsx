import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Booking } from '#domain/bookings/contract.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatLessonTime } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { CornerArc } from '#web/ui/page/pitch-lines.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { describeChange, describeWho, isCancellable } from '../booking-text.ts';
import { CoachLink } from '../coach-link.tsx';
import { BookingStatusLabel } from './booking-status.tsx';

/** Formats the time until a lesson: "in 3 days", "in 5 hours", "in 20 minutes". */
function describeWait(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const unit = (count: number, unitName: string) => `in ${count} ${unitName}${count === 1 ? '' : 's'}`;
  if (minutes < 90) return unit(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 36 ? unit(hours, 'hour') : unit(Math.round(hours / 24), 'day');
}

/** The current time in ms since 1970, updated every half minute. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The next lesson, large, with the time until it starts. Without `onCancel` there is no cancel button. */
export function NextLesson({ booking, onCancel }: { booking: Booking; onCancel?: () => void }) {
  const now = useNow();
  const wait = Date.parse(booking.startTime) - now;
  const change = describeChange(booking, now);
  const who = describeWho(booking);
  return (
    <NextLessonFrame>
      <p className="text-sm font-medium text-primary">
        {wait > 0 ? `Next lesson ${describeWait(wait)}` : 'Your lesson has started'}
      </p>
      <h2 className="mt-1.5 pr-12">
        <Link
          to="/customer/bookings/$bookingId"
          params={{ bookingId: booking.bookingId }}
          className="hover:underline"
        >
          {booking.title}
        </Link>
      </h2>
      <p className="mt-1.5 text-lg font-medium tabular-nums">
        {formatLessonTime(booking.startTime, booking.endTime, now)}{' '}
        <span className="text-sm font-normal text-muted-foreground">London time</span>
      </p>
      {who && <p className="mt-1 font-medium">{who}</p>}
      {change && (
        <p className="mt-1 text-sm font-medium text-warning tabular-nums">
          {change}
          {booking.amountCents > 0 &&
            booking.payerName === null &&
            wait > 0 &&
            ' You can cancel for a full refund until the lesson starts.'}
        </p>
      )}
      <p className="mt-1 text-sm text-muted-foreground">
        with <CoachLink coach={booking} /> · {formatLocation(booking.location)}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        <BookingStatusLabel status={booking.status} />
        <Money cents={booking.amountCents} className="font-semibold" />
        <div className="flex flex-wrap gap-2 max-md:w-full md:ml-auto">
          <AddToCalendar source={{ bookingId: booking.bookingId }} lesson={booking} />
          {onCancel && isCancellable(booking, now) && (
            <Button
              variant="ghost"
              size="sm"
              onClick={onCancel}
              aria-label={`Cancel Booking: ${booking.title}, ${formatLessonTime(booking.startTime, booking.endTime, now)}`}
            >
              Cancel Booking
            </Button>
          )}
        </div>
      </div>
    </NextLessonFrame>
  );
}

/** The card for the next lesson. It has the same height while loading and when there is no lesson. */
export function NextLessonFrame({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="Next lesson"
      className="relative mt-6 min-h-65.5 overflow-hidden rounded-lg border bg-card p-4 md:min-h-52 md:p-6"
    >
      <CornerArc className="absolute -top-2 -right-2 rotate-90 max-md:size-24" />
      <div className="relative">{children}</div>
    </section>
  );
}

/** Placeholder for the next lesson while it is loading. */
export function NextLessonSkeleton() {
  return (
    <NextLessonFrame>
      <Loading label="Loading your next lesson..." className="space-y-4">
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-7 w-3/5" />
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="w-1/2" />
      </Loading>
    </NextLessonFrame>
  );
}
