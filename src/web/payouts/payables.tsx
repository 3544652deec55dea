import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { callApi, keyOf } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { PeriodFilter } from '#web/ui/form/period-filter.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { StickyBar } from '#web/ui/page/sticky-bar.tsx';
import { PayableBookings } from './payable-bookings.tsx';
import { PayableCoaches } from './payable-coaches.tsx';
import {
  nothingSelected,
  type PayableFilter,
  type PayableSelection,
  sumSelection,
  toggleBooking,
  toggleCoach,
} from './payable-selection.ts';

export type PayableSearch = {
  /** Part of the coach's name or email address. */
  coach?: string;
  /** Only bookings of coaches with bank details. */
  ready?: true;
  /** Groups the bookings by coach instead of listing them one by one. */
  group?: 'coaches';
  /** Only bookings whose lesson ended from `from` to `to`, inclusive: London dates such as "2026-11-21". */
  from?: string;
  to?: string;
};

type PayablesProps = {
  search: PayableSearch;
  onFilter: (change: { [Name in keyof PayableSearch]?: PayableSearch[Name] | undefined }) => void;
  selection: PayableSelection;
  onSelect: (selection: PayableSelection) => void;
  onCreate: () => void;
};

/**
 * Payable bookings, one by one or by coach, each with a checkbox. A bar below them shows the total of the ticked
 * bookings and stays visible.
 */
export function Payables({ search, onFilter, selection: chosen, onSelect, onCreate }: PayablesProps) {
  const { coach, ready, from, to, group } = search;
  const filter: PayableFilter = { search: coach, from, to };
  // Under another filter, a selection of all matching bookings would mean different bookings.
  const isOther = 'filter' in chosen && JSON.stringify(chosen.filter) !== JSON.stringify(filter);
  const selection = isOther ? nothingSelected : chosen;
  const byCoach = useQuery<OutputOf<typeof payoutsApi.listPayableCoaches>, AppError>({
    queryKey: keyOf(payoutsApi.listPayableCoaches, filter),
    queryFn: ({ signal }) => callApi(payoutsApi.listPayableCoaches, filter, signal),
    placeholderData: keepPreviousData,
  });
  const all = byCoach.data ?? { coaches: [], bookingCount: 0, amountCents: 0 };
  const { bookingCount, amountCents } = sumSelection(selection, all);
  const isAll = selection.kind === 'all' && selection.except.size === 0;
  const empty = <NothingToPay isFiltered={Boolean(coach || from || to || ready)} onFilter={onFilter} />;
  const selectAll = (
    <CheckboxField
      label="Select all that can be paid"
      hint={byCoach.data && `${countBookings(all.bookingCount)} · ${formatPounds(all.amountCents)}`}
      checked={isAll}
      isIndeterminate={!isAll && bookingCount > 0}
      disabled={all.bookingCount === 0}
      onChange={() => onSelect(isAll ? nothingSelected : { kind: 'all', except: new Map(), filter })}
    />
  );
  return (
    <>
      <search className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="grow basis-64">
          <TypedFilter
            label="Search by coach"
            maxLength={100}
            isLabelHidden={false}
            value={coach}
            onSettled={(typed) => onFilter({ coach: typed })}
          />
        </div>
        <div className="grow basis-80">
          <PeriodFilter label="Lesson ended" from={from} to={to} onChange={onFilter} />
        </div>
        <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <SegmentedControl
            label="Show payable bookings"
            value={group ?? 'bookings'}
            onValueChange={(view) => onFilter({ group: view === 'coaches' ? view : undefined })}
            options={[
              { value: 'bookings', label: 'One by one' },
              { value: 'coaches', label: 'By coach' },
            ]}
          />
          {!group && (
            <CheckboxField
              label="Only coaches with bank details"
              checked={ready ?? false}
              onChange={({ target }) => onFilter({ ready: target.checked || undefined })}
            />
          )}
        </div>
      </search>
      {group ? (
        <PayableCoaches
          found={byCoach}
          selection={selection}
          onToggle={(one) => onSelect(toggleCoach(selection, one, { coaches: all.coaches, filter }))}
          onOpen={({ coachName }) => onFilter({ coach: coachName, group: undefined })}
          empty={empty}
        >
          {selectAll}
        </PayableCoaches>
      ) : (
        <PayableBookings
          filter={filter}
          isReadyOnly={ready ?? false}
          selection={selection}
          onToggle={(booking) => onSelect(toggleBooking(selection, booking))}
          empty={empty}
        >
          {selectAll}
        </PayableBookings>
      )}
      {((byCoach.data?.coaches.length ?? 0) > 0 || bookingCount > 0) && (
        <StickyBar>
          <p role="status" className="tabular-nums">
            {bookingCount === 0 ? (
              <span className="text-muted-foreground">Select the bookings to pay.</span>
            ) : (
              <span className="font-medium">
                {countBookings(bookingCount)} · <Money cents={amountCents} />
              </span>
            )}
          </p>
          <span className="ml-auto flex gap-2">
            {bookingCount > 0 && (
              <Button variant="ghost" onClick={() => onSelect(nothingSelected)}>
                Clear
              </Button>
            )}
            <Button onClick={onCreate}>Create payrun</Button>
          </span>
        </StickyBar>
      )}
    </>
  );
}

const countBookings = (count: number) =>
  count === 1 ? '1 booking' : `${count.toLocaleString('en-GB')} bookings`;

function NothingToPay({ isFiltered, onFilter }: { isFiltered: boolean } & Pick<PayablesProps, 'onFilter'>) {
  const showAll = () => onFilter({ coach: undefined, ready: undefined, from: undefined, to: undefined });
  return (
    <EmptyState
      title="Nothing to pay"
      className="py-8"
      action={
        isFiltered && (
          <Button variant="secondary" onClick={showAll}>
            Show all payable bookings
          </Button>
        )
      }
    >
      {isFiltered
        ? 'No matching bookings are waiting to be paid.'
        : 'No bookings are waiting to be paid. More will appear here as lessons end.'}
    </EmptyState>
  );
}
