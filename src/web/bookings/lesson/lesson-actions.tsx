import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import CalendarX from 'lucide-react/icons/calendar-x';
import Check from 'lucide-react/icons/check';
import Pencil from 'lucide-react/icons/pencil';
import Trash from 'lucide-react/icons/trash-2';
import { useEffect } from 'react';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { refuseCancelSlot, refuseChangeSlot, refuseCompleteSlot } from '#domain/bookings/slot-changes.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { AppError } from '#domain/errors.ts';
import { formatLessonTime, wallTimeOf } from '#domain/time.ts';
import { callApi, invalidate, isSessionOver, useApi } from '#web/app/api/api.ts';
import { useAddressParam } from '#web/app/layout/dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { CancelDayDialog } from '../changes/cancel-day-dialog.tsx';
import { CancelSlotDialog } from '../changes/cancel-slot-dialog.tsx';
import { EditSlotDialog } from '../changes/edit-slot-dialog.tsx';
import { MoveSlotDialog } from '../changes/move-slot-dialog.tsx';
import { slotReads, useSlotChange } from '../changes/use-slot-change.ts';
import { useHasStarted } from './use-mark-attendance.ts';

/**
 * The actions that a lesson currently allows its coach. `open` in the URL names the open dialog; small dialogs
 * keep local state instead (decision 50).
 */
export function LessonActions({ slot }: { slot: CoachSlot }) {
  const [open, setOpen] = useAddressParam('open');
  // Re-renders when the lesson starts, because the rules below then give other results.
  useHasStarted(slot.startTime);
  const now = Date.now();
  const isChangeable = refuseChangeSlot(slot, now) === null;
  const isCancellable = refuseCancelSlot(slot, now) === null;
  const isCompletable = slot.status === 'scheduled' && refuseCompleteSlot(slot, now) === null;
  const isAhead = slot.status === 'scheduled' && Date.parse(slot.endTime) > now;
  const close = () => setOpen(null);
  const isOutdated =
    ((open === 'edit' || open === 'move') && !isChangeable) ||
    (open === 'complete' && !isCompletable) ||
    (open === 'cancel' && !isCancellable);
  // A bookmarked URL may name an action that is no longer possible. A dialog that is already open shows the refusal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked once, when the page opens.
  useEffect(() => {
    if (isOutdated) close();
  }, []);
  const { data } = useApi(lessonsApi.listAttendees, { slotId: slot.slotId });
  const isDeletable = data?.attendees.length === 0;
  const isUndeletable = open === 'delete' && data !== undefined && !isDeletable;
  useEffect(() => {
    if (isUndeletable) setOpen(null);
  }, [isUndeletable, setOpen]);
  return (
    <>
      {(isAhead || isChangeable || isCancellable || isCompletable || isDeletable) && (
        <div className="flex flex-wrap gap-2">
          {isChangeable && (
            <>
              <Button variant="secondary" size="sm" onClick={() => setOpen('edit')}>
                <Pencil aria-hidden />
                Edit
              </Button>
              <Button variant="secondary" size="sm" onClick={() => setOpen('move')}>
                <CalendarClock aria-hidden />
                Move
              </Button>
            </>
          )}
          {isAhead && <AddToCalendar source={{ slotId: slot.slotId }} lesson={slot} />}
          {isCompletable && (
            <Button variant="secondary" size="sm" onClick={() => setOpen('complete')}>
              <Check aria-hidden />
              Mark as completed
            </Button>
          )}
          {isCancellable && (
            <Button variant="ghost" size="sm" className="text-destructive!" onClick={() => setOpen('cancel')}>
              <CalendarX aria-hidden />
              Cancel lesson
            </Button>
          )}
          {isDeletable && (
            <Button variant="ghost" size="sm" className="text-destructive!" onClick={() => setOpen('delete')}>
              <Trash aria-hidden />
              Delete lesson
            </Button>
          )}
        </div>
      )}
      <EditSlotDialog slot={slot} isOpen={open === 'edit'} onClose={close} />
      <MoveSlotDialog slot={slot} isOpen={open === 'move'} onClose={close} />
      <CompleteSlotDialog slot={slot} isOpen={open === 'complete'} onClose={close} />
      <DeleteSlotDialog slot={slot} isOpen={open === 'delete' && isDeletable} onClose={close} />
      <CancelSlotDialog
        slot={slot}
        isOpen={open === 'cancel'}
        onClose={close}
        onCancelDay={() => setOpen('cancelDay')}
      />
      <CancelDayDialog date={wallTimeOf(slot.startTime).date} isOpen={open === 'cancelDay'} onClose={close} />
    </>
  );
}

type SlotDialogProps = { slot: CoachSlot; isOpen: boolean; onClose: () => void };

function DeleteSlotDialog({ slot, isOpen, onClose }: SlotDialogProps) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi(lessonsApi.deleteSlot, { slotId: slot.slotId }),
    // Not a callback of `mutate`: a live update may have removed this dialog with its lesson.
    onSuccess: async () => {
      toastSuccess('Lesson deleted', slot.title);
      // The coach may have gone to another page in the meantime.
      if (history.location.pathname.endsWith(slot.slotId)) {
        await navigate({
          to: '/coach/calendar',
          search: { date: wallTimeOf(slot.startTime).date },
          replace: true,
        });
      }
      void invalidate(client, slotReads);
    },
  });
  const confirm = () =>
    remove.mutate(undefined, {
      onError: (error) => {
        toastError(error.message);
        if (!isSessionOver(error as AppError)) onClose();
        void invalidate(client, slotReads);
      },
    });
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(next) => next || onClose()}
      title="Delete this lesson?"
      confirmLabel="Delete lesson"
      cancelLabel="Keep lesson"
      isDestructive
      isPending={remove.isPending}
      pendingLabel="Deleting..."
      onConfirm={confirm}
    >
      <p>
        {slot.title}, {formatLessonTime(slot.startTime, slot.endTime, Date.now())}. Nobody has booked it, so
        nobody will be emailed. You can't undo this.
      </p>
    </ConfirmDialog>
  );
}

function CompleteSlotDialog({ slot, isOpen, onClose }: SlotDialogProps) {
  const complete = useSlotChange(lessonsApi.completeSlot);
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(next) => next || onClose()}
      title="Mark this lesson as completed?"
      confirmLabel="Mark as completed"
      cancelLabel="Not yet"
      isPending={complete.isPending}
      pendingLabel="Saving..."
      onConfirm={() =>
        complete.mutate(
          { slotId: slot.slotId },
          {
            onSuccess: () => {
              toastSuccess('Lesson completed', slot.title);
              onClose();
            },
            onError: (error) => {
              toastError(error.message);
              if (!isSessionOver(error)) onClose();
            },
          },
        )
      }
    >
      <p>
        After this, you can still record attendance, but you can no longer cancel the lesson. Past lessons are
        marked as completed automatically.
      </p>
    </ConfirmDialog>
  );
}
