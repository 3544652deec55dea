import { sql } from 'kysely';

/**
 * SQL for a coach's public name, as shown in discover, on lessons and on the coach's page; `profile` is a table alias.
 * The SQL function in `migrations/0005_businesses.sql` defines the rule; raw SQL calls it directly. Admins, the team
 * and payouts use `fullName`.
 */
export const coachPublicName = (profile: string) => sql<string>`coach_public_name(${sql.table(profile)})`;
