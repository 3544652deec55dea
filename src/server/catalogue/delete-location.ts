import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';

/**
 * Removes a location from its coach's list; existing lessons keep the location. Throws `not_found` for a deleted
 * location or another coach's.
 */
export async function deleteLocation(db: Database, actor: Person, locationId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deleted = await tx
      .updateTable('locations')
      .set({ deletedAt: sql`now()` })
      .where('locationId', '=', locationId)
      .where('coachId', '=', actor.userId)
      .where('deletedAt', 'is', null)
      .returning('locationId')
      .executeTakeFirst();
    if (!deleted) throw new AppError('not_found', 'This location no longer exists.');
    await recordAudit(tx, actor, {
      action: 'location.deleted',
      subjectType: 'location',
      subjectId: locationId,
    });
  });
}
