import type { DisputedBooking } from '#domain/payments/disputes-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { Money } from '#web/ui/money.tsx';
import { RecordCell } from '#web/ui/record-cell.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';

const payoutTexts: Record<DisputedBooking['payout'], string> = {
  none: 'Not paid out',
  pending: 'In a pending payrun',
  paid: 'Paid out',
};

/** The bookings of a disputed payment. */
export function DisputedBookings({ bookings }: { bookings: DisputedBooking[] }) {
  return (
    <Table label="Disputed bookings" isStacked>
      <thead>
        <tr>
          <Th>Lesson</Th>
          <Th>Coach</Th>
          <Th>Status</Th>
          <Th isNumeric>Paid</Th>
          <Th isNumeric>Left after refunds</Th>
        </tr>
      </thead>
      <tbody>
        {bookings.map(({ bookingId, title, startTime, coachName, state, payout, paidCents, leftCents }) => (
          <tr key={bookingId}>
            <RecordCell label="Lesson" name={title} to="/admin/bookings/$bookingId" params={{ bookingId }}>
              {formatDay(startTime, Date.now())}, {formatTime(startTime)} · {shortReference(bookingId)}
            </RecordCell>
            <Td label="Coach" className="wrap-anywhere">
              {coachName}
            </Td>
            <Td label="Status">
              <span className="max-md:text-right">
                {state}
                <span className="block text-xs text-muted-foreground">{payoutTexts[payout]}</span>
              </span>
            </Td>
            <Td label="Paid" isNumeric>
              <Money cents={paidCents} />
            </Td>
            <Td label="Left after refunds" isNumeric>
              <Money cents={leftCents} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
