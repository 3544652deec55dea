import { sql } from 'kysely';
import type { Actor, Person } from '#domain/access.ts';
import { type ApplicationStatus, listMissing } from '#domain/verification/application.ts';
import { answerApplicants } from '#server/businesses/answer-applicants.ts';
import { grantRole } from '#server/businesses/change-roles.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeApprovedMessage } from '#server/notifications/team-templates/coach-applications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { readNeeded } from '../documents/needed-documents.ts';
import { findLatest, findMissingDocuments } from './application-rows.ts';

type SubmittedApplication = { applicationId: string; userId: string; status: ApplicationStatus };

/**
 * Approves a locked application that has been submitted: grants the coach role, fills in the coach's profile from the
 * application, and notifies the person. A person who already has the role keeps their profile and is not notified.
 */
export async function approveApplication(
  tx: Tx,
  actor: Actor,
  { applicationId, userId, status }: SubmittedApplication,
) {
  await closeAsApproved(tx, actor, applicationId, status);
  if (!(await grantRole(tx, actor, userId, 'coach'))) return;
  await sql`
    update coaches set coach_type = application.headline, bio = application.bio, sports = application.sports
    from coach_applications application
    where application_id = ${applicationId}::uuid and coach_id = application.user_id`.execute(tx);
  const needed = await readNeeded(tx, userId);
  await answerApplicants(tx, userId, needed);
  const person = await readRecipient(tx, userId);
  const { fullName } = person;
  const event = { kind: 'application_decided', subjectId: applicationId } as const;
  await notify(tx, person, event, composeApprovedMessage({ fullName, brand: await readBrand(tx), needed }));
}

/**
 * Closes the open application when an admin grants the coach role directly, and returns what was missing for the role.
 * A complete application that has been submitted counts as approved, even if changes were requested; any other is
 * withdrawn.
 */
export async function settleByHand(tx: Tx, admin: Person, userId: string): Promise<string[]> {
  const latest = await findLatest(tx, userId, { isLocked: true });
  const { applicationId, status } = latest ?? {};
  const isWaiting = status === 'submitted' || status === 'changes';
  const isComplete = latest !== undefined && Object.keys(listMissing(latest)).length === 0;
  if (applicationId && isWaiting && isComplete) {
    await closeAsApproved(tx, admin, applicationId, status);
  } else if (applicationId && (isWaiting || status === 'draft')) {
    await sql`
      update coach_applications set status = 'withdrawn', decided_at = now(), updated_at = now(),
        decided_by = ${admin.userId}::uuid
      where application_id = ${applicationId}::uuid`.execute(tx);
    await recordAudit(tx, admin, {
      action: 'coach_application.withdrawn',
      subjectType: 'coach_application',
      subjectId: applicationId,
      before: { status },
      after: { status: 'withdrawn' },
    });
  }
  const documents = await findMissingDocuments(tx, userId, latest?.coachesJuniors ?? null);
  return [...(isWaiting && isComplete ? [] : ['No application']), ...documents];
}

async function closeAsApproved(
  tx: Tx,
  actor: Actor,
  applicationId: string,
  status: ApplicationStatus,
): Promise<void> {
  const adminId = 'userId' in actor ? actor.userId : null;
  await sql`
    update coach_applications set status = 'approved', decision_message = null, decided_at = now(), updated_at = now(),
      decided_by = ${adminId}::uuid
    where application_id = ${applicationId}::uuid`.execute(tx);
  await recordAudit(tx, actor, {
    action: 'coach_application.approved',
    subjectType: 'coach_application',
    subjectId: applicationId,
    before: { status },
    after: { status: 'approved' },
  });
}
