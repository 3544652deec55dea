import { useState } from 'react';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { refundArrival } from '#domain/card-labels.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime, wallTimeOf } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { countPeople, describeCancelled, useBookedPeople } from '../lesson/booked-people.ts';
import { CancellationReasonField } from './cancellation-reason-field.tsx';
import { useSlotChange } from './use-slot-change.ts';

type CancelSlotDialogProps = {
  slot: CoachSlot;
  isOpen: boolean;
  onClose: () => void;
  /** Called if the coach wants to cancel the whole day instead. */
  onCancelDay: () => void;
};

/** Asks the coach to confirm cancelling a lesson, and states the people affected and the refunds. */
export function CancelSlotDialog({ slot, isOpen, onClose, onCancelDay }: CancelSlotDialogProps) {
  const cancel = useSlotChange(lessonsApi.cancelSlot);
  const close = () => {
    if (cancel.isPending) return;
    cancel.reset();
    onClose();
  };
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || close()}>
      <DialogContent
        title="Cancel this lesson?"
        description={`${slot.title}, ${formatLessonTime(slot.startTime, slot.endTime, Date.now())}`}
        size="sm"
      >
        <CancelSlotForm
          slot={slot}
          cancel={cancel}
          onClose={close}
          onDone={onClose}
          onCancelDay={onCancelDay}
        />
      </DialogContent>
    </Dialog>
  );
}

type CancelSlotFormProps = {
  slot: CoachSlot;
  cancel: ReturnType<typeof useSlotChange<typeof lessonsApi.cancelSlot>>;
  onClose: () => void;
  onDone: () => void;
  onCancelDay: () => void;
};

function CancelSlotForm({ slot, cancel, onClose, onDone, onCancelDay }: CancelSlotFormProps) {
  const query = useBookedPeople(slot.slotId);
  const { booked } = query;
  const [reason, setReason] = useState('');

  const save = () =>
    cancel.mutate(
      { slotId: slot.slotId, reason },
      {
        onSuccess: (done) => {
          toastSuccess('Lesson cancelled', describeCancelled(done));
          onDone();
        },
      },
    );

  const form = (
    <DialogForm
      onSubmit={save}
      refusal={cancel.error}
      cancel="Keep lesson"
      onCancel={onClose}
      submit="Cancel lesson"
      isDestructive
      isDisabled={!booked}
      isPending={cancel.isPending}
      pendingLabel="Cancelling..."
    >
      {booked ? (
        <CancelConsequences {...booked} />
      ) : (
        <Loading label="Loading attendees..." className="space-y-2">
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
        </Loading>
      )}
      <CancellationReasonField
        value={reason}
        onValueChange={setReason}
        error={cancel.error?.fields?.reason}
        hasReaders={booked === undefined || booked.people + booked.lateCancellers > 0}
      />
      <WholeDay slot={slot} onCancelDay={onCancelDay} isDisabled={cancel.isPending} />
    </DialogForm>
  );
  return (
    <QueryView
      query={query}
      isPart
      failure="Failed to load attendees"
      frame={(failure) => <DialogBody>{failure}</DialogBody>}
      skeleton={form}
    >
      {() => form}
    </QueryView>
  );
}

type BookedPeople = NonNullable<ReturnType<typeof useBookedPeople>['booked']>;

function CancelConsequences({ people, paidCents, lateCancellers, keptCents }: BookedPeople) {
  const late = lateCancellers > 0 && (
    <p className="text-sm tabular-nums">
      {countPeople(lateCancellers)} cancelled late. They'll get the remaining {formatPounds(keptCents)} back,
      so you won't earn anything from this lesson.
    </p>
  );
  if (people === 0) {
    return (
      late || (
        <p className="text-sm">
          Nobody is booked on this lesson. Customers will no longer be able to book it.
        </p>
      )
    );
  }
  const who = people === 1 ? '1 person has booked and will be' : `${people} people have booked and will be`;
  return (
    <div className="space-y-2 text-sm">
      <p className="font-medium tabular-nums">
        {paidCents > 0
          ? `${who} refunded in full: ${formatPounds(paidCents)}${people > 1 ? ' in total' : ''}.`
          : `${who} emailed.`}
      </p>
      <p className="text-muted-foreground">
        {paidCents > 0
          ? `We'll email ${people === 1 ? 'them' : 'everyone'}. Refunds reach their cards in ${refundArrival}. You can't undo this.`
          : "You can't undo this."}
      </p>
      {late}
    </div>
  );
}

type WholeDayProps = { slot: CoachSlot; onCancelDay: () => void; isDisabled: boolean };

/** Offers to cancel the whole day, since bad weather usually lasts; renders nothing if no other lesson is left. */
function WholeDay({ slot, onCancelDay, isDisabled }: WholeDayProps) {
  const { date } = wallTimeOf(slot.startTime);
  const { data } = useApi(lessonsApi.previewCancelDay, { date }, { staleTime: 0 });
  const others = data?.lessons.filter(({ slotId }) => slotId !== slot.slotId).length ?? 0;
  if (others === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground">
      You have {others === 1 ? '1 more lesson' : `${others} more lessons`} that day.
      <Button variant="link" className="touch:min-h-11" onClick={onCancelDay} disabled={isDisabled}>
        Cancel the whole day
      </Button>
    </p>
  );
}
