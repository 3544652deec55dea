import { useState } from 'react';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { moveInput, planMove, refuseMoveSlot, refuseOverlap } from '#domain/bookings/slot-changes.ts';
import { lessonMinutes } from '#domain/catalogue/rules.ts';
import { type CoachSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { addDays, formatLessonTime, formatTime, instantOf, type WallTime, wallTimeOf } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { StartTimeField } from '#web/catalogue/start-time-field.tsx';
import { DatePicker } from '#web/ui/form/date-picker.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Dialog, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { useBookedPeople } from '../lesson/booked-people.ts';
import { useSlotChange } from './use-slot-change.ts';

type MoveSlotDialogProps = {
  slot: CoachSlot;
  isOpen: boolean;
  onClose: () => void;
  /** The London time that the form shows at first; by default, the lesson's start. */
  to?: WallTime;
  /** Called after the dialog has closed, with the lesson at its new time. */
  onMoved?: (slot: CoachSlot) => void;
};

/** Moves a lesson to another day or time, and explains the effect on its customers. */
export function MoveSlotDialog({ slot, isOpen, onClose, to, onMoved }: MoveSlotDialogProps) {
  const move = useSlotChange(lessonsApi.moveSlot);
  const close = () => {
    if (move.isPending) return;
    move.reset();
    onClose();
  };
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || close()}>
      <DialogContent
        title="Move lesson"
        description={`${slot.title}, currently ${formatLessonTime(slot.startTime, slot.endTime, Date.now())}`}
      >
        <MoveSlotForm
          slot={slot}
          to={to ?? wallTimeOf(slot.startTime)}
          move={move}
          onClose={close}
          onDone={(moved) => {
            onClose();
            onMoved?.(moved);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

type MoveSlotFormProps = {
  slot: CoachSlot;
  to: WallTime;
  move: ReturnType<typeof useSlotChange<typeof lessonsApi.moveSlot>>;
  onClose: () => void;
  onDone: (slot: CoachSlot) => void;
};

const minutesOf = ({ startTime, endTime }: CoachSlot) =>
  Math.round((Date.parse(endTime) - Date.parse(startTime)) / 60_000);

function MoveSlotForm({ slot, to, move, onClose, onDone }: MoveSlotFormProps) {
  const [wall, setWall] = useState(to);
  const [minutes, setMinutes] = useState(() => String(minutesOf(slot)));
  const [isTried, setTried] = useState(false);
  const { booked } = useBookedPeople(slot.slotId);
  const durationMinutes = minutes.trim() === '' ? Number.NaN : Number(minutes);
  const parsed = moveInput.safeParse({ ...wall, durationMinutes });
  const planned = parsed.success ? planMove(slot, parsed.data) : null;
  const isSame = planned?.startTime === slot.startTime && planned.endTime === slot.endTime;
  const others = useApi(slotsApi.listCoachSlots, {
    from: addDays(wall.date, -1),
    to: addDays(wall.date, 1),
  });
  const clash = planned && others.data?.slots.find((other) => isClash(slot, planned, other));
  const refusal =
    planned && !isSame
      ? (refuseMoveSlot(slot, planned, Date.now()) ?? (clash ? refuseOverlap(clash, Date.now()) : null))
      : null;
  const errors: Record<string, string | undefined> = { ...move.error?.fields, ...refusal?.fields };
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message;
  if (isSame && isTried) errors.hour ??= 'The lesson is already at this time. Choose another day or time.';

  function change(next: Partial<WallTime>) {
    move.reset();
    setWall({ ...wall, ...next });
  }

  function submit() {
    setTried(true);
    if (!parsed.success || isSame || refusal) return;
    move.mutate(
      { slotId: slot.slotId, ...parsed.data },
      {
        onSuccess: ({ slot: moved }) => {
          toastSuccess('Lesson moved', formatLessonTime(moved.startTime, moved.endTime, Date.now()));
          onDone(moved);
        },
      },
    );
  }

  return (
    <DialogForm
      onSubmit={submit}
      refusal={move.error ?? refusal}
      onCancel={onClose}
      submit="Move lesson"
      isPending={move.isPending}
      pendingLabel="Moving..."
    >
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField label="New date" error={errors.date}>
          <DatePicker value={wall.date} onValueChange={(date) => date && change({ date })} />
        </FormField>
        <StartTimeField
          label="New start time"
          hour={wall.hour}
          minute={wall.minute}
          onValueChange={change}
          error={errors.hour ?? errors.minute}
        />
        <FormField label="Duration" error={errors.durationMinutes}>
          <Input
            type="number"
            inputMode="numeric"
            min={lessonMinutes.min}
            max={lessonMinutes.max}
            step={5}
            trailing="minutes"
            value={minutes}
            onChange={(event) => {
              move.reset();
              setMinutes(event.target.value);
            }}
          />
        </FormField>
      </div>
      <div className="space-y-1.5 border-t pt-4 text-sm">
        <p role="status" className="font-medium tabular-nums">
          {planned &&
            !isSame &&
            `New time: ${formatLessonTime(planned.startTime, planned.endTime, Date.now())}`}
          {isSame && 'Choose a new day or time.'}
        </p>
        {planned && !isSame && <ClockRemark wall={wall} />}
        {booked && booked.people > 0 && <Consequences {...booked} />}
      </div>
    </DialogForm>
  );
}

/** True if `other` is another scheduled lesson that overlaps the new time. */
const isClash = (moved: CoachSlot, to: { startTime: string; endTime: string }, other: CoachSlot) =>
  other.slotId !== moved.slotId &&
  other.status === 'scheduled' &&
  Date.parse(other.startTime) < Date.parse(to.endTime) &&
  Date.parse(other.endTime) > Date.parse(to.startTime);

function ClockRemark({ wall }: { wall: WallTime }) {
  const { instant, occurrence } = instantOf(wall);
  if (occurrence === 'exact') return null;
  return (
    <p className="text-warning">
      {occurrence === 'skipped'
        ? `The clocks go forward that night, so this lesson would start at ${formatTime(instant)}.`
        : `The clocks go back that night, so ${formatTime(instant)} happens twice. This lesson would start the first time.`}
    </p>
  );
}

function Consequences({ people, paidCents }: { people: number; paidCents: number }) {
  const who =
    people === 1
      ? "1 person has booked. They'll keep their"
      : `${people} people have booked. They'll keep their`;
  const refund =
    paidCents > 0 ? ` for a full refund (${formatPounds(paidCents)}${people > 1 ? ' in total' : ''})` : '';
  return (
    <p className="text-muted-foreground tabular-nums">
      {who} place, will be emailed and can cancel{refund} until the lesson starts.
    </p>
  );
}
