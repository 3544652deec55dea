import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { type PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import { largestPayrun } from '#domain/payouts/payruns.ts';
import { invalidate } from '#web/app/api.ts';
import { Section } from '#web/ui/card.tsx';
import { toastError } from '#web/ui/toaster.tsx';
import { CreatePayrunDialog } from './create-payrun-dialog.tsx';
import { PayableBookings } from './payable-bookings.tsx';
import { Payruns } from './payruns.tsx';

type PayoutsTabProps = Pick<ComponentProps<typeof PayableBookings>, 'coach' | 'isReadyOnly' | 'onNarrow'>;

/** Paying coaches: bookings to choose from, and the payruns made of them. */
export function PayoutsTab({ coach, isReadyOnly, onNarrow }: PayoutsTabProps) {
  const client = useQueryClient();
  const [selected, setSelected] = useState<ReadonlyMap<string, PayableBooking>>(new Map());
  const [isCreating, setIsCreating] = useState(false);

  function openDialog() {
    if (selected.size === 0) toastError('No bookings selected');
    else if (selected.size > largestPayrun) toastError(`A payrun takes at most ${largestPayrun} bookings.`);
    else setIsCreating(true);
  }

  function finish() {
    setIsCreating(false);
    setSelected(new Map());
    void invalidate(client, [payoutsApi.listPayableBookings, payoutsApi.listPayruns]);
  }

  /** What somebody else has put into a payrun meanwhile is no longer there to select. */
  function refuse(bookingIds: string[]) {
    const gone = new Set(bookingIds);
    setSelected((known) => new Map([...known].filter(([bookingId]) => !gone.has(bookingId))));
    void invalidate(client, [payoutsApi.listPayableBookings, payoutsApi.listPayruns]);
  }

  return (
    <>
      <Section
        title="Payable bookings"
        description="Lessons that are over and whose coach is still to be paid, oldest first. The amount is the price less the platform fee and refunds."
      >
        <PayableBookings
          coach={coach}
          isReadyOnly={isReadyOnly}
          onNarrow={onNarrow}
          selected={selected}
          onSelect={setSelected}
          onCreate={openDialog}
        />
      </Section>
      <Section
        title="Payruns"
        description="Download the file, upload it to your bank, then mark the payrun as paid."
      >
        <Payruns />
      </Section>
      {isCreating && (
        <CreatePayrunDialog
          bookings={[...selected.values()]}
          onClose={() => setIsCreating(false)}
          onCreated={finish}
          onRefused={refuse}
        />
      )}
    </>
  );
}
