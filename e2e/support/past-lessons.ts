import { sql } from 'kysely';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { addDays } from '#domain/time.ts';
import { putLesson } from '#server/test-support/lessons.test-support.ts';
import { call } from './api.ts';
import { bookByApi, publishAt } from './club.ts';
import { today, unique } from './coaching.ts';
import { changeDatabase } from './database.ts';
import { openCoach, openCustomer } from './people.ts';

/** Moves a lesson and its bookings so that the lesson, an hour long, ended this many hours ago. */
export const endLesson = ({ slotId }: { slotId: string }, hoursAgo: number): Promise<void> =>
  changeDatabase((db) => putLesson(db, slotId, { startMs: Date.now() - (hoursAgo + 1) * 3_600_000 }));

/**
 * Creates a coach and a customer with paid one-hour lessons that ended two, four and so on hours ago. Tests of payouts
 * need their own lessons, because what is payable at the demo club depends on the hour.
 */
export async function openTaughtCoach(fullName: string, { lessons = 1, hasBankDetails = true } = {}) {
  const coach = await openCoach(fullName);
  const customer = await openCustomer();
  for (let index = 0; index < lessons; index += 1) {
    const start = { date: addDays(today(), 9 + index), hour: 10 };
    const slot = await publishAt(coach, start, { title: unique('Short game'), priceCents: 4500 + index });
    await bookByApi(customer, slot);
    await endLesson(slot, 2 + 2 * index);
  }
  if (hasBankDetails) {
    const account = { accountName: fullName, sortCode: '08-99-99', accountNumber: '66374958' };
    await call(coach, payoutsApi.saveBankDetails, account);
  }
  return { coach, customer };
}

/** Makes the notes of a booking this many days older. */
export const ageNotes = (bookingId: string, days: number): Promise<void> =>
  changeDatabase((db) =>
    db.transaction().execute(async (tx) => {
      const earlier = sql`interval '1 day' * ${days}::integer`;
      // Triggers refuse changes to a note's `locked_at` and `created_at`.
      await sql`alter table session_notes disable trigger user`.execute(tx);
      await sql`update session_notes set locked_at = locked_at - ${earlier}, created_at = created_at - ${earlier}
        where booking_id = ${bookingId}::uuid`.execute(tx);
      await sql`alter table session_notes enable trigger user`.execute(tx);
    }),
  );
