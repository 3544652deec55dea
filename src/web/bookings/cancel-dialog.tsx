import { type Booking, bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';
import { describeRefund } from './policy-words.ts';

/** Asks before a booking is cancelled, and says exactly what comes back. */
export function CancelDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const cancel = useApiMutation(bookingsApi.cancel, {
    invalidates: [
      bookingsApi.listMine,
      bookingsApi.getMine,
      bookingsApi.getMyStats,
      bookingsApi.listHeldSlots,
      catalogueApi.discoverSlots,
      catalogueApi.getOpenSlot,
    ],
  });
  const { words, refundCents } = describeRefund(booking, Date.now());
  const confirm = () =>
    cancel.mutate(
      { bookingId: booking.bookingId, expectedRefundCents: refundCents },
      {
        onSuccess: () => {
          toastSuccess(
            'Booking cancelled',
            refundCents > 0 ? `${formatPounds(refundCents)} is on its way back.` : undefined,
          );
          onClose();
        },
        onError: (error) => {
          toastError(error.message);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
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
        {booking.coachName}.
      </p>
      <p className="font-medium text-foreground">{words}</p>
    </ConfirmDialog>
  );
}
