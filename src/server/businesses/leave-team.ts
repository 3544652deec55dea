import type { Person } from '#domain/access.ts';
import { planDeparture } from '#domain/businesses/rules.ts';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { type LockedTeam, lockTeam } from './lock-team.ts';
import { notifyMembers } from './notify-members.ts';
import { transferBusiness } from './transfer-business.ts';

/**
 * Removes the acting coach from the team; if the business is in their name, another owner takes over. If the last owner
 * leaves, the business ends and its members are emailed; without `endsBusiness`, this call throws `conflict` instead.
 * Returns whether the business has ended.
 */
export function leaveTeam(db: Database, actor: Person, plan: { endsBusiness: boolean }): Promise<boolean> {
  return db.transaction().execute((tx) => departFromTeam(tx, actor, plan));
}

/** {@link leaveTeam} within the caller's transaction. */
export async function departFromTeam(
  tx: Tx,
  actor: Person,
  { endsBusiness }: { endsBusiness: boolean },
): Promise<boolean> {
  const team = await lockTeam(tx, actor.userId);
  const departure = planDeparture(team.me, team.members);
  if (departure.outcome === 'ends') {
    if (!endsBusiness) {
      throw new AppError(
        'conflict',
        'No other owner can take over the business. Make someone else an owner first, or end the business.',
      );
    }
    await endBusiness(tx, actor, team);
    const others = team.members.filter(({ coachId }) => coachId !== actor.userId);
    await notifyMembers(tx, 'ended', team.businessName, others);
    return true;
  }
  if (departure.outcome === 'transfers') {
    await transferBusiness(tx, team, actor.userId, departure.successor.coachId);
  }
  await tx
    .updateTable('coaches')
    .set({ businessId: null, businessRole: 'employee' })
    .where('coachId', '=', actor.userId)
    .execute();
  await recordAudit(tx, actor, {
    action: 'team_member.left',
    subjectType: 'coach',
    subjectId: actor.userId,
    before: { businessId: team.businessId, businessRole: team.me.businessRole },
  });
  return false;
}

async function endBusiness(tx: Tx, actor: Person, { businessId, members }: LockedTeam): Promise<void> {
  await tx
    .updateTable('coaches')
    .set({ businessId: null, businessRole: 'employee' })
    .where('businessId', '=', businessId)
    .execute();
  // Deleting the business also deletes its invitations.
  await tx.deleteFrom('coachingBusinesses').where('businessId', '=', businessId).execute();
  await recordAudit(tx, actor, {
    action: 'business.ended',
    subjectType: 'business',
    subjectId: businessId,
    before: { members: members.map(({ coachId, businessRole }) => ({ coachId, businessRole })) },
  });
}
