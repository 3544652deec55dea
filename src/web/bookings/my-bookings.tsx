import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Booking, bookingsApi } from '#domain/bookings/contract.ts';
import { refuseCancel } from '#domain/bookings/rules.ts';
import { formatLessonTime } from '#domain/time.ts';
import { callApi, keyOf } from '#web/app/api.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useFailureToast } from '#web/ui/failure-toast.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { BookingStatusLabel } from './booking-status.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { NextLesson } from './next-lesson.tsx';
import { describeRefundState } from './policy-words.ts';

/** A customer's bookings, newest first: the next lesson on top, then all of them, a page at a time. */
export function MyBookingsScreen() {
  const found = useInfiniteQuery({
    queryKey: keyOf(bookingsApi.listMine),
    queryFn: ({ pageParam, signal }) => callApi(bookingsApi.listMine, { cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // A booking that waits for a bank, or a refund on its way, becomes something else on its own.
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.bookings.some(isMoving)) ? 4_000 : false,
  });
  useFailureToast(found.isError, 'Failed to load your bookings');
  const [cancelling, setCancelling] = useState<Booking | null>(null);
  const bookings = found.data?.pages.flatMap((page) => page.bookings) ?? [];
  return (
    <>
      <h1>My bookings</h1>
      {found.isPending && (
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
      {found.isSuccess && bookings.length === 0 && (
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
      {bookings.length > 0 && (
        <>
          <NextLesson bookings={bookings} />
          <ul className="mt-6 divide-y">
            {bookings.map((booking) => (
              <BookingRow key={booking.bookingId} booking={booking} onCancel={() => setCancelling(booking)} />
            ))}
          </ul>
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

function BookingRow({ booking, onCancel }: { booking: Booking; onCancel: () => void }) {
  const isCancellable = refuseCancel(booking, Date.now()) === null;
  const refund = describeRefundState(booking);
  const isGone = booking.status === 'cancelled' || booking.status === 'refunded';
  return (
    <li className="grid gap-x-6 gap-y-3 py-5 md:grid-cols-[1fr_11rem_auto] md:items-center">
      <div className="min-w-0">
        <h2 className="text-base leading-snug">
          <Link
            to="/customer/bookings/$bookingId"
            params={{ bookingId: booking.bookingId }}
            className={`hover:underline ${isGone ? 'text-muted-foreground line-through' : ''}`}
          >
            {booking.title}
          </Link>
        </h2>
        <p className="mt-1 text-sm tabular-nums">
          {formatLessonTime(booking.startTime, booking.endTime, Date.now())}
        </p>
        <p className="mt-1 flex items-center gap-1.5 text-sm text-muted-foreground">
          <SportDot sport={booking.sport} />
          {booking.coachName}
          {booking.location && ` · ${booking.location.name}, ${booking.location.city}`}
        </p>
        {refund && <p className="mt-1 text-sm text-muted-foreground">{refund}</p>}
      </div>
      <div className="flex items-center justify-between gap-4 md:flex-col md:items-end md:gap-1">
        <Money cents={booking.amountCents} className="font-semibold" />
        <BookingStatusLabel status={booking.status} />
      </div>
      <div className="md:w-36 md:text-right">
        {isCancellable && (
          <Button
            variant="secondary"
            size="sm"
            onClick={onCancel}
            aria-label={`Cancel Booking: ${booking.title}, ${formatLessonTime(booking.startTime, booking.endTime, Date.now())}`}
          >
            Cancel Booking
          </Button>
        )}
      </div>
    </li>
  );
}
