import { notify } from '#server/notifications/notify.ts';
import { recipientObject } from '#server/notifications/recipients.ts';
import { composeCoachRoleMessage } from '#server/notifications/team-templates/applications.ts';
import type { NeededDocuments } from '#server/notifications/verification-templates/needed-documents.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';

/**
 * Notifies a new coach about each team whose invitation led to the application and is still pending. The coach can now
 * accept the invitation. `needed`: the documents that the coach needs for listing. Returns the number of teams.
 */
export async function answerApplicants(tx: Tx, userId: string, needed: NeededDocuments): Promise<number> {
  const invitations = await tx
    .selectFrom('businessInvitations as invitation')
    .innerJoin('profiles as person', 'person.email', 'invitation.email')
    .innerJoin('coachingBusinesses as business', 'business.businessId', 'invitation.businessId')
    .select([recipientObject('person').as('applicant'), 'business.businessName'])
    .where('person.userId', '=', userId)
    .where('invitation.status', '=', 'pending')
    .where('invitation.appliedAt', 'is not', null)
    .execute();
  const brand = await readBrand(tx);
  for (const { applicant, businessName } of invitations) {
    const { fullName } = applicant;
    const event = { kind: 'role_changed', subjectId: applicant.userId } as const;
    await notify(tx, applicant, event, composeCoachRoleMessage({ fullName, businessName, brand, needed }));
  }
  return invitations.length;
}
