import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { type Booking, bookingsApi } from '#domain/bookings/contract.ts';
import { callApi, keyOf } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { useAddressParam } from '#web/app/layout/dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { useFailureToast } from '#web/ui/overlay/failure-toast.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { ErrorState } from '#web/ui/page/error-state.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { BookingRow } from './booking-row.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { NextLesson } from './next-lesson.tsx';

/** One view of the bookings, a page at a time. */
function useBookings(view: 'upcoming' | 'past') {
  const found = useInfiniteQuery({
    queryKey: keyOf(bookingsApi.listMine, { view }),
    queryFn: ({ pageParam, signal }) => callApi(bookingsApi.listMine, { view, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // A booking that waits for a bank, or a pending refund, changes by itself.
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.bookings.some(isMoving)) ? 3_000 : false,
  });
  return { ...found, bookings: found.data?.pages.flatMap((page) => page.bookings) ?? [] };
}

/**
 * A customer's bookings by lesson time: the next one first, then the other upcoming ones, past ones collapsed below.
 */
export function MyBookingsScreen() {
  const { isCustomer } = useAuth();
  const upcoming = useBookings('upcoming');
  const past = useBookings('past');
  const failed = [upcoming, past].find(({ isError, data }) => isError && !data);
  useFailureToast(upcoming.isError || past.isError, 'Failed to load your bookings');
  const [cancelId, setCancelId] = useAddressParam('cancel');
  const closeDialog = useCallback(() => setCancelId(null), [setCancelId]);
  const askToCancel = ({ bookingId }: Booking) => setCancelId(bookingId);
  const toCancel = [...upcoming.bookings, ...past.bookings].find(({ bookingId }) => bookingId === cancelId);
  const isReady = Boolean(upcoming.data && past.data);
  // An address that was kept may name a booking that is on no page yet; it must not ask once that page is shown.
  const isUnknown = isReady && cancelId !== null && !toCancel;
  useEffect(() => {
    if (isUnknown) closeDialog();
  }, [isUnknown, closeDialog]);
  const next = upcoming.bookings.find(({ status }) => status === 'booked');
  const ahead = upcoming.bookings.filter((booking) => booking !== next);
  const isEmpty = upcoming.bookings.length === 0 && past.bookings.length === 0;
  const retry = () => {
    for (const view of [upcoming, past]) if (view.isError) void view.refetch();
  };
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <h1>My bookings</h1>
        {/* On a phone it is a tab at the foot. */}
        {isCustomer && (
          <Button asChild variant="secondary" className="max-md:hidden">
            <Link to="/customer/coaches">My Coaches</Link>
          </Button>
        )}
      </div>
      {!isReady && !failed && (
        <div className="mt-6">
          <SkeletonRows count={5} label="Loading your bookings..." />
        </div>
      )}
      {failed && (
        <ErrorState
          title="Failed to load your bookings"
          message={failed.error?.message}
          onRetry={retry}
          isRetrying={upcoming.isFetching || past.isFetching}
        />
      )}
      {isReady && isEmpty && (
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
      )}
      {isReady && !isEmpty && (
        <>
          {next && <NextLesson booking={next} onCancel={() => askToCancel(next)} />}
          <BookingRows bookings={ahead} isPast={false} onCancel={askToCancel} />
          <MoreButton of={upcoming}>Show more upcoming bookings</MoreButton>
          {past.bookings.length > 0 && (
            <details className="mt-6 border-t pt-2" open={upcoming.bookings.length === 0}>
              <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
                <span
                  aria-hidden
                  className="text-muted-foreground transition-transform [details[open]_&]:rotate-90"
                >
                  ›
                </span>
                Past lessons{' '}
                <span className="text-sm font-normal text-muted-foreground tabular-nums">
                  {past.bookings.length}
                  {past.hasNextPage && '+'}
                </span>
              </summary>
              <BookingRows bookings={past.bookings} isPast onCancel={askToCancel} />
              <MoreButton of={past}>Show more past bookings</MoreButton>
            </details>
          )}
        </>
      )}
      {toCancel && <CancelDialog key={toCancel.bookingId} booking={toCancel} onClose={closeDialog} />}
    </>
  );
}

function MoreButton({ of, children }: { of: ReturnType<typeof useBookings>; children: string }) {
  if (!of.hasNextPage) return null;
  return (
    <div className="flex justify-center py-8">
      <Button
        variant="secondary"
        onClick={() => void of.fetchNextPage()}
        isLoading={of.isFetchingNextPage}
        loadingText="Loading more..."
      >
        {children}
      </Button>
    </div>
  );
}

const isMoving = (booking: Booking) => booking.status === 'pending' || booking.refund?.status === 'pending';

type BookingRowsProps = { bookings: Booking[]; isPast: boolean; onCancel: (booking: Booking) => void };

function BookingRows({ bookings, isPast, onCancel }: BookingRowsProps) {
  if (bookings.length === 0) return null;
  return (
    <ul className="mt-2 divide-y">
      {bookings.map((booking) => (
        <BookingRow
          key={booking.bookingId}
          booking={booking}
          isPast={isPast}
          onCancel={() => onCancel(booking)}
        />
      ))}
    </ul>
  );
}
