import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { nameParticipant, refuseLeave } from '#domain/accounts/participants.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { lockParticipant, readLeavingFacts } from '../participants/read-participants.ts';
import { listGuardians } from './invite-guardian.ts';
import { notifyGuardians } from './notify-guardians.ts';

/**
 * Ends the acting person's guardianship and withdraws the person's open invitations for this dependant. The person can
 * still cancel bookings that they paid for. Throws `not_found` if the person is not a guardian, and
 * `conflict` for the last guardian and for the person's own participant.
 */
export function leaveParticipant(db: Database, actor: Person, participantId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    // Bookings for this dependant wait, so that none is made in the meantime.
    const participant = await lockParticipant(tx, actor.userId, participantId, { blocksBookings: true });
    if (participant.kind === 'self') throw new AppError('conflict', 'You look after your own bookings.');
    const facts = await readLeavingFacts(tx, participantId);
    assertAllowed(refuseLeave({ ...facts, name: nameParticipant(participant) }));
    await tx
      .deleteFrom('guardians')
      .where('participantId', '=', participantId)
      .where('userId', '=', actor.userId)
      .execute();
    await withdrawInvitationsOf(tx, actor.userId, participantId);
    await notifyGuardians(tx, await listGuardians(tx, participantId), {
      actorId: actor.userId,
      participantId,
      participantName: participant.fullName,
      what: 'left',
    });
    await recordAudit(tx, actor, {
      action: 'guardian.left',
      subjectType: 'participant',
      subjectId: participantId,
    });
  });
}

/** Withdraws a person's open invitations to become a guardian, of one dependant or of all. */
export async function withdrawInvitationsOf(tx: Tx, userId: string, participantId?: string): Promise<void> {
  await tx
    .updateTable('guardianInvitations')
    .set({ status: 'withdrawn', decidedAt: sql<string>`now()` })
    .where('invitedBy', '=', userId)
    .where('status', '=', 'pending')
    .$if(participantId !== undefined, (query) => query.where('participantId', '=', participantId!))
    .execute();
}
