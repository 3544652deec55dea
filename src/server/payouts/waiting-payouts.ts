import { sql } from 'kysely';
import { nameAttendee } from '#domain/bookings/attendee-status.ts';
import type { WaitingPayout } from '#domain/payouts/earnings-contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { isWaiting, payoutWaitsFor } from '#server/progress/payout-condition.ts';
import { payableBookings } from './payable.ts';

/**
 * SQL: the payable bookings of a coach that wait for attendance or a note. No booking waits for more than 7 days after
 * its lesson, so the query reads only the last 8 days.
 */
const waitingOf = (coachId: string) =>
  payableBookings(sql`and slot.coach_id = ${coachId}::uuid and upper(booking.during) > now() - interval '8 days'
    and ${isWaiting}`);

/** The number of a coach's lessons whose payout waits for attendance or a note, and their sum in minor units. */
export async function readWaitingSum(
  db: Database,
  coachId: string,
): Promise<{ waitingCount: number; waitingCents: number }> {
  const { rows } = await sql<{ waitingCount: number; waitingCents: number }>`
    select count(*)::int as waiting_count, coalesce(sum(due.cents), 0)::bigint as waiting_cents
    ${waitingOf(coachId)}`.execute(db);
  return rows[0]!;
}

/** A coach's lessons whose payout waits for attendance or a note, oldest first, at most 100. */
export async function listWaitingPayouts(db: Database, coachId: string): Promise<WaitingPayout[]> {
  const { rows } = await sql<WaitingPayout>`
    select waiting.*, name_of_participant(participant) as participant_name from (
      select booking.booking_id, slot.slot_id, booking.title, slot.start_time, due.cents as amount_cents,
        booking.participant_id, ${payoutWaitsFor} as waits_for, slot.end_time + interval '7 days' as payable_at
      ${waitingOf(coachId)}
      order by slot.end_time, booking.booking_id
      limit 100
    ) waiting join participants participant using (participant_id)
    order by waiting.payable_at, waiting.booking_id`.execute(db);
  return rows.map((row) => ({ ...row, participantName: nameAttendee(row.participantName) }));
}
