import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { useApi } from '#web/app/api/api.ts';

/**
 * Counts the people booked on one of the coach's lessons, and sums up what they paid. `lateCancellers`: the number
 * of people who cancelled without a full refund; `keptCents`: the part of their payments that was not refunded, which
 * they get back if the coach cancels. Amounts in minor units; `booked` is undefined until loaded.
 */
export function useBookedPeople(slotId: string) {
  const read = useApi(lessonsApi.listAttendees, { slotId }, { staleTime: 0 });
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

/** Formats a number of people: "1 person", "3 people". */
export const countPeople = (people: number) => (people === 1 ? '1 person' : `${people} people`);

/** Formats a number of lessons: "1 lesson", "3 lessons". */
export const countLessons = (lessons: number) => (lessons === 1 ? '1 lesson' : `${lessons} lessons`);

/** The text of the toast after lessons were cancelled: "3 people will be emailed and £150.00 will be refunded." */
export function describeCancelled(done: { people: number; lateCancellers: number; refundCents: number }) {
  const people = done.people + done.lateCancellers;
  if (people === 0) return 'Nobody was booked.';
  const notified = people === 1 ? '1 person will be emailed' : `${people} people will be emailed`;
  return done.refundCents > 0
    ? `${notified} and ${formatPounds(done.refundCents)} will be refunded.`
    : `${notified}.`;
}

/**
 * What customers receive after the coach has cancelled a lesson; empty if nobody had booked it. `attendees` includes
 * people who cancelled before the coach did, so this doesn't claim that anyone was still booked.
 */
export function describeNotified(attendees: readonly { amountCents: number }[]): string {
  if (attendees.length === 0) return '';
  const wasPaid = attendees.some(({ amountCents }) => amountCents > 0);
  return `Anyone still booked gets an email${wasPaid ? ', and every payment is refunded in full' : ''}.`;
}
