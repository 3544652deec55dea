import type { Tx } from '#server/platform/db/db.ts';
import type { LockedTeam } from './lock-team.ts';

/** Where the business is in the name of somebody who stops being an owner, it is put in that of another owner. */
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
