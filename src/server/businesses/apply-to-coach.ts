import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { refuseApply } from '#domain/businesses/rules.ts';
import { assertAllowed } from '#domain/errors.ts';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { composeApplicationMessage } from '../notifications/team-templates/applications.ts';
import { recordAudit } from '../platform/audit.ts';
import { findCoach, findEmail, lockInvitation } from './answer-invitation.ts';

/**
 * Applies for the coach role on behalf of an invited person who is not a coach; the invitation stays open. Applying
 * again changes nothing. Throws if the invitation is another person's or no longer open, and `conflict` for a coach.
 */
export async function applyToCoach(db: Database, actor: Person, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { invitationId, businessName, invitedBy, appliedAt } = await lockInvitation(tx, actor, token);
    assertAllowed(refuseApply(await findCoach(tx, actor.userId)));
    if (appliedAt) return;
    await tx
      .updateTable('businessInvitations')
      .set({ appliedAt: sql`now()` })
      .where('invitationId', '=', invitationId)
      .execute();
    const applicant = (await findEmail(tx, actor.userId))!;
    const application = { applicant, businessName, invitedBy, brand: await readBrand(tx) };
    const event = { kind: 'coach_application', subjectId: invitationId, aboutUserId: actor.userId } as const;
    await notifyAdmins(tx, event, {
      compose: ({ fullName }) => composeApplicationMessage({ fullName, ...application }),
    });
    await recordAudit(tx, actor, {
      action: 'coach.applied',
      subjectType: 'team_invitation',
      subjectId: invitationId,
    });
  });
}
