import type { Person } from '#domain/access.ts';
import { refuseBecomeWelfareOfficer, refuseManageMember } from '#domain/businesses/rules.ts';
import { assertAllowed } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { lockTeam } from './lock-team.ts';

/**
 * Makes another member of the acting owner's team a welfare officer, or revokes that role. A welfare officer can open
 * the registers of the team's lessons. A trigger also revokes the role when the member leaves the team. Throws
 * `forbidden` for an employee, `not_found` for someone outside the team, and `conflict` for the acting owner and for a
 * new welfare officer who is not an active coach.
 */
export function setWelfareOfficer(
  db: Database,
  actor: Person,
  { coachId, isWelfareOfficer }: { coachId: string; isWelfareOfficer: boolean },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { me, members, businessId } = await lockTeam(tx, actor.userId);
    assertAllowed(refuseManageMember(me, members, coachId));
    const member = members.find((candidate) => candidate.coachId === coachId)!;
    if (member.isWelfareOfficer === isWelfareOfficer) return;
    if (isWelfareOfficer) assertAllowed(refuseBecomeWelfareOfficer(member));
    await tx.updateTable('coaches').set({ isWelfareOfficer }).where('coachId', '=', coachId).execute();
    await recordAudit(tx, actor, {
      action: 'welfare_officer.changed',
      subjectType: 'coach',
      subjectId: coachId,
      before: { businessId, isWelfareOfficer: member.isWelfareOfficer },
      after: { businessId, isWelfareOfficer },
    });
  });
}
