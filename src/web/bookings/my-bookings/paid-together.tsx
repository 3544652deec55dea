import { Link } from '@tanstack/react-router';
import type { PaidBooking } from '#domain/bookings/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { Money } from '#web/ui/money.tsx';

type PaidTogetherProps = { bookings: PaidBooking[]; ownBookingId: string };

/** The checkout that paid for a booking: all of its places, the refunds and the remaining amount. */
export function PaidTogether({ bookings, ownBookingId }: PaidTogetherProps) {
  const paidCents = bookings.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const refundedCents = bookings.reduce((sum, { refundCents }) => sum + refundCents, 0);
  const now = Date.now();
  return (
    <section aria-labelledby="paid-together" className="mt-6 border-t pt-6">
      <h2 id="paid-together" className="text-base">
        Paid together
      </h2>
      <ul className="mt-2 divide-y text-sm">
        {bookings.map((booking) => (
          <li key={booking.bookingId} className="flex items-start justify-between gap-4 py-2.5">
            <span>
              <span className="block font-medium">
                {booking.bookingId === ownBookingId ? (
                  booking.title
                ) : (
                  <Link
                    to="/customer/bookings/$bookingId"
                    params={{ bookingId: booking.bookingId }}
                    className="text-primary underline underline-offset-4"
                  >
                    {booking.title}
                  </Link>
                )}
              </span>
              <span className="block text-muted-foreground tabular-nums">
                {booking.participantName}, {formatLessonTime(booking.startTime, booking.endTime, now)}
              </span>
            </span>
            <span className="shrink-0 text-right">
              <Money cents={booking.amountCents} />
              {booking.refundCents > 0 && (
                <span className="block text-muted-foreground">
                  Refunded <Money cents={booking.refundCents} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-y-1 border-t pt-3 text-sm">
        <dt>One payment of</dt>
        <dd className="text-right">
          <Money cents={paidCents} />
        </dd>
        {refundedCents > 0 && (
          <>
            <dt>Left after refunds</dt>
            <dd className="text-right font-medium">
              <Money cents={paidCents - refundedCents} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
