import { useState } from 'react';
import { type CancelledLesson, lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { formatDay, formatTimes, instantOf, type PlainDate } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { countLessons, countPeople, describeCancelled } from '../lesson/booked-people.ts';
import { CancellationReasonField } from './cancellation-reason-field.tsx';
import { useSlotChange } from './use-slot-change.ts';

type CancelDayDialogProps = {
  /** The London date whose lessons are to be cancelled. */
  date: PlainDate;
  isOpen: boolean;
  onClose: () => void;
  /** Called after the dialog has closed, with the cancelled lessons in chronological order. */
  onCancelled?: (lessons: CancelledLesson[]) => void;
};

/** Lists a day's lessons with the people affected and the refunds, and cancels all these lessons. */
export function CancelDayDialog({ date, isOpen, onClose, onCancelled }: CancelDayDialogProps) {
  const cancel = useSlotChange(lessonsApi.cancelDay);
  const noon = instantOf({ date, hour: 12, minute: 0 }).instant;
  const day = formatDay(noon, Date.now());
  const close = () => {
    if (cancel.isPending) return;
    cancel.reset();
    onClose();
  };
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || close()}>
      <DialogContent
        title={`Cancel ${day}?`}
        description="All lessons on that day that haven't started will be cancelled."
      >
        <CancelDay
          date={date}
          day={day}
          cancel={cancel}
          onClose={close}
          onDone={(lessons) => {
            onClose();
            onCancelled?.(lessons);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

type CancelDayProps = {
  date: PlainDate;
  day: string;
  cancel: ReturnType<typeof useSlotChange<typeof lessonsApi.cancelDay>>;
  onClose: () => void;
  onDone: (lessons: CancelledLesson[]) => void;
};

function CancelDay(props: CancelDayProps) {
  const { date, day, cancel, onClose } = props;
  const query = useApi(lessonsApi.previewCancelDay, { date }, { staleTime: 0 });
  return (
    <QueryView
      query={query}
      isPart
      failure="Failed to load lesson slots"
      frame={(failure) => <DialogBody>{failure}</DialogBody>}
      skeleton={
        <DialogBody>
          <SkeletonRows label="Loading that day's lessons..." />
        </DialogBody>
      }
      isEmpty={({ lessons }) => lessons.length === 0}
      empty={
        <>
          <DialogBody>
            {cancel.error?.code === 'unavailable' ? (
              <EmptyState title="The day is cancelled" className="py-6">
                We lost the connection, but no lessons are left to cancel on {day}. We'll email everyone who
                was booked on a cancelled lesson.
              </EmptyState>
            ) : (
              <EmptyState title="No lessons to cancel" className="py-6">
                You have no lessons left to cancel on {day}.
              </EmptyState>
            )}
          </DialogBody>
          <DialogFooter>
            <Button onClick={onClose}>Close</Button>
          </DialogFooter>
        </>
      }
    >
      {({ lessons }) => <CancelDayForm {...props} lessons={lessons} />}
    </QueryView>
  );
}

type CancelDayFormProps = Omit<CancelDayProps, 'day'> & { lessons: CancelledLesson[] };

function CancelDayForm({ date, lessons, cancel, onClose, onDone }: CancelDayFormProps) {
  const [reason, setReason] = useState('');
  const total = sumUp(lessons);

  const save = () =>
    cancel.mutate(
      { date, reason },
      {
        onSuccess: ({ lessons: cancelled }) => {
          toastSuccess(`${countLessons(cancelled.length)} cancelled`, describeCancelled(sumUp(cancelled)));
          onDone(cancelled);
        },
      },
    );

  return (
    <DialogForm
      onSubmit={save}
      refusal={cancel.error}
      cancel="Keep lessons"
      onCancel={onClose}
      submit={`Cancel ${countLessons(lessons.length)}`}
      isDestructive
      isPending={cancel.isPending}
      pendingLabel={`Cancelling ${countLessons(lessons.length)}...`}
    >
      <p className="text-sm font-medium tabular-nums">{describeTotal(lessons.length, total)}</p>
      <ul aria-label="Lessons to be cancelled" className="divide-y border-y text-sm">
        {lessons.map((lesson) => (
          <LessonRow key={lesson.slotId} lesson={lesson} />
        ))}
      </ul>
      <CancellationReasonField
        value={reason}
        onValueChange={setReason}
        error={cancel.error?.fields?.reason}
        hasReaders={total.people + total.lateCancellers > 0}
      />
    </DialogForm>
  );
}

function LessonRow({ lesson }: { lesson: CancelledLesson }) {
  const { title, startTime, endTime, people, refundCents } = lesson;
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 py-2.5 sm:grid-cols-[6.5rem_1fr_auto]">
      <span className="font-medium tabular-nums">{formatTimes(startTime, endTime)}</span>
      <span className="min-w-0 wrap-anywhere max-sm:col-start-1 max-sm:row-start-2">{title}</span>
      <span className="text-right max-sm:row-span-2 max-sm:row-start-1 max-sm:col-start-2">
        <Money cents={refundCents} className="block font-medium" />
        <span className="block text-xs text-muted-foreground tabular-nums">
          {people === 0 ? 'no bookings' : countPeople(people)}
        </span>
      </span>
    </li>
  );
}

function sumUp(lessons: readonly CancelledLesson[]) {
  return {
    people: lessons.reduce((sum, lesson) => sum + lesson.people, 0),
    lateCancellers: lessons.reduce((sum, lesson) => sum + lesson.lateCancellers, 0),
    refundCents: lessons.reduce((sum, lesson) => sum + lesson.refundCents, 0),
  };
}

function describeTotal(lessons: number, total: ReturnType<typeof sumUp>): string {
  const { people, lateCancellers, refundCents } = total;
  if (lateCancellers > 0) {
    const late = `${countPeople(lateCancellers)} who cancelled late`;
    const who = people > 0 ? `Everyone who booked, and ${late},` : late;
    return `${countLessons(lessons)}. ${who} will be emailed, and ${formatPounds(refundCents)} will be refunded in total.`;
  }
  if (people === 0) return `${countLessons(lessons)}. Nobody is booked, so no emails will be sent.`;
  const bookings = people === 1 ? '1 booking' : `${people} bookings`;
  const money = refundCents > 0 ? `, and ${formatPounds(refundCents)} will be refunded in full` : '';
  return `${countLessons(lessons)} with ${bookings}: everyone will be emailed${money}.`;
}
