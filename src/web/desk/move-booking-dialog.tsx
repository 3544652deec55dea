import { useState } from 'react';
import { deskApi } from '#domain/desk/contract.ts';
import type { DeskBooking, OtherDate } from '#domain/desk/desk-booking.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';

type MoveBookingDialogProps = { booking: DeskBooking; isOpen: boolean; onClose: () => void };

/** Moves a booking to another date of the same lesson, or books a cancelled one again. */
export function MoveBookingDialog({ booking, isOpen, onClose }: MoveBookingDialogProps) {
  const { bookingId, status, customerName } = booking;
  const isRebooking = status !== 'booked';
  const [slotId, setSlotId] = useState<string | null>(null);
  const found = useApi(deskApi.listOtherDates, { bookingId }, { staleTime: 0 });
  const move = useApiMutation(deskApi.move, { invalidates: [deskApi.get, deskApi.listOtherDates] });
  const save = () =>
    slotId &&
    move.mutate(
      { bookingId, slotId },
      {
        onSuccess: () => {
          toastSuccess(
            isRebooking ? 'Booked again' : 'Booking moved',
            `${customerName} and the coach will be emailed.`,
          );
          onClose();
        },
      },
    );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={isRebooking ? 'Book again' : 'Move this booking'}
      description={`${isRebooking ? "The customer doesn't pay again." : 'The price stays the same.'} You can move the booking again until its lesson starts.`}
      size="sm"
      onSubmit={save}
      refusal={move.error}
      submit={isRebooking ? 'Book again' : 'Move booking'}
      isDisabled={slotId === null}
      isPending={move.isPending}
      pendingLabel="Saving..."
    >
      <QueryView
        query={found}
        isPart
        failure="Failed to load dates"
        skeleton={<SkeletonRows count={3} label="Loading dates..." />}
        isEmpty={({ dates }) => dates.length === 0}
        empty={<p className="text-sm">No other date of this lesson has a free place.</p>}
      >
        {({ dates }) => (
          <FormField label="Date" isGroup>
            <RadioGroup
              value={slotId}
              onValueChange={setSlotId}
              options={dates.map((date) => describeDate(date, booking))}
            />
          </FormField>
        )}
      </QueryView>
    </FormDialog>
  );
}

function describeDate(date: OtherDate, { amountCents }: DeskBooking) {
  const { slotId, startTime, endTime, location, seatsLeft, priceCents } = date;
  const price = priceCents === amountCents ? '' : ` · now ${formatPounds(priceCents)}`;
  return {
    value: slotId,
    label: formatLessonTime(startTime, endTime, Date.now()),
    hint: `${formatLocation(location)} · ${seatsLeft} ${seatsLeft === 1 ? 'place' : 'places'} left${price}`,
  };
}
