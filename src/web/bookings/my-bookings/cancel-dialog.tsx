import { useEffect, useState } from 'react';
import { describeRefund } from '#domain/bookings/cancellation-policy.ts';
import { type Booking, bookingsApi } from '#domain/bookings/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';
import { isSessionOver } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { openSlotLists } from '#web/catalogue/open-slots.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { isCancellable as canCancel } from '../booking-text.ts';

type CancelDialogProps = { booking: Booking; onClose: () => void };

/**
 * Asks the customer to confirm a cancellation and states the exact refund. Closes immediately if the booking can't be
 * cancelled, for example because an old link opened the dialog.
 */
export function CancelDialog({ booking: current, onClose }: CancelDialogProps) {
  // The booking as it was when the dialog opened, because the list may be refetched while the booking is
  // being cancelled.
  const [booking] = useState(current);
  const [isCancellable] = useState(() => canCancel(booking, Date.now()));
  useEffect(() => {
    if (!isCancellable) onClose();
  }, [isCancellable, onClose]);
  const cancel = useApiMutation(bookingsApi.cancel, {
    invalidates: [
      bookingsApi.listMine,
      bookingsApi.getMine,
      bookingsApi.getMyStats,
      bookingsApi.listHeldSlots,
      openSlotLists,
      slotsApi.getOpenSlot,
    ],
    onSuccess: (_, { expectedRefundCents: cents }) => {
      toastSuccess('Booking cancelled', cents > 0 ? `${formatPounds(cents)} is on its way back.` : undefined);
      onClose();
    },
  });
  const { text, refundCents } = describeRefund(booking, Date.now());
  const confirm = () =>
    cancel.mutate(
      { bookingId: booking.bookingId, expectedRefundCents: refundCents },
      {
        onError: (error) => {
          toastError(error.message);
          if (!isSessionOver(error)) onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open={isCancellable}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Cancel this booking?"
      confirmLabel="Cancel Booking"
      cancelLabel="Keep Booking"
      isDestructive
      isPending={cancel.isPending}
      pendingLabel="Cancelling..."
      onConfirm={confirm}
    >
      <p>
        {booking.title}, {formatLessonTime(booking.startTime, booking.endTime, Date.now())}, with{' '}
        {booking.coachName}.{!booking.participant.isSelf && ` For ${booking.participant.name}.`}
      </p>
      <p className="font-medium text-foreground">{text}</p>
    </ConfirmDialog>
  );
}
