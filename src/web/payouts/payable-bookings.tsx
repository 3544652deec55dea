import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { callApi, keyOf } from '#web/app/api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, CheckboxField } from '#web/ui/checkbox.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { TypedFilter } from '#web/ui/typed-filter.tsx';

type Selection = ReadonlyMap<string, PayableBooking>;

type PayableBookingsProps = {
  /** What the list is narrowed down to: a part of a coach's name or address, and coaches with bank details. */
  coach: string | undefined;
  isReadyOnly: boolean;
  onNarrow: (change: { coach?: string | undefined; ready?: true | undefined }) => void;
  selected: Selection;
  onSelect: (selected: Selection) => void;
  onCreate: () => void;
};

/** The bookings to pay with a box each, and below them, always in sight, what the ticked ones come to. */
export function PayableBookings(props: PayableBookingsProps) {
  const { coach, isReadyOnly, onNarrow, selected, onSelect, onCreate } = props;
  const filters = { readyOnly: isReadyOnly ? 'true' : 'false', search: coach } as const;
  const found = useInfiniteQuery({
    queryKey: keyOf(payoutsApi.listPayableBookings, filters),
    queryFn: ({ pageParam, signal }) =>
      callApi(payoutsApi.listPayableBookings, { ...filters, cursor: pageParam }, signal),
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const bookings = found.data?.pages.flatMap((page) => page.bookings) ?? [];
  const payable = bookings.filter(isPayable);
  const areAllSelected = payable.length > 0 && payable.every(({ bookingId }) => selected.has(bookingId));
  const totalCents = [...selected.values()].reduce((sum, { amountCents }) => sum + amountCents, 0);

  function toggle(booking: PayableBooking) {
    const next = new Map(selected);
    if (!next.delete(booking.bookingId)) next.set(booking.bookingId, booking);
    onSelect(next);
  }

  function toggleAll() {
    const all = payable.map((booking) => [booking.bookingId, booking] as const);
    onSelect(areAllSelected ? new Map() : new Map([...selected, ...all]));
  }

  const isNarrowed = isReadyOnly || Boolean(coach);
  return (
    <>
      <search className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="grow basis-64">
          <TypedFilter
            label="Search by coach"
            maxLength={100}
            isLabelHidden
            value={coach}
            onSettled={(typed) => onNarrow({ coach: typed })}
          />
        </div>
        <CheckboxField
          label="Only coaches with bank details"
          checked={isReadyOnly}
          onChange={({ target }) => onNarrow({ ready: target.checked || undefined })}
        />
      </search>
      <PagedList
        found={found}
        isEmpty={bookings.length === 0}
        skeleton={<SkeletonRows count={5} label="Loading payable bookings..." />}
        failure="Failed to load payout data"
        empty={
          <EmptyState
            title="Nothing to pay"
            className="py-8"
            action={
              isNarrowed && (
                <Button variant="secondary" onClick={() => onNarrow({ coach: undefined, ready: undefined })}>
                  Show all payable bookings
                </Button>
              )
            }
          >
            {isNarrowed
              ? 'No lesson of such a coach waits to be paid.'
              : 'Every lesson that is over is in a payrun already. The next ones appear here when they have ended.'}
          </EmptyState>
        }
        more="Show more bookings"
      >
        <CheckboxField
          label="Select all that can be paid"
          checked={areAllSelected}
          isIndeterminate={!areAllSelected && selected.size > 0}
          disabled={payable.length === 0}
          onChange={toggleAll}
        />
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
                isSelected={selected.has(booking.bookingId)}
                onToggle={() => toggle(booking)}
              />
            ))}
          </tbody>
        </Table>
      </PagedList>
      {(bookings.length > 0 || selected.size > 0) && (
        <div className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t bg-background px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:mx-0 md:px-0">
          <p role="status" className="tabular-nums">
            {selected.size === 0 ? (
              <span className="text-muted-foreground">Tick the bookings to pay.</span>
            ) : (
              <span className="font-medium">
                {selected.size} {selected.size === 1 ? 'booking' : 'bookings'} · <Money cents={totalCents} />
              </span>
            )}
          </p>
          <span className="ml-auto flex gap-2">
            {selected.size > 0 && (
              <Button variant="ghost" onClick={() => onSelect(new Map())}>
                Clear
              </Button>
            )}
            <Button onClick={onCreate}>Create payrun</Button>
          </span>
        </div>
      )}
    </>
  );
}

const isPayable = ({ hasBankDetails, isDisputed }: PayableBooking) => hasBankDetails && !isDisputed;

type BookingRowProps = { booking: PayableBooking; isSelected: boolean; onToggle: () => void };

function BookingRow({ booking, isSelected, onToggle }: BookingRowProps) {
  const { bookingId, title, coachName, customerName, endTime, hasBankDetails, isDisputed, amountCents } =
    booking;
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
            {customerName} · {bookingId.slice(0, 8)}
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
        {isDisputed ? (
          <span className="max-md:text-right">
            <Badge tone="destructive">Disputed</Badge>
            <span id={reason} className="mt-1 block max-w-[24ch] text-xs text-muted-foreground">
              Cannot be paid: the customer's bank is taking the money back. It can be once the dispute is won.
            </span>
          </span>
        ) : hasBankDetails ? (
          <Badge tone="success">Given</Badge>
        ) : (
          <span className="max-md:text-right">
            <Badge tone="warning">Missing</Badge>
            <span id={reason} className="mt-1 block max-w-[24ch] text-xs text-muted-foreground">
              Cannot be paid until the coach saves them under Bank Details.
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
