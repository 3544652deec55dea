import { sql } from 'kysely';

/** SQL for the current day in London. */
export const londonToday = sql<string>`(now() at time zone 'Europe/London')::date`;

/**
 * SQL: whether the coach in this row takes bookings today. It compares the day, so no seat is booked
 * once the coach's documents have ended, even before a job hides the coach.
 */
export const takesBookings = (coach: string) => sql<boolean>`(${sql.ref(`${coach}.is_active`)}
  and ${sql.ref(`${coach}.listed_until`)} >= ${londonToday})`;
