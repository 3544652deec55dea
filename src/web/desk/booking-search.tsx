import { Link } from '@tanstack/react-router';
import { describeCard } from '#domain/card-labels.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { FoundBooking } from '#domain/desk/desk-booking.ts';
import { shortReference } from '#domain/reference.ts';
import { formatLessonTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { BookingStatusLabel } from '#web/bookings/my-bookings/booking-status.tsx';
import { Button } from '#web/ui/button.tsx';
import { DatePicker } from '#web/ui/form/date-picker.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { WaitingRefunds } from './waiting-refunds.tsx';

type BookingSearchProps = {
  search: string | undefined;
  /** The lesson's London date. */
  date: string | undefined;
  onFilter: (change: { search?: string | undefined; date?: string | undefined }) => void;
};

/** The bookings desk: refunds that are waiting for a second admin, and a search for any booking. */
export function BookingSearch({ search, date, onFilter }: BookingSearchProps) {
  return (
    <>
      <WaitingRefunds />
      <search className="mb-4 grid items-end gap-3 sm:grid-cols-[1fr_14rem]">
        <TypedFilter
          label="Search by reference, person, lesson or last four digits of a card"
          maxLength={100}
          isLabelHidden
          value={search}
          onSettled={(typed) => onFilter({ search: typed })}
        />
        <FormField label="Date of the lesson" isLabelHidden>
          <DatePicker
            isPastAllowed
            placeholder="Any date"
            value={date ?? null}
            onValueChange={(next) => onFilter({ date: next ?? undefined })}
          />
        </FormField>
      </search>
      {search || date ? (
        <FoundBookings search={search} date={date} onFilter={onFilter} />
      ) : (
        <EmptyState title="Find a booking">
          Type a booking's reference, part of a name, an email address or a lesson's title, or the last four
          digits of a card. You can also choose a date.
        </EmptyState>
      )}
    </>
  );
}

function FoundBookings({ search, date, onFilter }: BookingSearchProps) {
  const found = usePages(deskApi.search, { search, date }, (page) => page.bookings, { keepsPrevious: true });
  return (
    <PagedList
      found={found}
      skeleton={<SkeletonRows count={8} label="Loading bookings..." />}
      failure="Failed to load bookings"
      empty={
        <EmptyState
          title="No bookings match this search"
          action={
            <Button variant="secondary" onClick={() => onFilter({ search: undefined, date: undefined })}>
              Clear search
            </Button>
          }
        >
          {date ? 'Try another date, or any date.' : 'Try part of a name, or the whole reference.'}
        </EmptyState>
      }
      more="Show more bookings"
    >
      {(bookings) => (
        <Table label="Bookings" isStacked aria-busy={found.isPlaceholderData || undefined}>
          <thead>
            <tr>
              <Th>Lesson</Th>
              <Th>Booked by</Th>
              <Th>Status</Th>
              <Th>Card</Th>
              <Th isNumeric>Price</Th>
            </tr>
          </thead>
          <tbody>
            {bookings.map((booking) => (
              <BookingRow key={booking.bookingId} booking={booking} />
            ))}
          </tbody>
        </Table>
      )}
    </PagedList>
  );
}

function BookingRow({ booking }: { booking: FoundBooking }) {
  const { bookingId, title, startTime, endTime, participantName, card, amountCents, refundedCents } = booking;
  return (
    <tr>
      <Td>
        <span className="min-w-0">
          <Link
            to="/admin/bookings/$bookingId"
            params={{ bookingId }}
            className="block font-medium wrap-anywhere touch:flex touch:min-h-11 touch:items-center"
          >
            {title}
          </Link>
          <span className="block text-muted-foreground">
            {formatLessonTime(startTime, endTime, Date.now())}
          </span>
          <span className="block text-muted-foreground wrap-anywhere">
            {booking.coachName} · {shortReference(bookingId)}
          </span>
        </span>
      </Td>
      <Td label={'Booked\u00a0by'}>
        <span className="min-w-0 max-md:text-right">
          <span className="block wrap-anywhere">{booking.customerName}</span>
          <span className="block text-muted-foreground wrap-anywhere">
            {participantName ? `for ${participantName}` : booking.customerEmail}
          </span>
        </span>
      </Td>
      <Td label="Status">
        <BookingStatusLabel status={booking.status} />
      </Td>
      <Td label="Card" className="whitespace-nowrap">
        {card ? describeCard(card) : 'None'}
      </Td>
      <Td label="Price" isNumeric>
        <span>
          <Money cents={amountCents} className="block" />
          {refundedCents > 0 && (
            <span className="block text-xs whitespace-nowrap text-muted-foreground">
              <Money cents={refundedCents} /> refunded
            </span>
          )}
        </span>
      </Td>
    </tr>
  );
}
