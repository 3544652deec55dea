import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { refuseBecomeGuardian, refuseGuardianAnswer } from '#domain/accounts/guardians.ts';
import type { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { refuseMoreDependants } from '#domain/accounts/participants.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { hashToken } from '#server/auth/sessions/open-session.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { countDependants } from '../participants/read-participants.ts';
import { listGuardians } from './invite-guardian.ts';
import { notifyGuardians } from './notify-guardians.ts';

/**
 * The invitation as shown to `person`; null stands for a visitor. Names the dependant only if the person can respond.
 * Throws `not_found` for an unknown token.
 */
export async function readGuardianInvitation(
  db: Database,
  person: Person | null,
  token: string,
): Promise<OutputOf<typeof guardiansApi.getInvitation>> {
  const invitation = await findInvitation(db, token);
  const email = person ? await findEmail(db, person.userId) : undefined;
  const refusal = refuseGuardianAnswer(invitation, email === undefined ? null : { email });
  return {
    invitedBy: invitation.invitedBy,
    participantName: refusal ? null : invitation.participantName,
    expiresAt: invitation.expiresAt,
    obstacle: refusal && { code: refusal.code, message: refusal.message },
  };
}

/**
 * Makes the acting person a guardian; returns the dependant's id. Throws `not_found` for an unknown token, `forbidden`
 * if the invitation was sent to another address, and `conflict` if it is no longer open, if the person is already a
 * guardian, or if the dependant has four guardians or the person nine dependants.
 */
export function acceptGuardianInvitation(
  db: Database,
  actor: Person,
  { token, relation }: ParsedInputOf<typeof guardiansApi.accept>,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const { participantId, guardianInvitationId, participantName } = await lockInvitation(tx, actor, token);
    const guardians = await listGuardians(tx, participantId);
    const isGuardian = guardians.some(({ userId }) => userId === actor.userId);
    assertAllowed(refuseBecomeGuardian({ isGuardian, guardians: guardians.length }));
    assertAllowed(refuseMoreDependants(await countDependants(tx, actor.userId)));
    await tx.insertInto('guardians').values({ participantId, userId: actor.userId, relation }).execute();
    await closeInvitation(tx, guardianInvitationId, 'accepted');
    await notifyGuardians(tx, guardians, {
      actorId: actor.userId,
      participantId,
      participantName,
      what: 'joined',
    });
    await recordAudit(tx, actor, {
      action: 'guardian.joined',
      subjectType: 'participant',
      subjectId: participantId,
    });
    return participantId;
  });
}

/**
 * Declines the invitation and notifies the guardian who sent it. Throws `not_found` for an unknown token, `forbidden`
 * if the invitation was sent to another address, and `conflict` if it is no longer open.
 */
export async function declineGuardianInvitation(db: Database, actor: Person, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { participantId, guardianInvitationId, participantName, inviterId } = await lockInvitation(
      tx,
      actor,
      token,
    );
    await closeInvitation(tx, guardianInvitationId, 'declined');
    const inviter = (await listGuardians(tx, participantId)).filter(({ userId }) => userId === inviterId);
    await notifyGuardians(tx, inviter, {
      actorId: actor.userId,
      participantId,
      participantName,
      what: 'declined',
    });
    await recordAudit(tx, actor, {
      action: 'guardian.declined',
      subjectType: 'participant',
      subjectId: participantId,
    });
  });
}

/**
 * Locks the dependant of the invitation with this token, as sending and withdrawing do, then returns the invitation.
 * Throws if this person may not respond.
 */
async function lockInvitation(tx: Tx, actor: Person, token: string) {
  const { participantId } = await findInvitation(tx, token);
  await sql`select from participants where participant_id = ${participantId}::uuid for no key update`.execute(
    tx,
  );
  const invitation = await findInvitation(tx, token);
  const email = await findEmail(tx, actor.userId);
  assertAllowed(refuseGuardianAnswer(invitation, email === undefined ? null : { email }));
  return invitation;
}

async function findInvitation(db: Database | Tx, token: string) {
  const found = await db
    .selectFrom('guardianInvitations as invitation')
    .innerJoin('participants as participant', 'participant.participantId', 'invitation.participantId')
    .innerJoin('profiles as inviter', 'inviter.userId', 'invitation.invitedBy')
    .select([
      'invitation.guardianInvitationId',
      'invitation.participantId',
      'invitation.email',
      'invitation.status',
      'invitation.expiresAt',
      sql<boolean>`invitation.expires_at <= now()`.as('isExpired'),
      'inviter.userId as inviterId',
      sql<string>`coalesce(nullif(inviter.full_name, ''), inviter.email)`.as('invitedBy'),
      sql<string>`name_of_participant(participant)`.as('participantName'),
    ])
    .where('invitation.tokenHash', '=', hashToken(token))
    .where('participant.deletedAt', 'is', null)
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

async function closeInvitation(
  tx: Tx,
  guardianInvitationId: string,
  status: 'accepted' | 'declined',
): Promise<void> {
  await tx
    .updateTable('guardianInvitations')
    .set({ status, decidedAt: sql<string>`now()` })
    .where('guardianInvitationId', '=', guardianInvitationId)
    .execute();
}
