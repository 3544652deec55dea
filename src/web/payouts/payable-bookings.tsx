import type { ReactNode } from 'react';
import { type PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Money } from '#web/ui/money.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { isBookingSelected, type PayableFilter, type PayableSelection } from './payable-selection.ts';
import { isWithheld, WaitingReason, WithheldReason } from './withheld-reason.tsx';

type PayableBookingsProps = {
  filter: PayableFilter;
  isReadyOnly: boolean;
  selection: PayableSelection;
  onToggle: (booking: PayableBooking) => void;
  empty: ReactNode;
  /** Rendered above the table, but only if there are bookings. */
  children: ReactNode;
};

/** The payable bookings with a checkbox each, oldest lesson first, a page at a time. */
export function PayableBookings(props: PayableBookingsProps) {
  const { filter, isReadyOnly, selection, onToggle, empty, children } = props;
  const input = { ...filter, readyOnly: isReadyOnly ? 'true' : 'false' } as const;
  const found = usePages(payoutsApi.listPayableBookings, input, (page) => page.bookings, {
    keepsPrevious: true,
  });
  return (
    <PagedList
      found={found}
      skeleton={<SkeletonRows count={5} label="Loading payable bookings..." />}
      failure="Failed to load payout data"
      empty={empty}
      more="Show more bookings"
    >
      {(bookings) => (
        <>
          {children}
          <Table label="Payable bookings" isStacked>
            <thead>
              <tr>
                <Th className="w-px">
                  <span className="sr-only">Select</span>
                </Th>
                <Th>Booking</Th>
                <Th>Coach</Th>
                <Th>Lesson ended</Th>
                <Th>Bank details</Th>
                <Th isNumeric>Amount</Th>
              </tr>
            </thead>
            <tbody>
              {bookings.map((booking) => (
                <BookingRow
                  key={booking.bookingId}
                  booking={booking}
                  isSelected={isPayable(booking) && isBookingSelected(selection, booking)}
                  onToggle={() => onToggle(booking)}
                />
              ))}
            </tbody>
          </Table>
        </>
      )}
    </PagedList>
  );
}

const isPayable = (booking: PayableBooking) =>
  booking.hasBankDetails && !isWithheld(booking) && booking.waitsFor === null;

type BookingRowProps = { booking: PayableBooking; isSelected: boolean; onToggle: () => void };

function BookingRow({ booking, isSelected, onToggle }: BookingRowProps) {
  const { bookingId, title, coachName, customerName, endTime, hasBankDetails, amountCents } = booking;
  const ended = `${formatDay(endTime, Date.now())}, ${formatTime(endTime)}`;
  const canBePaid = isPayable(booking);
  const reason = `why-not-${bookingId}`;
  return (
    <tr className={isSelected ? 'bg-primary-soft/40' : undefined}>
      <Td label="Select">
        <Checkbox
          aria-label={`Select ${title} with ${coachName}, ended ${ended}`}
          aria-describedby={canBePaid ? undefined : reason}
          checked={isSelected}
          disabled={!canBePaid}
          onChange={onToggle}
        />
      </Td>
      <Td label="Booking">
        <span className="max-md:text-right">
          <span className="block font-medium wrap-anywhere">{title}</span>
          <span className="block text-xs text-muted-foreground wrap-anywhere">
            {customerName} · {shortReference(bookingId)}
          </span>
        </span>
      </Td>
      <Td label="Coach" className="wrap-anywhere">
        {coachName}
      </Td>
      <Td label="Lesson ended" className="md:whitespace-nowrap">
        {ended}
      </Td>
      <Td label="Bank details">
        {isWithheld(booking) ? (
          <span className="max-md:text-right">
            <WithheldReason id={reason} withheld={booking} />
          </span>
        ) : booking.waitsFor ? (
          <span className="max-md:text-right">
            <WaitingReason id={reason} waitsFor={booking.waitsFor} endTime={endTime} />
          </span>
        ) : hasBankDetails ? (
          <Badge tone="success">Saved</Badge>
        ) : (
          <span className="max-md:text-right">
            <Badge tone="warning">Missing</Badge>
            <span id={reason} className="mt-1 block max-w-[24ch] text-xs text-muted-foreground">
              Can't be paid until the coach saves their bank details.
            </span>
          </span>
        )}
      </Td>
      <Td label="Amount" isNumeric>
        <Money cents={amountCents} className="font-medium" />
      </Td>
    </tr>
  );
}
