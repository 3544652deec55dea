import { Link } from '@tanstack/react-router';
import type { Booking } from '#domain/bookings/contract.ts';
import { formatDay, formatLessonTime, formatTimes } from '#domain/time.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { LessonRow } from '#web/ui/lesson/lesson-row.tsx';
import { Money } from '#web/ui/money.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { AddToCalendar, isInCalendar } from '../add-to-calendar.tsx';
import {
  describeChange,
  describeRefundState,
  describeWho,
  isCancellable,
  isReviewable,
} from '../booking-text.ts';
import { CoachLink } from '../coach-link.tsx';
import { BookingStatusLabel } from './booking-status.tsx';

type BookingRowProps = { booking: Booking; onCancel: () => void };

/** One booking in the list: date first, then the lesson, then the price and any actions. */
export function BookingRow({ booking, onCancel }: BookingRowProps) {
  const { isCustomer } = useAuth();
  const { bookingId, title, startTime, endTime, status } = booking;
  const now = Date.now();
  const change = describeChange(booking, now);
  const refund = describeRefundState(booking);
  const isGone = status === 'cancelled' || status === 'refunded';
  const canCancel = isCancellable(booking, now);
  const who = describeWho(booking);
  const isDated = isInCalendar(booking, now);
  // Without the customer role there is no "Finish Booking": the payment settles or expires within minutes.
  const isUnfinished = status === 'pending' && isCustomer;
  return (
    <LessonRow
      className={cn('py-5', '@2xl:grid-cols-[8rem_1fr_8rem_10rem]')}
      when={
        <span className={cn(isGone && 'text-muted-foreground')}>
          <span className="block font-semibold">{formatDay(startTime, now)}</span>
          <span className="text-sm">{formatTimes(startTime, endTime)}</span>
        </span>
      }
      price={
        <>
          <Money cents={booking.amountCents} className="font-semibold" />
          <BookingStatusLabel status={status} />
        </>
      }
      actionsClass="flex flex-wrap gap-2 @2xl:flex-col @2xl:items-stretch"
      actions={
        (canCancel || isDated || isUnfinished || isReviewable(booking, now)) && (
          <>
            {isDated && <AddToCalendar source={{ bookingId }} lesson={booking} />}
            {canCancel && (
              <Button
                variant="ghost"
                size="sm"
                onClick={onCancel}
                aria-label={`Cancel Booking: ${title}, ${formatLessonTime(startTime, endTime, now)}`}
              >
                Cancel Booking
              </Button>
            )}
            {isReviewable(booking, now) && (
              <Button asChild variant="secondary" size="sm">
                <Link
                  to="/customer/reviews/$bookingId"
                  params={{ bookingId }}
                  aria-label={`Review ${booking.coachName}: ${title}, ${formatDay(startTime, now)}`}
                >
                  Review
                </Link>
              </Button>
            )}
            {isUnfinished && (
              <Button asChild size="sm">
                <Link to="/customer/discover" search={{ book: booking.slotId }}>
                  Finish Booking
                </Link>
              </Button>
            )}
          </>
        )
      }
    >
      <h2 className="text-base leading-snug">
        <Link
          to="/customer/bookings/$bookingId"
          params={{ bookingId }}
          className={cn(
            'inline-flex items-center hover:underline touch:min-h-11',
            isGone && 'text-muted-foreground line-through',
          )}
        >
          {title}
        </Link>
      </h2>
      <p className="flex items-baseline gap-2 text-sm text-muted-foreground @2xl:mt-1">
        <SportDot sport={booking.sport} />
        <span>
          <CoachLink coach={booking} />
          {booking.location && ` · ${booking.location.name}, ${booking.location.city}`}
        </span>
      </p>
      {who && <p className="mt-1 text-sm font-medium">{who}</p>}
      {change && <p className="mt-1 text-sm font-medium">{change}</p>}
      {refund && <p className="mt-1 text-sm text-muted-foreground">{refund}</p>}
    </LessonRow>
  );
}
