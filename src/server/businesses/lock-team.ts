import type { TeamMember } from '#domain/businesses/contract.ts';
import { AppError } from '#domain/errors.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { listMembers } from './queries.ts';

/** A team locked until the transaction ends; `me` is the acting coach's membership. */
export type LockedTeam = {
  businessId: string;
  businessName: string;
  ownerUserId: string;
  members: TeamMember[];
  me: TeamMember;
};

/**
 * Locks the acting coach's business and then all of its members, so that simultaneous changes by owners run one after
 * the other. Throws `not_found` for a coach without a business.
 */
export async function lockTeam(tx: Tx, userId: string): Promise<LockedTeam> {
  const none = new AppError('not_found', "You don't have a business yet. Set one up first.");
  const own = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', userId)
    .executeTakeFirst();
  if (!own?.businessId) throw none;
  const business = await lockBusiness(tx, own.businessId);
  if (!business) throw none;
  const members = await lockMembers(tx, business.businessId);
  // The coach may have been removed while this call waited for the lock.
  const me = members.find(({ coachId }) => coachId === userId);
  if (!me) throw none;
  return { ...business, members, me };
}

/** Locks a business, as every change to a team must do first; undefined if the business has ended. */
export function lockBusiness(
  tx: Tx,
  businessId: string,
): Promise<{ businessId: string; businessName: string; ownerUserId: string } | undefined> {
  return tx
    .selectFrom('coachingBusinesses')
    .select(['businessId', 'businessName', 'ownerUserId'])
    .where('businessId', '=', businessId)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks and returns the members of an already locked business. */
export async function lockMembers(tx: Tx, businessId: string): Promise<TeamMember[]> {
  await tx
    .selectFrom('coaches')
    .select('coachId')
    .where('businessId', '=', businessId)
    .orderBy('coachId')
    .forUpdate()
    .execute();
  return listMembers(tx, businessId);
}
