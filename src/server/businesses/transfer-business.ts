import type { Tx } from '#server/platform/db/db.ts';
import type { LockedTeam } from './lock-team.ts';

/** Puts the business in `toUserId`'s name if it is in `fromUserId`'s. Roles don't change. */
export async function transferBusiness(
  tx: Tx,
  { businessId, ownerUserId }: Pick<LockedTeam, 'businessId' | 'ownerUserId'>,
  fromUserId: string,
  toUserId: string,
): Promise<void> {
  if (ownerUserId !== fromUserId) return;
  await tx
    .updateTable('coachingBusinesses')
    .set({ ownerUserId: toUserId })
    .where('businessId', '=', businessId)
    .execute();
}
