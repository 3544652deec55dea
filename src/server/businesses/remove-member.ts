import type { Person } from '#domain/access.ts';
import { refuseManageMember } from '#domain/businesses/rules.ts';
import { assertAllowed } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { lockTeam } from './lock-team.ts';
import { notifyMembers } from './notify-members.ts';
import { transferBusiness } from './transfer-business.ts';

/**
 * Removes another member from the acting owner's team. The person is notified, remains a coach and keeps their lessons
 * and bookings. Throws `forbidden` for an employee, `not_found` for someone outside the team and `conflict` for the
 * acting owner.
 */
export async function removeMember(db: Database, actor: Person, coachId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const team = await lockTeam(tx, actor.userId);
    assertAllowed(refuseManageMember(team.me, team.members, coachId));
    const member = team.members.find((candidate) => candidate.coachId === coachId)!;
    await transferBusiness(tx, team, coachId, team.me.coachId);
    await tx
      .updateTable('coaches')
      .set({ businessId: null, businessRole: 'employee' })
      .where('coachId', '=', coachId)
      .execute();
    await recordAudit(tx, actor, {
      action: 'team_member.removed',
      subjectType: 'coach',
      subjectId: coachId,
      before: { businessId: team.businessId, businessRole: member.businessRole },
    });
    await notifyMembers(tx, 'removed', team.businessName, [member]);
  });
}
