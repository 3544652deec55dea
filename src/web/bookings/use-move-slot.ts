import { useQueryClient } from '@tanstack/react-query';
import { bookingsApi } from '#domain/bookings/contract.ts';
import type { CoachSlot } from '#domain/catalogue/contract.ts';
import { formatLessonTime, type PlainDate, toInstant, wallTimeOf } from '#domain/time.ts';
import { invalidate, useApiMutation } from '#web/app/api.ts';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';
import { slotReads } from './booked-people.ts';
import { instantAt } from './slot-blocks.ts';

/** Minutes since midnight of a London date. */
type Place = { date: PlainDate; minute: number };

/**
 * Moves an unbooked lesson to another place in the calendar, at once for the eye. Nobody but the coach is concerned, so
 * nothing is asked beforehand and "Undo" takes it back; what the server refuses goes back by itself, with its sentence.
 */
export function useMoveSlot() {
  const client = useQueryClient();
  const move = useApiMutation(bookingsApi.moveSlot, { invalidates: slotReads });

  function moveTo(slot: CoachSlot, { date, minute }: Place, isUndo = false) {
    const { startTime, endTime } = timesAt(slot, { date, minute });
    const before = wallTimeOf(slot.startTime);
    move.mutate(
      {
        slotId: slot.slotId,
        date,
        hour: Math.floor(minute / 60),
        minute: minute % 60,
        expectedBookedCount: 0,
      },
      {
        onSuccess: () => {
          const words = formatLessonTime(startTime, endTime, Date.now());
          if (isUndo) return toastSuccess('Moved back', `${slot.title}, ${words}`);
          toastSuccess('Lesson moved', `${slot.title}, ${words}`, {
            label: 'Undo',
            onClick: () =>
              moveTo(
                { ...slot, startTime, endTime },
                { date: before.date, minute: before.hour * 60 + before.minute },
                true,
              ),
          });
        },
        onError: (error) => {
          toastError(error.message);
          void invalidate(client, slotReads);
        },
      },
    );
  }

  /** The slots as they will be once the server has agreed. */
  function withMove(slots: readonly CoachSlot[]): readonly CoachSlot[] {
    const { variables } = move;
    if (!move.isPending || !variables) return slots;
    const place = { date: variables.date, minute: variables.hour * 60 + variables.minute };
    return slots.map((slot) =>
      slot.slotId === variables.slotId ? { ...slot, ...timesAt(slot, place) } : slot,
    );
  }

  return { moveTo, withMove, isMoving: move.isPending };
}

function timesAt({ startTime, endTime }: CoachSlot, { date, minute }: Place) {
  const start = instantAt(date, minute);
  return {
    startTime: start,
    endTime: toInstant(Date.parse(start) + Date.parse(endTime) - Date.parse(startTime)),
  };
}
