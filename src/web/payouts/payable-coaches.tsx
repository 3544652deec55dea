import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import type { PayableCoach, payoutsApi } from '#domain/payouts/contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Money } from '#web/ui/money.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import type { PayableSelection } from './payable-selection.ts';

type PayableCoachesProps = {
  found: UseQueryResult<OutputOf<typeof payoutsApi.listPayableCoaches>, AppError>;
  selection: PayableSelection;
  onToggle: (coach: PayableCoach) => void;
  /** Lists the bookings of this coach individually. */
  onOpen: (coach: PayableCoach) => void;
  empty: ReactNode;
  children: ReactNode;
};

/** The payable bookings by coach; a coach's checkbox ticks all of that coach's bookings that are ready to be paid. */
export function PayableCoaches({ found, selection, onToggle, onOpen, empty, children }: PayableCoachesProps) {
  return (
    <QueryView
      query={found}
      failure="Failed to load payout data"
      skeleton={<SkeletonRows count={5} label="Loading payable bookings by coach..." />}
      isEmpty={({ coaches }) => coaches.length === 0}
      empty={empty}
    >
      {({ coaches }) => (
        <>
          {children}
          <Table label="Payable bookings by coach" isStacked>
            <thead>
              <tr>
                <Th className="w-px">
                  <span className="sr-only">Select</span>
                </Th>
                <Th>Coach</Th>
                <Th>Can be paid</Th>
                <Th>Bank details</Th>
                <Th isNumeric>Amount</Th>
              </tr>
            </thead>
            <tbody>
              {coaches.map((coach) => (
                <CoachRow
                  key={coach.coachId}
                  coach={coach}
                  isSelected={isCoachSelected(selection, coach)}
                  onToggle={() => onToggle(coach)}
                  onOpen={() => onOpen(coach)}
                />
              ))}
            </tbody>
          </Table>
          {coaches.length >= 500 && (
            <p className="py-4 text-sm text-muted-foreground">
              The first 500 coaches are shown. Search for others by name. “Select all that can be paid” also
              selects the bookings of coaches who aren't shown.
            </p>
          )}
        </>
      )}
    </QueryView>
  );
}

const isCoachSelected = (selection: PayableSelection, { coachId, bookingCount }: PayableCoach) =>
  bookingCount > 0 &&
  (selection.kind === 'all' || (selection.kind === 'coaches' && selection.coaches.has(coachId)));

type CoachRowProps = { coach: PayableCoach; isSelected: boolean; onToggle: () => void; onOpen: () => void };

function CoachRow({ coach, isSelected, onToggle, onOpen }: CoachRowProps) {
  const { coachId, coachName, bookingCount, waitingCount, hasBankDetails, amountCents } = coach;
  const waiting = `waiting-${coachId}`;
  return (
    <tr className={isSelected ? 'bg-primary-soft/40' : undefined}>
      <Td label="Select">
        <Checkbox
          aria-label={`Select all bookings of ${coachName}`}
          aria-describedby={waitingCount > 0 ? waiting : undefined}
          checked={isSelected}
          disabled={bookingCount === 0}
          onChange={onToggle}
        />
      </Td>
      <Td label="Coach" className="wrap-anywhere">
        <button
          type="button"
          onClick={onOpen}
          className="min-h-6 base:text-left font-medium underline decoration-1 underline-offset-4 touch:min-h-11"
        >
          {coachName}
          <span className="sr-only">: show bookings</span>
        </button>
      </Td>
      <Td label="Can be paid">
        <span className="max-md:text-right">
          {bookingCount} {bookingCount === 1 ? 'booking' : 'bookings'}
          {waitingCount > 0 && (
            <span id={waiting} className="block text-xs text-muted-foreground">
              {waitingCount} more can't be paid yet
            </span>
          )}
        </span>
      </Td>
      <Td label="Bank details">
        <Badge tone={hasBankDetails ? 'success' : 'warning'}>{hasBankDetails ? 'Saved' : 'Missing'}</Badge>
      </Td>
      <Td label="Amount" isNumeric>
        <Money cents={amountCents} className="font-medium" />
      </Td>
    </tr>
  );
}
