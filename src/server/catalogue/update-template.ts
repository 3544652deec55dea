import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import { isSameContent } from '#domain/catalogue/lesson-content.ts';
import type { LessonTemplate, templateInput } from '#domain/catalogue/template.ts';
import { auditedFields } from '#domain/catalogue/template.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { getTemplate } from './queries.ts';
import { rememberPrice } from './remember-price.ts';

/**
 * Changes one of the acting coach's templates; throws `not_found` for any other template, and `unprocessable` if its
 * lessons would have too many different prices. Published slots keep their price, capacity, type, length and age range.
 * They show the new title, description and sport, and customers are notified of these changes.
 */
export function updateTemplate(
  db: Database,
  actor: Person,
  { templateId, ...changes }: z.output<typeof templateInput> & { templateId: string },
): Promise<LessonTemplate> {
  return db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('lessonTemplates')
      .select('templateId')
      .where('templateId', '=', templateId)
      .where('coachId', '=', actor.userId)
      .forUpdate()
      .execute();
    const before = await getTemplate(tx, actor.userId, templateId);
    const change = describeChange<LessonTemplate>(before, changes, auditedFields);
    if (!change) return before;
    await tx.updateTable('lessonTemplates').set(changes).where('templateId', '=', templateId).execute();
    if (before.basePriceCents !== changes.basePriceCents) {
      await rememberPrice(tx, templateId, before.basePriceCents, 'basePriceCents');
    }
    if (before.sport !== changes.sport) {
      await tx
        .updateTable('lessonSlots')
        .set({ sport: changes.sport })
        .where('templateId', '=', templateId)
        .where('status', '=', 'scheduled')
        .execute();
    }
    if (!isSameContent(before, changes)) await enqueue(tx, 'bookings.template-changed', { templateId });
    await recordAudit(tx, actor, {
      action: 'template.changed',
      subjectType: 'lesson_template',
      subjectId: templateId,
      ...change,
    });
    return getTemplate(tx, actor.userId, templateId);
  });
}
