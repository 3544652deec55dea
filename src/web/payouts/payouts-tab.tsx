import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { maxNamedBookings } from '#domain/payouts/payruns.ts';
import { invalidate } from '#web/app/api/api.ts';
import { Disputes } from '#web/bookings/disputes/disputes.tsx';
import { FailedRefunds } from '#web/bookings/refunds/failed-refunds.tsx';
import { Section } from '#web/ui/card.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { nothingSelected, type PayableSelection } from './payable-selection.ts';
import { type PayableSearch, Payables } from './payables.tsx';
import { CreatePayrunDialog } from './payruns/create-payrun-dialog.tsx';
import { Payruns } from './payruns/payruns.tsx';

type PayoutsTabProps = {
  search: PayableSearch;
  onFilter: (change: { [Name in keyof PayableSearch]?: PayableSearch[Name] | undefined }) => void;
};

/** Failed refunds, disputes, the payruns, and the payable bookings from which to create the next payrun. */
export function PayoutsTab({ search, onFilter }: PayoutsTabProps) {
  const client = useQueryClient();
  const [selection, setSelection] = useState<PayableSelection>(nothingSelected);
  const [isCreating, setIsCreating] = useState(false);

  function openDialog() {
    if (selection.kind === 'bookings' && selection.bookings.size === 0) toastError('No bookings selected');
    else if (selection.kind === 'bookings' && selection.bookings.size > maxNamedBookings) {
      toastError(
        `Select at most ${maxNamedBookings.toLocaleString('en-GB')} bookings one by one, or filter by date and select all.`,
      );
    } else setIsCreating(true);
  }

  const readAgain = () =>
    void invalidate(client, [
      payoutsApi.listPayableBookings,
      payoutsApi.listPayableCoaches,
      payoutsApi.listPayruns,
    ]);

  function finish() {
    setIsCreating(false);
    setSelection(nothingSelected);
    readAgain();
  }

  /** Closes the dialog and, of the bookings ticked one by one, deselects those that are no longer payable. */
  function refuse(bookingIds: string[]) {
    const gone = new Set(bookingIds);
    setSelection((known) =>
      known.kind === 'bookings'
        ? { ...known, bookings: new Map([...known.bookings].filter(([bookingId]) => !gone.has(bookingId))) }
        : known,
    );
    setIsCreating(false);
    readAgain();
  }

  return (
    <>
      <FailedRefunds />
      <Disputes />
      <Section
        title="Payruns"
        description="Download the file, upload it to your bank, then mark the payrun as paid."
      >
        <Payruns />
      </Section>
      <Section
        title="Payable bookings"
        description="Bookings of finished lessons that aren't in a payrun yet. The amount is the price less the platform fee and refunds."
      >
        <Payables
          search={search}
          onFilter={onFilter}
          selection={selection}
          onSelect={setSelection}
          onCreate={openDialog}
        />
      </Section>
      {isCreating && (
        <CreatePayrunDialog
          selection={selection}
          onClose={() => setIsCreating(false)}
          onCreated={finish}
          onRefused={refuse}
        />
      )}
    </>
  );
}
