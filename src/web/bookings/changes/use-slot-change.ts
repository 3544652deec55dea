import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { callApi, invalidate } from '#web/app/api/api.ts';
import { openSlotLists } from '#web/catalogue/open-slots.ts';

/** The endpoints to refetch after a change to a lesson: those that return the lesson or its bookings. */
export const slotReads = [
  slotsApi.getCoachSlot,
  slotsApi.listCoachSlots,
  slotsApi.previewSlots,
  openSlotLists,
  slotsApi.getOpenSlot,
  slotsApi.readAvailability,
  lessonsApi.listAttendees,
  announcementsApi.listSent,
  lessonsApi.previewCancelDay,
];

/**
 * Changes a published lesson, then refetches the lesson's data, even after a failure: the change may have been made and
 * only the response lost. The dialog does not wait for the refetch.
 */
export function useSlotChange<E extends Endpoint>(
  endpoint: E,
): UseMutationResult<OutputOf<E>, AppError, InputOf<E>> {
  const client = useQueryClient();
  return useMutation<OutputOf<E>, AppError, InputOf<E>>({
    mutationFn: (input) => callApi(endpoint, input),
    onSettled: () => void invalidate(client, slotReads),
  });
}
