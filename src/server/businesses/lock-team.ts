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
 * Locks the acting coach's business and then all of its members, so that owners who act on each other at once
 * take turns. Throws `not_found` for a coach without a business.
 */
export async function lockTeam(tx: Tx, userId: string): Promise<LockedTeam> {
  const none = new AppError('not_found', 'You have no business yet. Set it up first.');
  const own = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', userId)
    .executeTakeFirst();
  if (!own?.businessId) throw none;
  const business = await lockBusiness(tx, own.businessId);
  if (!business) throw none;
  const members = await lockMembers(tx, business.businessId);
  // Somebody may have removed the coach while this waited.
  const me = members.find(({ coachId }) => coachId === userId);
  if (!me) throw none;
  return { ...business, members, me };
}

/** Every change of a team starts here, so that changes can't interleave; undefined if the business has ended. */
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

/** Everybody in a business that is locked, locked as well. */
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
