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
 * Invites the owner of an email address (in lower case) to the acting owner's team. The response does not
 * reveal whether the address has an account. Throws `not_found` for a coach without a business, `forbidden`
 * for an employee, `conflict` for members and for people with an open invitation, and `too_many_requests`
 * after too many invitations.
 */
export function inviteCoach(db: Database, actor: Person, email: string): Promise<OpenInvitation> {
  return db.transaction().execute(async (tx) => {
    const { me, members, businessId, businessName } = await lockTeam(tx, actor.userId);
    assertAllowed(refuseManageTeam(me));
    if (members.some((member) => member.email === email)) {
      throw refuseAtEmail(
        email === me.email ? "You're already in this team." : 'This coach is already in your team.',
      );
    }
    const open = await tx
      .selectFrom('businessInvitations')
      .select('invitationId')
      .where('businessId', '=', businessId)
      .where('email', '=', email)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (open) throw refuseAtEmail('This address already has an invitation. You can send it again below.');
    await countInvitation(tx, actor.userId, email);
    const { token, columns } = issueLink();
    const invitation = await tx
      .insertInto('businessInvitations')
      .values({ ...columns, businessId, email, invitedBy: actor.userId })
      .returning(invitationColumns)
      .executeTakeFirstOrThrow();
    await emailInvitation(tx, { ...invitation, token, businessName, invitedBy: me.fullName });
    await recordAudit(tx, actor, {
      action: 'invitation.sent',
      subjectType: 'team_invitation',
      subjectId: invitation.invitationId,
      after: { businessId },
    });
    return invitation;
  });
}

function refuseAtEmail(message: string): AppError {
  return new AppError('conflict', message, { fields: { email: message } });
}
