import { sql } from 'kysely';
import type { Actor } from '#domain/access.ts';
import type { TeamMember } from '#domain/businesses/contract.ts';
import { refuseManageTeam } from '#domain/businesses/rules.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { lockBusiness, lockMembers } from './lock-team.ts';
import { transferBusiness } from './transfer-business.ts';

/** A business whose only owner is about to lose the coach role, and the team's coaches who can take over. */
export type OrphanedBusiness = { businessId: string; businessName: string; successors: TeamMember[] };

/**
 * The business whose only owner is this coach, with its team locked until the transaction ends; null if the coach owns
 * no business or another owner remains.
 */
export async function findOrphanedBusiness(tx: Tx, coachId: string): Promise<OrphanedBusiness | null> {
  const team = await lockTeamOf(tx, coachId);
  if (!team || team.otherOwner) return null;
  const { businessId, businessName, members } = team;
  const successors = members.filter((member) => member.coachId !== coachId && member.isActive);
  return { businessId, businessName, successors };
}

/**
 * Transfers the business of an owner who loses the coach role (docs/decisions/0017). Another owner takes over;
 * otherwise the successor becomes owner, by default the member who has been a coach longest. If nobody can take over,
 * the business is suspended and its open invitations are withdrawn. The person stays in the team and can run the
 * business again after regaining the role.
 */
export async function replaceOwner(
  tx: Tx,
  actor: Actor,
  coachId: string,
  successorId: string | undefined,
): Promise<void> {
  const team = await lockTeamOf(tx, coachId);
  if (!team) return;
  const { businessId, members, otherOwner } = team;
  const successor =
    otherOwner ??
    members.find((member) => member.coachId === successorId && member.isActive) ??
    members.find((member) => member.coachId !== coachId && member.isActive);
  if (!successor) return suspendBusiness(tx, actor, businessId);
  if (!otherOwner) {
    await tx
      .updateTable('coaches')
      .set({ businessRole: 'owner' })
      .where('coachId', '=', successor.coachId)
      .execute();
    await recordAudit(tx, actor, {
      action: 'business_role.changed',
      subjectType: 'coach',
      subjectId: successor.coachId,
      before: { businessId, businessRole: successor.businessRole },
      after: { businessId, businessRole: 'owner' },
    });
  }
  await transferBusiness(tx, team, coachId, successor.coachId);
}

/** Locks the team of an active coach who is an owner; null for anyone else. */
async function lockTeamOf(tx: Tx, coachId: string) {
  const own = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  const business = own?.businessId ? await lockBusiness(tx, own.businessId) : undefined;
  if (!business) return null;
  const members = await lockMembers(tx, business.businessId);
  const owners = members.filter((member) => refuseManageTeam(member) === null);
  if (!owners.some((owner) => owner.coachId === coachId)) return null;
  return { ...business, members, otherOwner: owners.find((owner) => owner.coachId !== coachId) };
}

async function suspendBusiness(tx: Tx, actor: Actor, businessId: string): Promise<void> {
  await tx
    .updateTable('businessInvitations')
    .set({ status: 'withdrawn', decidedAt: sql`now()` })
    .where('businessId', '=', businessId)
    .where('status', '=', 'pending')
    .execute();
  await recordAudit(tx, actor, {
    action: 'business.suspended',
    subjectType: 'business',
    subjectId: businessId,
  });
}
