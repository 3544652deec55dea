import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Booking, bookingsApi } from '#domain/bookings/contract.ts';
import { callApi, keyOf, useApi } from '#web/app/api.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useFailureToast } from '#web/ui/failure-toast.ts';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { BookingRow } from './booking-row.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { NextLesson } from './next-lesson.tsx';

/** A customer's bookings, newest first, a page at a time: the next lesson on top, past ones folded below. */
export function MyBookingsScreen() {
  const found = useInfiniteQuery({
    queryKey: keyOf(bookingsApi.listMine),
    queryFn: ({ pageParam, signal }) => callApi(bookingsApi.listMine, { cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // A booking that waits for a bank, or a refund on its way, becomes something else on its own.
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.bookings.some(isMoving)) ? 3_000 : false,
  });
  const stats = useApi(bookingsApi.getMyStats, {});
  useFailureToast(found.isError, 'Failed to load your bookings');
  const [cancelling, setCancelling] = useState<Booking | null>(null);
  const bookings = found.data?.pages.flatMap((page) => page.bookings) ?? [];
  const isReady = found.isSuccess && !stats.isPending;
  const next = stats.data?.next;
  const rest = bookings.filter(({ bookingId }) => bookingId !== next?.bookingId);
  const now = Date.now();
  const ahead = rest.filter(({ endTime }) => Date.parse(endTime) > now);
  const past = rest.filter(({ endTime }) => Date.parse(endTime) <= now);
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <h1>My bookings</h1>
        {/* On a phone it is a tab at the foot. */}
        <Button asChild variant="secondary" className="max-md:hidden">
          <Link to="/customer/coaches">My Coaches</Link>
        </Button>
      </div>
      {!isReady && !found.isError && (
        <div className="mt-6">
          <SkeletonRows count={5} label="Loading your bookings..." />
        </div>
      )}
      {found.isError && bookings.length === 0 && (
        <ErrorState
          title="Failed to load your bookings"
          message={found.error.message}
          onRetry={() => void found.refetch()}
          isRetrying={found.isFetching}
        />
      )}
      {isReady && bookings.length === 0 && (
        <EmptyState
          title="No bookings yet"
          action={
            <Button asChild>
              <Link to="/customer/discover">Find a lesson</Link>
            </Button>
          }
        >
          Book your first lesson and it will stand here with its time and place.
        </EmptyState>
      )}
      {isReady && bookings.length > 0 && (
        <>
          {next && <NextLesson booking={next} onCancel={() => setCancelling(next)} />}
          <BookingRows bookings={ahead} isPast={false} onCancel={setCancelling} />
          {past.length > 0 && (
            <details className="mt-6 border-t pt-2" open={!next && ahead.length === 0}>
              <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
                <span
                  aria-hidden
                  className="text-muted-foreground transition-transform [details[open]_&]:rotate-90"
                >
                  ›
                </span>
                Past lessons{' '}
                <span className="text-sm font-normal text-muted-foreground tabular-nums">
                  {past.length}
                  {found.hasNextPage && '+'}
                </span>
              </summary>
              <BookingRows bookings={past} isPast onCancel={setCancelling} />
            </details>
          )}
          {found.hasNextPage && (
            <div className="flex justify-center py-8">
              <Button
                variant="secondary"
                onClick={() => void found.fetchNextPage()}
                isLoading={found.isFetchingNextPage}
                loadingText="Loading more..."
              >
                Show more bookings
              </Button>
            </div>
          )}
        </>
      )}
      {cancelling && <CancelDialog booking={cancelling} onClose={() => setCancelling(null)} />}
    </>
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
