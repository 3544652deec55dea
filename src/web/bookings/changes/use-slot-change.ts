import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { callApi, invalidate } from '#web/app/api/api.ts';
import { openSlotLists } from '#web/catalogue/open-slots.ts';

/** The reads that show a lesson and its bookings to its coach, and the lesson to customers. */
export const slotReads = [
  catalogueApi.getCoachSlot,
  catalogueApi.listCoachSlots,
  catalogueApi.previewSlots,
  openSlotLists,
  catalogueApi.getOpenSlot,
  catalogueApi.readAvailability,
  bookingsApi.listAttendees,
  bookingsApi.previewCancelDay,
];

/**
 * Changes a published lesson. Its data is fetched again afterwards, also after a failure: the change may have been
 * made and only the response lost. The dialog does not wait for that.
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
