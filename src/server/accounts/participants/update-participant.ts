import type { Person } from '#domain/access.ts';
import { refuseDateOfBirth } from '#domain/accounts/participants.ts';
import type { Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { wallTimeOf } from '#domain/time.ts';
import { describeChange, recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { getParticipant, lockParticipant } from './read-participants.ts';

/**
 * Changes the given fields of a participant. Throws `unprocessable` for a date of birth in the future, `not_found` if
 * the person may not act for the participant, and `conflict` for the name or relation of the person's own participant.
 */
export function updateParticipant(
  db: Database,
  actor: Person,
  { participantId, relation, ...given }: ParsedInputOf<typeof participantsApi.update>,
): Promise<Participant> {
  const { userId } = actor;
  if (given.dateOfBirth) {
    assertAllowed(refuseDateOfBirth(given.dateOfBirth, wallTimeOf(Date.now()).date));
  }
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return db.transaction().execute(async (tx) => {
    const before = await lockParticipant(tx, userId, participantId);
    if (before.kind === 'self' && (relation || given.fullName)) {
      throw new AppError('conflict', 'Your name belongs to your account. Change it on your account page.');
    }
    const change = describeChange<object>(before, fields);
    if (change) {
      await tx.updateTable('participants').set(fields).where('participantId', '=', participantId).execute();
      await recordAudit(tx, actor, {
        action: 'participant.changed',
        subjectType: 'participant',
        subjectId: participantId,
        ...change,
      });
    }
    if (relation) {
      await tx
        .updateTable('guardians')
        .set({ relation })
        .where('participantId', '=', participantId)
        .where('userId', '=', userId)
        .execute();
    }
    return getParticipant(tx, userId, participantId);
  });
}
