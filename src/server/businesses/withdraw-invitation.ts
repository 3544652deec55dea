import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { refuseManageTeam } from '#domain/businesses/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { recordAudit } from '../platform/audit.ts';
import { lockTeam } from './lock-team.ts';

/**
 * Withdraws an open invitation of the acting owner's business. Throws `forbidden` for an employee and `not_found` if
 * the invitation is no longer open.
 */
export async function withdrawInvitation(db: Database, actor: Person, invitationId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { me, businessId } = await lockTeam(tx, actor.userId);
    assertAllowed(refuseManageTeam(me));
    const withdrawn = await tx
      .updateTable('businessInvitations')
      .set({ status: 'withdrawn', decidedAt: sql`now()` })
      .where('invitationId', '=', invitationId)
      .where('businessId', '=', businessId)
      .where('status', '=', 'pending')
      .returning('invitationId')
      .executeTakeFirst();
    if (!withdrawn) throw new AppError('not_found', 'This invitation is no longer open.');
    await recordAudit(tx, actor, {
      action: 'invitation.withdrawn',
      subjectType: 'team_invitation',
      subjectId: invitationId,
      before: { businessId },
    });
  });
}
