import type { Person } from '#domain/access.ts';
import type { OpenInvitation } from '#domain/businesses/invitations-contract.ts';
import { refuseManageTeam } from '#domain/businesses/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { countInvitation, emailInvitation, issueLink } from './email-invitation.ts';
import { lockTeam } from './lock-team.ts';
import { invitationColumns } from './queries.ts';

/**
 * Emails an open invitation of the acting owner's business again. Only the newest link works, and it is valid for the
 * full period. Throws `forbidden` for an employee, `not_found` if the invitation is no longer open, and
 * `too_many_requests` after too many invitations.
 */
export function resendInvitation(db: Database, actor: Person, invitationId: string): Promise<OpenInvitation> {
  return db.transaction().execute(async (tx) => {
    const { me, businessId, businessName } = await lockTeam(tx, actor.userId);
    assertAllowed(refuseManageTeam(me));
    const { token, columns } = issueLink();
    const invitation = await tx
      .updateTable('businessInvitations')
      .set({ ...columns, invitedBy: actor.userId })
      .where('invitationId', '=', invitationId)
      .where('businessId', '=', businessId)
      .where('status', '=', 'pending')
      .returning(invitationColumns)
      .executeTakeFirst();
    if (!invitation) throw new AppError('not_found', 'This invitation is no longer open.');
    await countInvitation(tx, actor.userId, invitation.email);
    await emailInvitation(tx, { ...invitation, token, businessName, invitedBy: me.fullName });
    await recordAudit(tx, actor, {
      action: 'invitation.sent_again',
      subjectType: 'team_invitation',
      subjectId: invitationId,
      after: { businessId },
    });
    return invitation;
  });
}
