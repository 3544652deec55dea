import { sql } from 'kysely';

/**
 * SQL: the full name of a booking's coach, for admins. If the account is deleted, the name stored with the booking.
 * Needs the aliases `booking` and `coach` (the coach's profile).
 */
export const coachFullName = sql<string>`
  case when coach.deleted_at is null then coach.full_name else booking.coach_name end`;
