import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Tx } from '#server/platform/db/db.ts';

/**
 * SQL: whether a participant may not take part in a lesson because they will be under 18 on its day and the
 * coach's checks don't cover that day at the lesson's location. `coach` and `slot` are aliases of rows;
 * `participantId` is SQL. If the club requires nothing, this costs one comparison for most coaches.
 */
export const isMinorUncovered = (
  coach: string,
  slot: string,
  participantId: RawBuilder<unknown>,
) => sql<boolean>`(
  least(${sql.ref(`${coach}.minors_until`)}, ${sql.ref(`${coach}.minors_until_dbs`)},
    ${sql.ref(`${coach}.minors_until_pvg`)}, ${sql.ref(`${coach}.minors_until_access_ni`)}) < 'infinity'
  and exists (
    select from participants minor where minor.participant_id = ${participantId}
      and minor.date_of_birth > ${dayOf(slot)} - interval '18 years')
  and minors_until_at(${sql.ref(coach)}, ${sql.ref(`${slot}.location_id`)},
    nation_of(${sql.ref(`${slot}.location_id`)})) < ${dayOf(slot)})`;

/** SQL for the London day of a slot. */
const dayOf = (slot: string) => sql`(${sql.ref(`${slot}.start_time`)} at time zone 'Europe/London')::date`;

/**
 * Changes the time or location of lessons, which the caller has locked; `lessons` is a condition on their `slot`.
 * Throws `conflict` if someone under 18 has or holds a seat and the coach's checks covered them only before the change.
 */
export async function keepMinorsCovered<T>(
  tx: Tx,
  lessons: RawBuilder<unknown>,
  refusal: { field: string; message: string },
  change: () => Promise<T>,
): Promise<T> {
  const readUncovered = async () => {
    const { rows } = await sql<{ bookingId: string }>`
      select booking_id
      from lesson_slots slot join coaches coach using (coach_id) join bookings booking using (slot_id)
      where ${lessons} and booking.is_active
        and ${isMinorUncovered('coach', 'slot', sql`booking.participant_id`)}`.execute(tx);
    return rows.map(({ bookingId }) => bookingId);
  };
  const before = new Set(await readUncovered());
  const changed = await change();
  const after = await readUncovered();
  if (after.some((bookingId) => !before.has(bookingId))) {
    const { field, message } = refusal;
    throw new AppError('conflict', message, { fields: { [field]: message } });
  }
  return changed;
}
