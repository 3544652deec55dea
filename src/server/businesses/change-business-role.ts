import type { Person } from '#domain/access.ts';
import { type BusinessRole, refuseBecomeOwner, refuseManageMember } from '#domain/businesses/rules.ts';
import { assertAllowed } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { lockTeam } from './lock-team.ts';
import { notifyMembers } from './notify-members.ts';
import { transferBusiness } from './transfer-business.ts';

/**
 * Makes another member of the acting owner's team an owner or an employee, and notifies that member. Throws `forbidden`
 * for an employee, `not_found` for someone outside the team, and `conflict` for the acting owner and for a new owner
 * who is not an active coach.
 */
export async function changeBusinessRole(
  db: Database,
  actor: Person,
  { coachId, businessRole }: { coachId: string; businessRole: BusinessRole },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const team = await lockTeam(tx, actor.userId);
    assertAllowed(refuseManageMember(team.me, team.members, coachId));
    const member = team.members.find((candidate) => candidate.coachId === coachId)!;
    if (member.businessRole === businessRole) return;
    if (businessRole === 'owner') assertAllowed(refuseBecomeOwner(member));
    else await transferBusiness(tx, team, coachId, team.me.coachId);
    await tx.updateTable('coaches').set({ businessRole }).where('coachId', '=', coachId).execute();
    await recordAudit(tx, actor, {
      action: 'business_role.changed',
      subjectType: 'coach',
      subjectId: coachId,
      before: { businessId: team.businessId, businessRole: member.businessRole },
      after: { businessId: team.businessId, businessRole },
    });
    await notifyMembers(tx, `made ${businessRole}`, team.businessName, [member]);
  });
}
