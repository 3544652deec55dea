import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { callApi, invalidate, useApi } from '#web/app/api/api.ts';
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

/**
 * How many people have a seat in one of the coach's lessons, what they paid in total, and what cancelling it refunds
 * to those who cancelled late, in cents; undefined until known.
 */
export function useBookedPeople(slotId: string) {
  const read = useApi(bookingsApi.listAttendees, { slotId }, { staleTime: 0 });
  const kept = read.data?.attendees.filter(({ status }) => status === 'booked' || status === 'attended');
  const paidCents = kept?.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const late = read.data?.attendees.filter(
    ({ status, amountCents, refundedCents }) =>
      (status === 'cancelled' || status === 'refunded') && refundedCents < amountCents,
  );
  const keptCents = late?.reduce(
    (sum, { amountCents, refundedCents }) => sum + amountCents - refundedCents,
    0,
  );
  const booked = kept && {
    people: kept.length,
    paidCents: paidCents!,
    lateCancellers: late!.length,
    keptCents: keptCents!,
  };
  return { ...read, booked };
}

/** "1 person", "3 people". */
export const countPeople = (people: number) => (people === 1 ? '1 person' : `${people} people`);

/** "1 lesson", "3 lessons". */
export const countLessons = (lessons: number) => (lessons === 1 ? '1 lesson' : `${lessons} lessons`);

/** The text of the toast afterwards: "3 people are emailed and £150.00 is refunded." */
export function describeCancelled(done: { people: number; lateCancellers: number; refundCents: number }) {
  const people = done.people + done.lateCancellers;
  if (people === 0) return 'Nobody had booked.';
  const notified = people === 1 ? '1 person is emailed' : `${people} people are emailed`;
  return done.refundCents > 0
    ? `${notified} and ${formatPounds(done.refundCents)} is refunded.`
    : `${notified}.`;
}
