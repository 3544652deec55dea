import { Link } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect } from 'react';
import { type Booking, bookingsApi } from '#domain/bookings/contract.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { useAddressParam } from '#web/app/layout/dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { MoreButton } from '#web/ui/page/paged-list.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { SubscribeButton } from '../calendar-feeds/subscribe-button.tsx';
import { useBasket } from '../checkout/basket.ts';
import { BookingRow } from './booking-row.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { NextLesson } from './next-lesson.tsx';

const BasketBar = lazyPart(() => import('../checkout/basket-bar.tsx'), 'BasketBar');

/** The customer's upcoming or past bookings, a page at a time. */
const useBookings = (view: 'upcoming' | 'past') =>
  usePages(bookingsApi.listMine, { view }, (page) => page.bookings, {
    // Pending payments and refunds change without any action by the customer.
    refetchInterval: (bookings) => (bookings.some(isMoving) ? 3_000 : false),
  });

/**
 * A customer's bookings by lesson time: the next lesson, then the other upcoming lessons. Past lessons are below,
 * collapsed if there are upcoming lessons.
 */
export default function MyBookingsScreen() {
  const { isCustomer } = useAuth();
  const basket = useBasket();
  const upcoming = useBookings('upcoming');
  const past = useBookings('past');
  const [cancelId, setCancelId] = useAddressParam('cancel');
  const closeDialog = useCallback(() => setCancelId(null), [setCancelId]);
  const askToCancel = ({ bookingId }: Booking) => setCancelId(bookingId);
  const toCancel = [...upcoming.items, ...past.items].find(({ bookingId }) => bookingId === cancelId);
  const both = {
    data: upcoming.data && past.data,
    error: upcoming.error ?? past.error,
    isFetching: upcoming.isFetching || past.isFetching,
    refetch: () => {
      for (const view of [upcoming, past]) if (view.isError) void view.refetch();
    },
  };
  // A bookmarked URL may name a booking that is not loaded. The dialog must not open later, when the booking loads.
  const isUnknown = both.data !== undefined && cancelId !== null && !toCancel;
  useEffect(() => {
    if (isUnknown) closeDialog();
  }, [isUnknown, closeDialog]);
  const next = upcoming.items.find(({ status }) => status === 'booked');
  const ahead = upcoming.items.filter((booking) => booking !== next);
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <h1>My bookings</h1>
        {/* On a phone, My Coaches is in the tab bar. */}
        <div className="flex gap-2">
          <SubscribeButton scope="customer" />
          <Button asChild variant="secondary">
            <Link to="/customer/reviews">My reviews</Link>
          </Button>
          {isCustomer && (
            <Button asChild variant="secondary" className="max-md:hidden">
              <Link to="/customer/coaches">My Coaches</Link>
            </Button>
          )}
        </div>
      </div>
      <QueryView
        query={both}
        failure="Failed to load your bookings"
        skeleton={
          <div className="mt-6">
            <SkeletonRows count={5} label="Loading your bookings..." />
          </div>
        }
        isEmpty={() => upcoming.items.length === 0 && past.items.length === 0}
        empty={
          <EmptyState
            title="No bookings yet"
            action={
              isCustomer && (
                <Button asChild>
                  <Link to="/customer/discover">Find a lesson</Link>
                </Button>
              )
            }
          >
            {isCustomer ? 'Your bookings will appear here.' : "You haven't booked any lessons."}
          </EmptyState>
        }
      >
        {() => (
          <>
            {next && <NextLesson booking={next} onCancel={() => askToCancel(next)} />}
            <BookingRows bookings={ahead} onCancel={askToCancel} />
            <MoreButton found={upcoming} label="Show more upcoming bookings" />
            {past.items.length > 0 && (
              <details className="mt-6 border-t pt-2" open={upcoming.items.length === 0}>
                <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
                  <span
                    aria-hidden
                    className="text-muted-foreground transition-transform [details[open]_&]:rotate-90"
                  >
                    ›
                  </span>
                  Past lessons{' '}
                  <span className="text-sm font-normal text-muted-foreground tabular-nums">
                    {past.items.length}
                    {past.hasNextPage && '+'}
                  </span>
                </summary>
                <BookingRows bookings={past.items} onCancel={askToCancel} />
                <MoreButton found={past} label="Show more past bookings" />
              </details>
            )}
          </>
        )}
      </QueryView>
      {basket.items.length > 0 && (
        <Suspense>
          <BasketBar />
        </Suspense>
      )}
      {toCancel && <CancelDialog key={toCancel.bookingId} booking={toCancel} onClose={closeDialog} />}
    </>
  );
}

const isMoving = (booking: Booking) => booking.status === 'pending' || booking.refund?.status === 'pending';

type BookingRowsProps = { bookings: Booking[]; onCancel: (booking: Booking) => void };

function BookingRows({ bookings, onCancel }: BookingRowsProps) {
  if (bookings.length === 0) return null;
  return (
    <ul className="@container mt-2 divide-y">
      {bookings.map((booking) => (
        <BookingRow key={booking.bookingId} booking={booking} onCancel={() => onCancel(booking)} />
      ))}
    </ul>
  );
}
