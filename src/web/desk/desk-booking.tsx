import { Link, useParams } from '@tanstack/react-router';
import { describeAttendee } from '#domain/bookings/attendee-status.ts';
import { describeCard } from '#domain/card-labels.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { DeskBooking } from '#domain/desk/desk-booking.ts';
import { formatLocation } from '#domain/location-text.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatLessonTime, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { BookingStatusLabel } from '#web/bookings/my-bookings/booking-status.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { BookingHistory } from './booking-history.tsx';
import { DeskActions } from './desk-actions.tsx';
import { NeedsAttention } from './needs-attention.tsx';

/** A booking's page for admins: its details, the actions they can take, and its history. */
export default function DeskBookingScreen() {
  const { bookingId = '' } = useParams({ strict: false }) as { bookingId?: string };
  const found = useApi(deskApi.get, { bookingId }, { staleTime: 0 });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <div className="max-w-3xl">
          <BackLink to="/admin/panel" search={{ tab: 'bookings' }}>
            Bookings
          </BackLink>
          <QueryView
            query={found}
            isPart
            failure="Failed to load this booking"
            skeleton={
              <Loading className="mt-6 space-y-4">
                <Skeleton className="h-8 w-3/5" />
                <Skeleton className="h-40 w-full" />
                <Skeleton className="h-60 w-full" />
              </Loading>
            }
            missing={
              <EmptyState titleAs="h1" title="Booking not found">
                Please check the reference.
              </EmptyState>
            }
          >
            {({ booking, history, isHistoryCut }) => (
              <>
                <BookingFacts booking={booking} />
                <DeskActions booking={booking} />
                <div className="mt-8 border-t pt-8">
                  <NeedsAttention booking={booking} />
                  <PaidTogether booking={booking} />
                  <BookingHistory bookingId={booking.bookingId} history={history} isCut={isHistoryCut} />
                </div>
              </>
            )}
          </QueryView>
        </div>
      </PersonalPage>
    </AreaGate>
  );
}

function BookingFacts({ booking }: { booking: DeskBooking }) {
  const now = Date.now();
  const { customerEmail, customerName, participantName, card, chargedCents, refundedCents } = booking;
  const isPaid = booking.status !== 'pending' && booking.status !== 'released';
  const { status: attendance, label } = describeAttendee(booking);
  const rows: [string, React.ReactNode][] = [
    ['Reference', shortReference(booking.bookingId)],
    ['When', `${formatLessonTime(booking.startTime, booking.endTime, now)} London\u00a0time`],
    ['Where', formatLocation(booking.location)],
    ['Coach', booking.coachName],
    [
      'Booked by',
      <span key="customer">
        {customerName}
        {customerEmail && (
          <>
            {' · '}
            <a href={`mailto:${customerEmail}`}>{customerEmail}</a>
          </>
        )}
      </span>,
    ],
    ...(participantName ? [['For', participantName] as [string, string]] : []),
    ['Booked', `${formatDay(booking.createdAt, now)}, ${formatTime(booking.createdAt)}`],
    ...(attendance === 'absent' ? [['Attendance', label] as [string, string]] : []),
    ['Paid with', !isPaid ? 'Not paid' : card ? describeCard(card) : 'Free lesson'],
  ];
  const money: [string, number, string?][] = [
    ['Charged', chargedCents],
    ['Refunded', refundedCents],
    ["Coach's share", booking.shareCents, describePayout(booking)],
  ];
  return (
    <>
      <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1>{booking.title}</h1>
        <BookingStatusLabel status={booking.status} />
      </div>
      <dl className="mt-6 grid grid-cols-[6.5rem_1fr] gap-x-4 gap-y-3 border-t pt-6 text-sm tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <dl className="mt-6 grid grid-cols-2 gap-4 border-t pt-6 sm:grid-cols-3">
        {money.map(([name, cents, note]) => (
          <div key={name}>
            <dt className="text-sm text-muted-foreground">{name}</dt>
            <dd className="mt-0.5 text-lg font-semibold">
              <Money cents={cents} />
              {note && <span className="block text-xs font-normal text-muted-foreground">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function describePayout({ isPaidOut, isInPayrun, shareCents }: DeskBooking): string | undefined {
  if (isPaidOut) return 'Paid out';
  if (isInPayrun) return 'In a pending payrun';
  return shareCents > 0 ? 'Not paid out yet' : undefined;
}

function PaidTogether({ booking: { together } }: { booking: DeskBooking }) {
  if (together.length === 0) return null;
  return (
    <Section title="Paid together" description="These bookings were paid with the same payment.">
      <ul aria-label="Paid together" className="divide-y border-t text-sm">
        {together.map(({ bookingId, title, startTime, endTime, participantName, amountCents, leftCents }) => (
          <li key={bookingId} className="flex items-baseline justify-between gap-4 py-3">
            <span className="min-w-0 wrap-anywhere">
              <Link to="/admin/bookings/$bookingId" params={{ bookingId }}>
                {title}
              </Link>
              <span className="block text-muted-foreground">
                {formatLessonTime(startTime, endTime, Date.now())}
                {participantName && `, for ${participantName}`}
              </span>
            </span>
            <span className="shrink-0 text-right">
              <Money cents={amountCents} className="block" />
              {leftCents < amountCents && (
                <span className="block text-xs text-muted-foreground">
                  <Money cents={leftCents} /> left
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
