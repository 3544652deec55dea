import { sql } from 'kysely';

/**
 * SQL: the full name of a booking's coach, for admins; of a deleted account, the name that the booking kept. Needs the
 * aliases `booking` and `coach`, the coach's profile.
 */
export const coachFullName = sql<string>`
  case when coach.deleted_at is null then coach.full_name else booking.coach_name end`;
