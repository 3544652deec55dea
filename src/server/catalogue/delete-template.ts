import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';

/**
 * Removes a template from its coach's list; its slots and bookings are unchanged. Throws `not_found` for a deleted
 * template or another coach's.
 */
export async function deleteTemplate(db: Database, actor: Person, templateId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deleted = await tx
      .updateTable('lessonTemplates')
      .set({ deletedAt: sql`now()` })
      .where('templateId', '=', templateId)
      .where('coachId', '=', actor.userId)
      .where('deletedAt', 'is', null)
      .returning('templateId')
      .executeTakeFirst();
    if (!deleted) throw new AppError('not_found', 'This lesson template no longer exists.');
    await recordAudit(tx, actor, {
      action: 'template.deleted',
      subjectType: 'lesson_template',
      subjectId: templateId,
    });
  });
}
