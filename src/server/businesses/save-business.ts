import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import type { Business } from '#domain/businesses/contract.ts';
import { type businessInput, refuseManageTeam } from '#domain/businesses/rules.ts';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { lockTeam } from './lock-team.ts';
import { findBusiness } from './queries.ts';

/**
 * Changes the business that the acting coach owns, or creates a business for a coach without one. Throws
 * `forbidden` for an employee, and `conflict` if the coach has joined or created a business in the meantime.
 */
export function saveBusiness(
  db: Database,
  actor: Person,
  input: z.output<typeof businessInput>,
): Promise<Business> {
  return db.transaction().execute(async (tx) => {
    const before = await findBusiness(tx, actor.userId);
    if (before.business) await changeBusiness(tx, actor, input);
    else await createBusiness(tx, actor, input);
    const { business } = await findBusiness(tx, actor.userId);
    return business!;
  });
}

async function changeBusiness(tx: Tx, actor: Person, input: z.output<typeof businessInput>): Promise<void> {
  const { me, businessId } = await lockTeam(tx, actor.userId);
  if (refuseManageTeam(me)) {
    throw new AppError('forbidden', 'Only business owners can change the business.');
  }
  // Read under the lock, because the coach may have moved to another business in the meantime.
  const { business } = await findBusiness(tx, actor.userId);
  const change = describeChange<Business>(business!, input);
  if (!change) return;
  await tx.updateTable('coachingBusinesses').set(input).where('businessId', '=', businessId).execute();
  await recordAudit(tx, actor, {
    action: 'business.changed',
    subjectType: 'business',
    subjectId: businessId,
    ...change,
  });
}

async function createBusiness(tx: Tx, actor: Person, input: z.output<typeof businessInput>): Promise<void> {
  // Locks the coach's row, so that a double click, or joining a team in the meantime, cannot lead to two businesses.
  const coach = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', actor.userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (coach.businessId) {
    throw new AppError('conflict', "You've just joined or set up a business. Reload the page to see it.");
  }
  const { businessId } = await tx
    .insertInto('coachingBusinesses')
    .values({ ...input, ownerUserId: actor.userId })
    .returning('businessId')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('coaches')
    .set({ businessId, businessRole: 'owner' })
    .where('coachId', '=', actor.userId)
    .execute();
  await recordAudit(tx, actor, {
    action: 'business.created',
    subjectType: 'business',
    subjectId: businessId,
    ...describeChange(null, input),
  });
}
