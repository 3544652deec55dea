import type { Person } from '#domain/access.ts';
import { refuseCreateSlots, type SlotPlan } from '#domain/catalogue/slot-plan.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { LessonTemplate } from '#domain/catalogue/template.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { type CheckedSlot, checkPlan } from './plan-slots.ts';
import { listSlotsById } from './queries.ts';
import { copyTemplate } from './slot-columns.ts';

/**
 * Publishes all of a plan's slots for the acting coach, or none; skips slots that already exist. Throws the errors of
 * {@link checkPlan}, `unprocessable` if the plan has no slots or a time is in the past, `conflict` if all slots exist,
 * and `overlap`, which names the lessons concerned, if a slot would overlap one of the coach's scheduled lessons.
 */
export async function createSlots(db: Database, actor: Person, plan: SlotPlan): Promise<CoachSlot[]> {
  const now = Date.now();
  try {
    return await db.transaction().execute(async (tx) => {
      // Locks the coach, because two simultaneous plans of one coach could deadlock.
      await tx
        .selectFrom('coaches')
        .select('coachId')
        .where('coachId', '=', actor.userId)
        .forNoKeyUpdate()
        .execute();
      const { template, slots } = await checkPlan(tx, actor.userId, plan, now);
      assertAllowed(refuseCreateSlots(slots, now));
      const fresh = slots.filter((slot) => slot.obstacle === null);
      const slotIds = await insertSlots(tx, template, plan.locationId, fresh);
      await recordAudit(tx, actor, {
        action: 'slots.created',
        subjectType: 'lesson_template',
        subjectId: template.templateId,
        after: { slotIds },
      });
      return listSlotsById(tx, actor.userId, slotIds);
    });
  } catch (error) {
    if (!isViolation(error, 'lesson_slots_never_overlap')) throw error;
    // Another request published or moved a lesson after the check. A second check finds that lesson.
    const { slots } = await checkPlan(db, actor.userId, plan, now);
    assertAllowed(refuseCreateSlots(slots, now));
    throw new AppError('overlap', 'Your calendar has just changed. Please check it and try again.');
  }
}

async function insertSlots(
  tx: Tx,
  template: LessonTemplate,
  locationId: string | null,
  slots: CheckedSlot[],
): Promise<string[]> {
  const rows = await tx
    .insertInto('lessonSlots')
    .values(
      slots.map(({ startTime, endTime }) => ({
        ...copyTemplate(template),
        locationId,
        startTime,
        endTime,
      })),
    )
    .returning('slotId')
    .execute();
  return rows.map(({ slotId }) => slotId);
}
