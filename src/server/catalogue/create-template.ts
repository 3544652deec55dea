import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import type { LessonTemplate, templateInput } from '#domain/catalogue/template.ts';
import { auditedFields } from '#domain/catalogue/template.ts';
import type { Database } from '#server/platform/db/db.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { getTemplate } from './queries.ts';

/** Creates a lesson template for the acting coach. */
export function createTemplate(
  db: Database,
  actor: Person,
  template: z.output<typeof templateInput>,
): Promise<LessonTemplate> {
  return db.transaction().execute(async (tx) => {
    const { templateId } = await tx
      .insertInto('lessonTemplates')
      .values({ ...template, coachId: actor.userId })
      .returning('templateId')
      .executeTakeFirstOrThrow();
    await recordAudit(tx, actor, {
      action: 'template.created',
      subjectType: 'lesson_template',
      subjectId: templateId,
      ...describeChange(null, template, auditedFields),
    });
    return getTemplate(tx, actor.userId, templateId);
  });
}
