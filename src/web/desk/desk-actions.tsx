import { refuseCancel, refuseMarkAttendance } from '#domain/bookings/rules.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { DeskBooking } from '#domain/desk/desk-booking.ts';
import { refuseDeskRefund, refuseMoveBooking } from '#domain/desk/rules.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { CancelAtDeskDialog } from './cancel-at-desk-dialog.tsx';
import { MoveBookingDialog } from './move-booking-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const dialogs = { refund: RefundDialog, cancel: CancelAtDeskDialog, move: MoveBookingDialog };

/** An admin's actions for a booking. An action that isn't possible now has no button. */
export function DeskActions({ booking }: { booking: DeskBooking }) {
  const open = useDialogItem<keyof typeof dialogs>();
  const now = Date.now();
  const unenteredCents = booking.unentered.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const refund = refuseDeskRefund({ ...booking, unenteredCents, isWaiting: booking.requests.length > 0 });
  const isMovable = refuseMoveBooking(booking, now) === null;
  const isMarkable = refuseMarkAttendance(booking, now) === null;
  const Dialog = open.item && dialogs[open.item];
  return (
    <>
      <div className="mt-8 flex flex-wrap gap-2">
        {refund === null && <Button onClick={() => open.open('refund')}>Refund</Button>}
        {isMovable && (
          <Button variant="secondary" onClick={() => open.open('move')}>
            {booking.status === 'booked' ? 'Move to another date' : 'Book again'}
          </Button>
        )}
        {isMarkable && <AttendanceButton booking={booking} />}
        {refuseCancel(booking, now) === null && (
          <Button variant="ghost" onClick={() => open.open('cancel')}>
            Cancel booking
          </Button>
        )}
      </div>
      {refund && booking.chargedCents > 0 && (
        <p className="mt-3 text-sm text-muted-foreground">{refund.message}</p>
      )}
      {Dialog && <Dialog key={open.openings} booking={booking} isOpen={open.isOpen} onClose={open.close} />}
    </>
  );
}

function AttendanceButton({ booking: { bookingId, attended } }: { booking: DeskBooking }) {
  const isAbsent = attended === false;
  const mark = useApiMutation(deskApi.markAttendance, {
    invalidates: [deskApi.get],
    onSuccess: () =>
      toastSuccess(isAbsent ? 'Mark removed' : 'Marked as absent', 'The coach will be notified.'),
  });
  return (
    <Button
      variant="secondary"
      isLoading={mark.isPending}
      loadingText="Saving..."
      onClick={() =>
        mark.mutate(
          { bookingId, attended: isAbsent ? null : false },
          { onError: (error) => toastError(error.message) },
        )
      }
    >
      {isAbsent ? 'Remove the “absent” mark' : 'Mark as absent'}
    </Button>
  );
}
