import { deniedMessages, type Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Asserts that a person is or was a coach, because earnings outlive the role (docs/decisions/0047). Throws
 * `forbidden` for anyone else.
 */
export async function assertCoachRecord(db: Database, { userId, roles }: Person): Promise<void> {
  if (roles.includes('coach')) return;
  const coach = await db
    .selectFrom('coaches')
    .select('coachId')
    .where('coachId', '=', userId)
    .executeTakeFirst();
  if (!coach) throw new AppError('forbidden', deniedMessages.coach);
}
