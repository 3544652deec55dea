import { type RawBuilder, sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { ageOn } from '#domain/accounts/participants.ts';
import type { AgeRequest } from '#domain/catalogue/ages-contract.ts';
import { AppError } from '#domain/errors.ts';
import { wallTimeOf } from '#domain/time.ts';
import { composeAgeAnswerMessage } from '#server/notifications/family-templates/ages.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

type Row = Omit<AgeRequest, 'age'> & { dateOfBirth: string | null; askedBy: string };

const selectRequests = (which: RawBuilder<unknown>) => sql<Row>`
  select request.age_request_id, request.template_id, template.title, request.status, request.asked_at,
    name_of_participant(participant) as participant_name, participant.date_of_birth, request.asked_by,
    asker.full_name as asked_by_name
  from age_requests request
  join lesson_templates template using (template_id)
  join participants participant using (participant_id)
  join profiles asker on asker.user_id = request.asked_by
  where participant.deleted_at is null and ${which}
  order by request.status = 'asked' desc, request.asked_at desc, request.age_request_id limit 200`;

const toRequest = ({ dateOfBirth, askedBy: _, ...row }: Row): AgeRequest => ({
  ...row,
  age: dateOfBirth ? ageOn(dateOfBirth, wallTimeOf(Date.now()).date) : null,
});

/** The requests for a coach's templates, at most 200: open requests, then the others, each latest first. */
export async function listAgeRequests(db: Database, coachId: string): Promise<AgeRequest[]> {
  const { rows } = await selectRequests(sql`template.coach_id = ${coachId}::uuid`).execute(db);
  return rows.map(toRequest);
}

/**
 * Agrees to a request for an exception or declines it, and notifies the person who asked. Throws `not_found` for
 * another coach's request.
 */
export function answerAgeRequest(
  db: Database,
  coach: Person,
  { ageRequestId, isAllowed }: { ageRequestId: string; isAllowed: boolean },
): Promise<AgeRequest> {
  const status = isAllowed ? 'allowed' : 'declined';
  return db.transaction().execute(async (tx) => {
    const before = await findRequest(tx, coach, ageRequestId);
    if (before.status === status) return toRequest(before);
    await tx
      .updateTable('ageRequests')
      .set({ status, decidedAt: sql<string>`now()` })
      .where('ageRequestId', '=', ageRequestId)
      .execute();
    await notifyAsker(tx, before, isAllowed);
    await recordAudit(tx, coach, {
      action: `age_exception.${status}`,
      subjectType: 'lesson_template',
      subjectId: before.templateId,
      before: { ageRequestId, status: before.status },
      after: { ageRequestId, status },
    });
    return toRequest({ ...before, status });
  });
}

async function findRequest(tx: Tx, coach: Person, ageRequestId: string): Promise<Row> {
  await sql`select from age_requests where age_request_id = ${ageRequestId}::uuid for update`.execute(tx);
  const { rows } = await selectRequests(
    sql`request.age_request_id = ${ageRequestId}::uuid and template.coach_id = ${coach.userId}::uuid`,
  ).execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'This request no longer exists.');
  return rows[0];
}

async function notifyAsker(tx: Tx, request: Row, isAllowed: boolean): Promise<void> {
  const { ageRequestId, askedBy, title, participantName } = request;
  const { fullName } = await readRecipient(tx, askedBy);
  await writeNotifications(tx, [
    {
      kind: 'age_answer',
      userId: askedBy,
      subjectId: ageRequestId,
      message: composeAgeAnswerMessage({ title, participantName, isAllowed, fullName }),
    },
  ]);
}
