import { sql } from 'kysely';

/**
 * SQL of what the public calls a coach, whose profile has this alias: in discover, on lessons and the coach's page.
 * The rule is the function in `migrations/0005_businesses.sql`; SQL that is written as text calls it directly.
 * Admins, the team and payouts read `fullName`.
 */
export const coachPublicName = (profile: string) => sql<string>`coach_public_name(${sql.table(profile)})`;
