import { bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { formatPounds } from '#domain/money.ts';
import { useApi } from '#web/app/api.ts';

/** Everything on a coach's screens that another time, place or end of a lesson changes. */
export const slotReads = [
  catalogueApi.getCoachSlot,
  catalogueApi.listCoachSlots,
  catalogueApi.previewSlots,
  catalogueApi.discoverSlots,
  catalogueApi.getOpenSlot,
  bookingsApi.listAttendees,
  bookingsApi.previewCancelDay,
];

/** How many have a place in one of the coach's lessons, and what they paid in all, in cents; undefined until known. */
export function useBookedPeople(slotId: string) {
  const read = useApi(bookingsApi.listAttendees, { slotId }, { staleTime: 0 });
  const kept = read.data?.attendees.filter(({ status }) => status === 'booked' || status === 'attended');
  const paidCents = kept?.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { ...read, booked: kept && { people: kept.length, paidCents: paidCents! } };
}

/** "1 person", "3 people". */
export const countPeople = (people: number) => (people === 1 ? '1 person' : `${people} people`);

/** "1 lesson", "3 lessons". */
export const countLessons = (lessons: number) => (lessons === 1 ? '1 lesson' : `${lessons} lessons`);

/** What was done, for the toast after it: "3 people are told, £150.00 goes back to them." */
export function describeCancelled({ people, refundCents }: { people: number; refundCents: number }) {
  if (people === 0) return 'Nobody had booked.';
  const told = people === 1 ? '1 person is told' : `${people} people are told`;
  return refundCents > 0 ? `${told} and ${formatPounds(refundCents)} goes back.` : `${told}.`;
}
