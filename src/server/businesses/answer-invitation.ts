import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { type InvitationStatus, refuseAnswer, refuseJoin } from '#domain/businesses/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { hashToken } from '#server/auth/sessions/open-session.ts';
import { notify } from '#server/notifications/notify.ts';
import { recipientObject } from '#server/notifications/recipients.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { composeInvitationAnswerMessage } from '../notifications/team-templates/applications.ts';
import { recordAudit } from '../platform/audit.ts';
import { lockBusiness } from './lock-team.ts';

/**
 * The invitation as shown to `person`, with the obstacles to a response; null stands for a visitor. Throws `not_found`
 * for an unknown token.
 */
export async function readInvitation(db: Database, person: Person | null, token: string) {
  const invitation = await findInvitation(db, token);
  const [email, coach] = person
    ? await Promise.all([findEmail(db, person.userId), findCoach(db, person.userId)])
    : [];
  const refusal = refuseAnswer(invitation, email === undefined ? null : { email });
  return {
    businessName: invitation.businessName,
    invitedBy: invitation.invitedBy,
    expiresAt: invitation.expiresAt,
    obstacle: refusal && { code: refusal.code, message: refusal.message },
    joinObstacle: refusal ? null : (refuseJoin(coach)?.message ?? null),
    application:
      refusal || coach?.isActive ? null : invitation.appliedAt ? ('sent' as const) : ('possible' as const),
  };
}

/**
 * Adds the acting coach to the team as an employee; returns the business's name. Throws `not_found` for an unknown
 * token, `forbidden` if the invitation was sent to another address or the person is not a coach, and `conflict` if the
 * invitation is no longer open or the coach is already in a team.
 */
export function acceptInvitation(db: Database, actor: Person, token: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const invitation = await lockInvitation(tx, actor, token);
    const coach = await findCoach(tx, actor.userId, { isLocked: true });
    assertAllowed(refuseJoin(coach));
    const { businessId, businessName } = invitation;
    await tx
      .updateTable('coaches')
      .set({ businessId, businessRole: 'employee' })
      .where('coachId', '=', actor.userId)
      .execute();
    await closeInvitation(tx, actor, invitation, 'accepted');
    return businessName;
  });
}

/**
 * Declines the invitation and notifies the owner who sent it. Throws `not_found` for an unknown token, `forbidden` if
 * the invitation was sent to another address, and `conflict` if it is no longer open.
 */
export async function declineInvitation(db: Database, actor: Person, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await closeInvitation(tx, actor, await lockInvitation(tx, actor, token), 'declined');
  });
}

/**
 * Locks the business of the invitation with this token, then returns the invitation. Withdrawing an invitation takes
 * the same lock. Throws if this person may not respond.
 */
async function lockInvitation(tx: Tx, actor: Person, token: string): Promise<InvitationRow> {
  await lockBusiness(tx, (await findInvitation(tx, token)).businessId);
  const invitation = await findInvitation(tx, token);
  const email = await findEmail(tx, actor.userId);
  assertAllowed(refuseAnswer(invitation, email === undefined ? null : { email }));
  return invitation;
}

type InvitationRow = Awaited<ReturnType<typeof findInvitation>>;

async function findInvitation(db: Database | Tx, token: string) {
  const found = await db
    .selectFrom('businessInvitations as invitation')
    .innerJoin('coachingBusinesses as business', 'business.businessId', 'invitation.businessId')
    .innerJoin('profiles as inviter', 'inviter.userId', 'invitation.invitedBy')
    .select([
      'invitation.invitationId',
      'invitation.email',
      'invitation.status',
      'invitation.expiresAt',
      sql<boolean>`invitation.expires_at <= now()`.as('isExpired'),
      'business.businessId',
      'business.businessName',
      'inviter.fullName as invitedBy',
      recipientObject('inviter').as('inviter'),
      'invitation.appliedAt',
    ])
    .where('invitation.tokenHash', '=', hashToken(token))
    .executeTakeFirst();
  if (found) return found;
  throw new AppError(
    'not_found',
    'This invitation no longer exists. If you have a newer invitation email, use the link in that email.',
  );
}

/**
 * The account's email address; undefined if the account no longer exists. Not checked here: nobody can sign in before
 * confirming it.
 */
async function findEmail(db: Database | Tx, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('userId', '=', userId).executeTakeFirst();
  return user?.email;
}

/** A person's row in `coaches`, which a former coach keeps. */
function findCoach(db: Database | Tx, userId: string, { isLocked = false } = {}) {
  return db
    .selectFrom('coaches')
    .select(['isActive', 'businessId'])
    .where('coachId', '=', userId)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
}

async function closeInvitation(
  tx: Tx,
  actor: Person,
  { invitationId, businessId, businessName, email, inviter }: InvitationRow,
  status: Extract<InvitationStatus, 'accepted' | 'declined'>,
): Promise<void> {
  await tx
    .updateTable('businessInvitations')
    .set({ status, decidedAt: sql`now()` })
    .where('invitationId', '=', invitationId)
    .execute();
  const answer = { invited: email, businessName, answer: status };
  // `notify` does nothing if the inviter has deleted their account.
  const event = { kind: 'invitation_answered', subjectId: invitationId, aboutUserId: actor.userId } as const;
  const { fullName } = inviter;
  await notify(tx, inviter, event, composeInvitationAnswerMessage({ fullName, ...answer }));
  await recordAudit(tx, actor, {
    action: `invitation.${status}`,
    subjectType: 'team_invitation',
    subjectId: invitationId,
    after: { businessId },
  });
}
