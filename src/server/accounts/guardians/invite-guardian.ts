import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { guardianInvitationDays, refuseBecomeGuardian } from '#domain/accounts/guardians.ts';
import type { GuardianInvitation } from '#domain/accounts/participants-contract.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatDay } from '#domain/time.ts';
import { generateToken, hashToken } from '#server/auth/sessions/open-session.ts';
import { composeGuardianInvitationMessage } from '#server/notifications/family-templates/guardians.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { consume, describeWait, keyOf } from '#server/platform/http/rate-limit.ts';
import { readBrand } from '#server/settings/queries.ts';
import { lockParticipant } from '../participants/read-participants.ts';

/** Limits on the invitations that one person may send, and that one address may get from everyone. */
const perPerson = { calls: 10, seconds: 60 * 60 };
const perAddress = { calls: 5, seconds: 24 * 60 * 60 };

/**
 * Emails a link with which the owner of an address (in lower case) can become a guardian. A second invitation
 * to the same address replaces the first. The response does not reveal whether the address has an account.
 * Throws `not_found` if the person is not a guardian, `conflict` for the person's own participant, for a
 * guardian's address or if there are already four guardians, and `too_many_requests` after too many invitations.
 */
export function inviteGuardian(
  db: Database,
  actor: Person,
  { participantId, email }: { participantId: string; email: string },
): Promise<GuardianInvitation> {
  return db.transaction().execute(async (tx) => {
    const { kind } = await lockParticipant(tx, actor.userId, participantId);
    if (kind === 'self') throw new AppError('conflict', 'You look after your own bookings.');
    const guardians = await listGuardians(tx, participantId);
    const isGuardian = guardians.some((guardian) => guardian.email === email);
    assertAllowed(refuseBecomeGuardian({ isGuardian, guardians: guardians.length }));
    await countInvitation(tx, actor.userId, email);
    const token = generateToken();
    const link = {
      tokenHash: hashToken(token),
      expiresAt: sql<string>`now() + make_interval(days => ${guardianInvitationDays})`,
      invitedBy: actor.userId,
    };
    const invitation = await tx
      .insertInto('guardianInvitations')
      .values({ ...link, participantId, email })
      // PostgreSQL has to recognise the index's predicate, so it can't be a parameter.
      .onConflict((conflict) =>
        conflict
          .columns(['participantId', 'email'])
          .where(sql<boolean>`status = 'pending'`)
          .doUpdateSet(link),
      )
      .returning(['guardianInvitationId', 'email', 'expiresAt'])
      .executeTakeFirstOrThrow();
    const me = guardians.find(({ userId }) => userId === actor.userId)!;
    await sendEmail(
      tx,
      email,
      composeGuardianInvitationMessage({
        invitedBy: me.fullName || me.email,
        path: `/guardian-invitation?${new URLSearchParams({ token })}`,
        expires: formatDay(invitation.expiresAt, Date.now()),
        brand: await readBrand(tx),
      }),
    );
    await recordAudit(tx, actor, {
      action: 'guardian.invited',
      subjectType: 'participant',
      subjectId: participantId,
    });
    return { ...invitation, isExpired: false };
  });
}

/** The guardians of a dependant, in the order in which they joined. */
export const listGuardians = (tx: Database | Tx, participantId: string) =>
  tx
    .selectFrom('guardians')
    .innerJoin('profiles', 'profiles.userId', 'guardians.userId')
    .select(['profiles.userId', 'profiles.fullName', 'profiles.email'])
    .where('participantId', '=', participantId)
    .orderBy('guardians.createdAt')
    .orderBy('profiles.userId')
    .execute();

async function countInvitation(tx: Tx, userId: string, email: string): Promise<void> {
  const waits = [
    await consume(tx, `guardian-invitation:${userId}`, perPerson),
    await consume(tx, keyOf('guardian-invitation-email', email), perAddress),
  ];
  const retryAfterSeconds = Math.max(...waits.map((wait) => wait ?? 0));
  if (retryAfterSeconds === 0) return;
  const message = `Too many invitations were sent. Please try again in ${describeWait(retryAfterSeconds)}.`;
  throw new AppError('too_many_requests', message, {
    fields: { email: message },
    details: { retryAfterSeconds },
  });
}

/**
 * Withdraws a pending invitation. Throws `not_found` if the participant has no such invitation or the person may not
 * act for the participant, and `conflict` if the invitation is no longer pending.
 */
export function withdrawGuardianInvitation(
  db: Database,
  actor: Person,
  { participantId, guardianInvitationId }: { participantId: string; guardianInvitationId: string },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockParticipant(tx, actor.userId, participantId);
    const invitation = await tx
      .selectFrom('guardianInvitations')
      .select('status')
      .where('guardianInvitationId', '=', guardianInvitationId)
      .where('participantId', '=', participantId)
      .executeTakeFirst();
    if (!invitation) throw new AppError('not_found', 'This invitation no longer exists.');
    if (invitation.status !== 'pending') throw new AppError('conflict', 'This invitation is no longer open.');
    await tx
      .updateTable('guardianInvitations')
      .set({ status: 'withdrawn', decidedAt: sql<string>`now()` })
      .where('guardianInvitationId', '=', guardianInvitationId)
      .execute();
    await recordAudit(tx, actor, {
      action: 'guardian.invitation_withdrawn',
      subjectType: 'participant',
      subjectId: participantId,
    });
  });
}
