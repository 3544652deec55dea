import type { Person } from '#domain/access.ts';
import { refuseDateOfBirth, refuseMoreDependants } from '#domain/accounts/participants.ts';
import type { Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { assertAllowed } from '#domain/errors.ts';
import { wallTimeOf } from '#domain/time.ts';
import { describeChange, recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { countDependants, getParticipant } from './read-participants.ts';

/**
 * Adds a dependant and makes the acting person a guardian. Throws `unprocessable` for a date of birth in the future and
 * `conflict` for the eleventh participant.
 */
export function addParticipant(
  db: Database,
  actor: Person,
  { isAdult: _, relation, ...given }: ParsedInputOf<typeof participantsApi.add>,
): Promise<Participant> {
  assertAllowed(refuseDateOfBirth(given.dateOfBirth, wallTimeOf(Date.now()).date));
  return db.transaction().execute(async (tx) => {
    assertAllowed(refuseMoreDependants(await countDependants(tx, actor.userId)));
    const { participantId } = await tx
      .insertInto('participants')
      .values({ kind: 'dependant', ...given })
      .returning('participantId')
      .executeTakeFirstOrThrow();
    await tx.insertInto('guardians').values({ participantId, userId: actor.userId, relation }).execute();
    await recordAudit(tx, actor, {
      action: 'participant.added',
      subjectType: 'participant',
      subjectId: participantId,
      ...describeChange(null, given),
    });
    return getParticipant(tx, actor.userId, participantId);
  });
}
