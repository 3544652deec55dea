import { useState } from 'react';
import { deskApi } from '#domain/desk/contract.ts';
import type { DeskBooking } from '#domain/desk/desk-booking.ts';
import { formatPounds } from '#domain/money.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type CancelAtDeskDialogProps = { booking: DeskBooking; isOpen: boolean; onClose: () => void };

/** Cancels a booking on the customer's behalf, with the refund that its terms allow. */
export function CancelAtDeskDialog({ booking, isOpen, onClose }: CancelAtDeskDialogProps) {
  const { bookingId, cancelRefundCents, chargedCents, customerName } = booking;
  const [reason, setReason] = useState('');
  const cancel = useApiMutation(deskApi.cancel, { invalidates: [deskApi.get] });
  // The refund changes if a deadline passes while the dialog is open.
  const changedCents = cancel.error?.details?.refundCents as number | undefined;
  const refundCents = changedCents ?? cancelRefundCents;
  const save = () =>
    cancel.mutate(
      { bookingId, reason, expectedRefundCents: refundCents },
      {
        onSuccess: () => {
          toastSuccess('Booking cancelled', `${customerName} and the coach will be emailed.`);
          onClose();
        },
      },
    );
  const refunds =
    chargedCents === 0
      ? 'The lesson was free.'
      : `Under the terms of the booking, we'll refund ${refundCents > 0 ? formatPounds(refundCents) : 'nothing'}. You can refund more before or after you cancel.`;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Cancel this booking?"
      description={`The place becomes available to others. ${refunds}`}
      size="sm"
      onSubmit={save}
      refusal={cancel.error}
      cancel="Keep booking"
      submit="Cancel booking"
      isDestructive
      isPending={cancel.isPending}
      pendingLabel="Cancelling..."
    >
      <ReasonField
        error={cancel.error?.fields?.reason}
        hint="We'll email the reason to the customer. Example: “You asked us to cancel”."
        value={reason}
        onValueChange={setReason}
      />
    </FormDialog>
  );
}
