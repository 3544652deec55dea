import { Link, useParams } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import { useCallback } from 'react';
import type { Announcement } from '#domain/bookings/announcements-contract.ts';
import { describePolicy } from '#domain/bookings/cancellation-policy.ts';
import { type Booking, bookingsApi, type PaidBooking } from '#domain/bookings/contract.ts';
import { describeCard } from '#domain/card-labels.ts';
import { formatLocation } from '#domain/location-text.ts';
import { shortReference } from '#domain/reference.ts';
import { sports } from '#domain/sports.ts';
import { formatDay, formatLessonTime, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAddressParam } from '#web/app/layout/dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { AddToCalendar, isInCalendar } from '../add-to-calendar.tsx';
import { AnnouncementItem } from '../announcement-item.tsx';
import { describeChange, describeRefundState, isCancellable } from '../booking-text.ts';
import { CoachLink } from '../coach-link.tsx';
import { BookingStatusLabel } from './booking-status.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { PaidTogether } from './paid-together.tsx';

/** One booking with all its details, printable as a receipt. */
export default function ReceiptScreen() {
  const { bookingId = '' } = useParams({ strict: false }) as { bookingId?: string };
  const found = useApi(bookingsApi.getMine, { bookingId });
  return (
    <div className="max-w-xl">
      <BackLink to="/customer/my-bookings">My bookings</BackLink>
      <QueryView
        query={found}
        isPart
        failure="Failed to load your booking"
        skeleton={
          <Loading className="mt-6 space-y-4">
            <Skeleton className="h-8 w-3/5" />
            <Skeleton className="h-40 w-full" />
          </Loading>
        }
        missing={
          <EmptyState
            titleAs="h1"
            title="Booking not found"
            action={
              <Button asChild variant="secondary">
                <Link to="/customer/my-bookings">My bookings</Link>
              </Button>
            }
          >
            This booking doesn't exist or belongs to another account.
          </EmptyState>
        }
      >
        {({ booking, paidTogether, announcements }) => (
          <Receipt booking={booking} paidTogether={paidTogether} announcements={announcements} />
        )}
      </QueryView>
    </div>
  );
}

type ReceiptProps = { booking: Booking; paidTogether: PaidBooking[]; announcements: Announcement[] };

function Receipt({ booking, paidTogether, announcements }: ReceiptProps) {
  const [cancelled, setCancelled] = useAddressParam('cancel');
  const closeDialog = useCallback(() => setCancelled(null), [setCancelled]);
  const now = Date.now();
  const change = describeChange(booking, now);
  const refund = describeRefundState(booking);
  const isPaid = booking.status !== 'pending' && booking.status !== 'released';
  const { participant, payerName } = booking;
  const isPayer = payerName === null;
  const rows: [string, React.ReactNode][] = [
    ...(participant.isSelf ? [] : [['For', participant.name] as [string, string]]),
    ['When', `${formatLessonTime(booking.startTime, booking.endTime, now)} London\u00a0time`],
    ['Where', formatLocation(booking.location)],
    ['Sport', sports[booking.sport]],
    ['Coach', <CoachLink key="coach" coach={booking} />],
    ['Booked', `${formatDay(booking.createdAt, now)}, ${formatTime(booking.createdAt)}`],
    isPayer
      ? ['Paid with', !isPaid ? 'Not paid' : booking.card ? describeCard(booking.card) : 'Free lesson']
      : ['Booked by', payerName],
    // The same reference as in the emails about this booking and in the admin's payouts.
    ['Reference', shortReference(booking.bookingId)],
  ];
  return (
    <>
      <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1>{booking.title}</h1>
        <BookingStatusLabel status={booking.status} />
      </div>
      {change && <p className="mt-2 font-medium tabular-nums">{change}</p>}
      {booking.description && (
        <p className="mt-3 text-sm whitespace-pre-line text-muted-foreground">{booking.description}</p>
      )}
      {announcements.length > 0 && (
        <section aria-labelledby="announcements" className="mt-6 print:hidden">
          <h2 id="announcements" className="text-base">
            Announcements from {booking.coachName}
          </h2>
          <ul className="mt-1 divide-y">
            {announcements.map((announcement) => (
              <AnnouncementItem key={announcement.announcementId} announcement={announcement} />
            ))}
          </ul>
        </section>
      )}
      <dl className="mt-6 grid grid-cols-[6.5rem_1fr] gap-x-4 gap-y-3 border-t pt-6 text-sm tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 space-y-2 border-t pt-6">
        <p className="flex items-baseline justify-between">
          <span className="text-sm text-muted-foreground">Total, including all fees</span>
          <Money cents={booking.amountCents} className="text-2xl font-semibold" />
        </p>
        {refund && (
          <p className="flex items-baseline justify-between text-sm">
            <span className="text-muted-foreground">{refund}</span>
            {booking.refund && <Money cents={-booking.refund.amountCents} />}
          </p>
        )}
        {booking.status === 'booked' && booking.amountCents > 0 && Date.parse(booking.startTime) > now && (
          <p className="text-sm text-muted-foreground">
            {isPayer ? describePolicy(booking, now) : `Only ${payerName} can cancel this booking.`}
          </p>
        )}
      </div>
      {isPaid && paidTogether.length > 0 && (
        <PaidTogether bookings={paidTogether} ownBookingId={booking.bookingId} />
      )}
      <div className="mt-8 flex flex-wrap gap-2 print:hidden">
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden />
          Print receipt
        </Button>
        {isInCalendar(booking, now) && (
          <AddToCalendar source={{ bookingId: booking.bookingId }} lesson={booking} size="md" />
        )}
        {isCancellable(booking, now) && (
          <Button variant="ghost" onClick={() => setCancelled(booking.bookingId)}>
            Cancel Booking
          </Button>
        )}
      </div>
      {cancelled === booking.bookingId && <CancelDialog booking={booking} onClose={closeDialog} />}
    </>
  );
}
