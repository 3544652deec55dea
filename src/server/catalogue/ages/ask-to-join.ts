import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { nameParticipant } from '#domain/accounts/participants.ts';
import { refuseAge } from '#domain/catalogue/ages.ts';
import type { AgeRequest, agesApi } from '#domain/catalogue/ages-contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { lockParticipant } from '#server/accounts/participants/read-participants.ts';
import { composeAgeRequestMessage } from '#server/notifications/family-templates/ages.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/**
 * Asks the coach of a slot for an exception for a participant; the coach is notified once. Throws `conflict`
 * if no exception is needed or the date of birth is missing, and `not_found` if the slot has started or is
 * cancelled, or if the person may not act for the participant. Returns the state of the request.
 */
export function askToJoin(
  db: Database,
  actor: Person,
  { slotId, participantId }: ParsedInputOf<typeof agesApi.ask>,
): Promise<AgeRequest['status']> {
  return db.transaction().execute(async (tx) => {
    const participant = await lockParticipant(tx, actor.userId, participantId);
    const slot = await findSlot(tx, slotId);
    const name = nameParticipant(participant);
    if (!participant.dateOfBirth) throw new AppError('conflict', "Add this person's date of birth first.");
    if (!refuseAge({ ...participant, name }, slot)) {
      throw new AppError('conflict', 'This lesson is open to this age, so you can book it without asking.');
    }
    const asked = await tx
      .insertInto('ageRequests')
      .values({ templateId: slot.templateId, participantId, askedBy: actor.userId })
      .onConflict((conflict) => conflict.constraint('age_requests_once').doNothing())
      .returning('ageRequestId')
      .executeTakeFirst();
    if (!asked) return readStatus(tx, slot.templateId, participantId);
    await notifyCoach(tx, actor, {
      ...slot,
      ageRequestId: asked.ageRequestId,
      participantName: participant.fullName,
    });
    await recordAudit(tx, actor, {
      action: 'age_exception.asked',
      subjectType: 'lesson_template',
      subjectId: slot.templateId,
      after: { participantId },
    });
    return 'asked';
  });
}

async function findSlot(tx: Tx, slotId: string) {
  const slot = await tx
    .selectFrom('lessonSlots as slot')
    .innerJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
    .select(['slot.templateId', 'slot.coachId', 'slot.startTime', 'template.title'])
    .select(['slot.minAge', 'slot.maxAge', 'slot.ageDate'])
    .where('slot.slotId', '=', slotId)
    .where('slot.status', '=', 'scheduled')
    .where('slot.startTime', '>', sql<string>`now()`)
    .executeTakeFirst();
  if (!slot) throw new AppError('not_found', 'Lesson not found.');
  return slot;
}

async function readStatus(tx: Tx, templateId: string, participantId: string): Promise<AgeRequest['status']> {
  const { status } = await tx
    .selectFrom('ageRequests')
    .select('status')
    .where('templateId', '=', templateId)
    .where('participantId', '=', participantId)
    .executeTakeFirstOrThrow();
  return status;
}

async function notifyCoach(
  tx: Tx,
  actor: Person,
  request: { ageRequestId: string; coachId: string; title: string; participantName: string },
): Promise<void> {
  const { ageRequestId, coachId, title, participantName } = request;
  const [coach, asker] = await Promise.all([readRecipient(tx, coachId), readRecipient(tx, actor.userId)]);
  await writeNotifications(tx, [
    {
      kind: 'age_request',
      userId: coachId,
      subjectId: ageRequestId,
      aboutUserId: actor.userId,
      message: composeAgeRequestMessage({
        title,
        participantName,
        askedByName: asker.fullName || asker.email,
        fullName: coach.fullName,
      }),
    },
  ]);
}
