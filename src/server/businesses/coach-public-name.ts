import { sql } from 'kysely';

/**
 * SQL for a coach's public name, as shown in discover, on lessons and on the coach's page; `profile` is a table alias.
 * The SQL function in `migrations/0005_businesses.sql` defines the rule; raw SQL calls it directly. Admins, the team
 * and payouts use `fullName`.
 */
export const coachPublicName = (profile: string) => sql<string>`coach_public_name(${sql.table(profile)})`;

/** SQL for the last segment of the URL of a coach's page; `coachId` is a column. */
export const coachAddressOf = (coachId: string) =>
  sql<
    string | null
  >`(select coach.coach_address from profiles coach where coach.user_id = ${sql.ref(coachId)})`;
