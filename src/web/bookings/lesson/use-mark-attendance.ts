import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { callApi, invalidate, keyOf } from '#web/app/api/api.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';

type Mark = { bookingId: string; attended: boolean | null };

/**
 * Marks a person's attendance and shows the mark immediately. Marks are sent one after the other, so that the
 * last tap wins; the list is refetched after the last mark. A tap also discards the response to any request
 * for the list that is still running.
 */
export function useMarkAttendance(slotId: string): (mark: Mark) => void {
  const client = useQueryClient();
  const mutationKey = ['attendance', slotId];
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: `attendance-${slotId}` },
    mutationFn: (mark: Mark) => callApi(lessonsApi.markAttendance, mark),
    onError: (error) => toastError(error.message),
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) void invalidate(client, [lessonsApi.listAttendees]);
    },
  });
  return ({ bookingId, attended }) => {
    const queryKey = keyOf(lessonsApi.listAttendees, { slotId });
    void client.cancelQueries({ queryKey });
    client.setQueryData<OutputOf<typeof lessonsApi.listAttendees>>(
      queryKey,
      (known) =>
        known && {
          attendees: known.attendees.map((attendee) =>
            attendee.bookingId === bookingId
              ? { ...attendee, attended, status: attended ? 'attended' : 'booked' }
              : attendee,
          ),
        },
    );
    mutate({ bookingId, attended });
  };
}

/** The longest possible delay of a browser's timer, in ms. */
const longestWait = 2 ** 31 - 1;

/** True once the lesson has started; updates while the page is open. */
export function useHasStarted(startTime: string): boolean {
  const startMs = Date.parse(startTime);
  const [hasStarted, setHasStarted] = useState(() => startMs <= Date.now());
  useEffect(() => {
    const wait = startMs - Date.now();
    setHasStarted(wait <= 0);
    if (wait <= 0 || wait > longestWait) return;
    const timer = setTimeout(() => setHasStarted(true), wait);
    return () => clearTimeout(timer);
  }, [startMs]);
  return hasStarted;
}
