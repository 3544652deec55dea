import { type RawBuilder, sql } from 'kysely';

/** SQL for the current day in London. */
export const londonToday = sql<string>`(now() at time zone 'Europe/London')::date`;

/**
 * SQL: whether the coach in this row takes bookings today. It compares the day, so no seat is booked
 * once the coach's documents have ended, even before a job hides the coach.
 */
export const takesBookings = (coach: string) => sql<boolean>`(${sql.ref(`${coach}.is_active`)}
  and ${sql.ref(`${coach}.listed_until`)} >= ${londonToday})`;

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
    (select nation from locations held_at where held_at.location_id = ${sql.ref(`${slot}.location_id`)}))
    < ${dayOf(slot)})`;

/** SQL for the London day of a slot. */
const dayOf = (slot: string) => sql`(${sql.ref(`${slot}.start_time`)} at time zone 'Europe/London')::date`;
