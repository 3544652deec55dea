import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { nameParticipant, refuseDeleteParticipant } from '#domain/accounts/participants.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { withdrawInvitationsOf } from '#server/accounts/guardians/leave-participant.ts';
import { lockParticipant, readLeavingFacts } from '#server/accounts/participants/read-participants.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { eraseDependant } from './erase-person.ts';

/**
 * Deletes a dependant. The name, date of birth and care details are deleted immediately; the bookings stay without
 * them. Throws `not_found` if the actor is not a guardian, and `conflict` for the actor's own participant, while
 * upcoming lessons are booked, or if there is another guardian.
 */
export function deleteParticipant(db: Database, actor: Person, participantId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const participant = await lockParticipant(tx, actor.userId, participantId, { blocksBookings: true });
    if (participant.kind === 'self') {
      throw new AppError('conflict', 'To delete your own data, delete your account.');
    }
    const facts = await readLeavingFacts(tx, participantId);
    assertAllowed(refuseDeleteParticipant({ ...facts, name: nameParticipant(participant) }));
    await eraseDependant(tx, participantId);
    await recordAudit(tx, actor, {
      action: 'participant.deleted',
      subjectType: 'participant',
      subjectId: participantId,
    });
  });
}

/**
 * Locks a person's dependants and returns their ids. Until the transaction ends, nobody can book for these dependants,
 * and none of them can lose a guardian.
 */
export async function lockDependants(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ participantId: string }>`
    select participant_id from participants
    where participant_id in (select participant_id from guardians where user_id = ${userId}::uuid)
    order by participant_id for update`.execute(tx);
  return rows.map(({ participantId }) => participantId);
}

/**
 * Ends the guardianship of a person whose account is being deleted: erases the dependants ({@link lockDependants}) who
 * have no other guardian, and withdraws the person's open guardian invitations.
 */
export async function endGuardianship(
  tx: Tx,
  { userId, participantIds }: { userId: string; participantIds: string[] },
): Promise<void> {
  for (const participantId of participantIds) {
    const { guardians } = await readLeavingFacts(tx, participantId);
    if (guardians === 1) await eraseDependant(tx, participantId);
  }
  await withdrawInvitationsOf(tx, userId);
}
