import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { type CoachApplication, refuseDecide } from '#domain/verification/application.ts';
import type { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import {
  composeChangesMessage,
  composeDeclinedMessage,
} from '#server/notifications/team-templates/coach-applications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { selectApplications } from './application-rows.ts';
import { approveApplication } from './approve-application.ts';

type Decision = ParsedInputOf<typeof applicationQueueApi.decide>;

/**
 * Approves an application, asks for changes, or declines it, and notifies the person. Throws `not_found` for an
 * application that was never submitted, `conflict` if the application has been decided, withdrawn or submitted again
 * since the admin read it, and `unprocessable` if a required message to the person is missing.
 */
export function decideApplication(
  db: Database,
  admin: Person,
  { applicationId, decision, message, submittedAt }: Decision,
): Promise<CoachApplication> {
  return db.transaction().execute(async (tx) => {
    // The lock makes a second admin or a withdrawal wait, and then see this decision.
    await sql`select from coach_applications where application_id = ${applicationId}::uuid for update`.execute(
      tx,
    );
    const found = await readSubmitted(tx, applicationId);
    assertAllowed(refuseDecide({ ...found, by: found.decidedBy }, submittedAt));
    if (decision === 'approve') await approveApplication(tx, admin, found);
    else await sendBack(tx, admin, found, decision, message);
    return readSubmitted(tx, applicationId);
  });
}

/** An application that has been submitted at least once. Throws `not_found` for any other. */
export async function readSubmitted(db: Database | Tx, applicationId: string): Promise<CoachApplication> {
  const [found] = await selectApplications(
    db,
    sql`application.application_id = ${applicationId}::uuid and application.submitted_at is not null`,
  );
  if (found) return found;
  throw new AppError('not_found', "This application doesn't exist.");
}

async function sendBack(
  tx: Tx,
  admin: Person,
  { applicationId, userId, submittedAt }: CoachApplication,
  decision: 'changes' | 'decline',
  message: string,
): Promise<void> {
  const isDeclined = decision === 'decline';
  if (!message) {
    const missing = isDeclined ? 'Enter the reason.' : 'Enter what has to change.';
    throw new AppError('unprocessable', missing, { fields: { message: missing } });
  }
  const status = isDeclined ? 'declined' : 'changes';
  await sql`
    update coach_applications set status = ${status}, decision_message = ${message}, decided_at = now(),
      updated_at = now(), decided_by = ${admin.userId}::uuid
    where application_id = ${applicationId}::uuid`.execute(tx);
  await recordAudit(tx, admin, {
    action: isDeclined ? 'coach_application.declined' : 'coach_application.changes_asked',
    subjectType: 'coach_application',
    subjectId: applicationId,
    before: { status: 'submitted' },
    after: { status },
  });
  const person = await readRecipient(tx, userId);
  const text = { fullName: person.fullName, message, brand: await readBrand(tx) };
  const event = { kind: 'application_decided', subjectId: applicationId, version: submittedAt! } as const;
  await notify(tx, person, event, isDeclined ? composeDeclinedMessage(text) : composeChangesMessage(text));
}
