import { Link } from '@tanstack/react-router';
import type { Booking } from '#domain/bookings/contract.ts';
import { refuseCancel } from '#domain/bookings/rules.ts';
import { formatDay, formatLessonTime, formatTimes } from '#domain/time.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { Money } from '#web/ui/money.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { describeChange, describeRefundState } from '../booking-text.ts';
import { CoachLink } from '../coach-link.tsx';
import { AddToCalendar, isInCalendar } from './add-to-calendar.tsx';
import { BookingStatusLabel } from './booking-status.tsx';

type BookingRowProps = { booking: Booking; isPast: boolean; onCancel: () => void };

/** One booking of the list: date first, then the lesson, then the money and, for upcoming lessons, the actions. */
export function BookingRow({ booking, isPast, onCancel }: BookingRowProps) {
  const { isCustomer } = useAuth();
  const { bookingId, title, startTime, endTime, status } = booking;
  const now = Date.now();
  const change = describeChange(booking, now);
  const refund = describeRefundState(booking);
  const isGone = status === 'cancelled' || status === 'refunded';
  const isCancellable = refuseCancel(booking, now) === null;
  const isDated = isInCalendar(booking, now);
  // Without the role, a payment settles or ends by itself within minutes.
  const isUnfinished = status === 'pending' && isCustomer;
  return (
    <li
      className={cn(
        'grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 py-5 md:items-center lg:gap-x-6',
        isPast ? 'md:grid-cols-[8rem_1fr_8rem]' : 'md:grid-cols-[8rem_1fr_8rem_10rem]',
      )}
    >
      <p className={cn('tabular-nums', isGone && 'text-muted-foreground')}>
        <span className="block font-semibold">{formatDay(startTime, now)}</span>
        <span className="text-sm">{formatTimes(startTime, endTime)}</span>
      </p>
      <div className="col-span-2 row-start-2 min-w-0 md:col-span-1 md:col-start-2 md:row-start-1">
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
        <p className="flex items-baseline gap-2 text-sm text-muted-foreground md:mt-1">
          <SportDot sport={booking.sport} />
          <span>
            <CoachLink coach={booking} />
            {booking.location && ` · ${booking.location.name}, ${booking.location.city}`}
          </span>
        </p>
        {change && <p className="mt-1 text-sm font-medium">{change}</p>}
        {refund && <p className="mt-1 text-sm text-muted-foreground">{refund}</p>}
      </div>
      <p className="col-start-2 row-start-1 flex flex-col items-end gap-0.5 md:col-start-3">
        <Money cents={booking.amountCents} className="font-semibold" />
        <BookingStatusLabel status={status} />
      </p>
      {(isCancellable || isDated || isUnfinished) && (
        <div className="col-span-2 flex flex-wrap gap-2 md:col-span-1 md:col-start-4 md:row-start-1 md:flex-col md:items-end">
          {isDated && <AddToCalendar lesson={booking} variant="ghost" />}
          {isCancellable && (
            <Button
              variant="secondary"
              size="sm"
              onClick={onCancel}
              aria-label={`Cancel Booking: ${title}, ${formatLessonTime(startTime, endTime, now)}`}
            >
              Cancel Booking
            </Button>
          )}
          {isUnfinished && (
            <Button asChild size="sm">
              <Link to="/customer/discover" search={{ book: booking.slotId }}>
                Finish Booking
              </Link>
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
