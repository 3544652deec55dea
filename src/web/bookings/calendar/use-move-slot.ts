import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { AppError } from '#domain/errors.ts';
import { formatLessonTime, type PlainDate, toInstant, wallTimeOf } from '#domain/time.ts';
import { invalidate } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { slotReads } from '../changes/use-slot-change.ts';
import { instantAt } from './slot-blocks.ts';

/** A London date and local time, in minutes since midnight. */
type Position = { date: PlainDate; minute: number };

/** A lesson being moved, with its new times. */
type Move = Pick<CoachSlot, 'slotId' | 'startTime' | 'endTime'>;

/**
 * Moves an unbooked lesson in the calendar, optimistically. Only the coach is affected, so there is no
 * confirmation; the toast offers "Undo". A move that the server refuses is reverted, and the refusal is
 * shown. Each move is sent only after the previous move has been answered.
 */
export function useMoveSlot() {
  const client = useQueryClient();
  const { mutateAsync: move } = useApiMutation(lessonsApi.moveSlot, { invalidates: slotReads });
  const [underway, setUnderway] = useState<readonly Move[]>([]);
  const answered = useRef(Promise.resolve());

  function moveTo(slot: CoachSlot, { date, minute }: Position, isUndo = false) {
    const { slotId, title } = slot;
    const own: Move = { slotId, ...timesAt(slot, { date, minute }) };
    setUnderway((moves) => [...moves, own]);
    const hour = Math.floor(minute / 60);
    answered.current = answered.current
      .then(() => move({ slotId, date, hour, minute: minute % 60, expectedBookedCount: 0 }))
      .then(
        () => {
          const text = `${title}, ${formatLessonTime(own.startTime, own.endTime, Date.now())}`;
          if (isUndo) return toastSuccess('Moved back', text);
          const before = wallTimeOf(slot.startTime);
          const back = { date: before.date, minute: before.hour * 60 + before.minute };
          const undo = () => moveTo({ ...slot, ...own }, back, true);
          toastSuccess('Lesson moved', text, { label: 'Undo', onClick: undo });
        },
        (error: AppError) => {
          toastError(error.message);
          void invalidate(client, slotReads);
        },
      )
      .then(() => setUnderway((moves) => moves.filter((one) => one !== own)));
  }

  /** The slots with the pending moves applied. */
  function withMoves(slots: readonly CoachSlot[]): readonly CoachSlot[] {
    if (underway.length === 0) return slots;
    return slots.map((slot) => ({ ...slot, ...underway.findLast(({ slotId }) => slotId === slot.slotId) }));
  }

  return { moveTo, withMoves };
}

function timesAt({ startTime, endTime }: CoachSlot, { date, minute }: Position) {
  const start = instantAt(date, minute);
  return {
    startTime: start,
    endTime: toInstant(Date.parse(start) + Date.parse(endTime) - Date.parse(startTime)),
  };
}
