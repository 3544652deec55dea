import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { type Care, refuseCare } from '#domain/accounts/care.ts';
import type { CareAnswer, careApi } from '#domain/accounts/care-contract.ts';
import { refuseNotesWithoutConsent } from '#domain/accounts/consents.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { describeChange, recordAudit } from '#server/platform/audit.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { lockParticipant } from '../participants/read-participants.ts';
import { type CareParts, encryptCare, readCare } from './care-details.ts';
import { insertConsent, readConsent } from './give-consent.ts';

/**
 * Replaces a participant's care details, which also confirms them. Throws `unprocessable` for notes without
 * consent to keep them or a dependant without an answer about collection, `conflict` for a consent to an
 * outdated text, and `not_found` if the person may not act for the participant. The audit event names changed
 * fields only.
 */
export function saveCare(
  { db, config }: CareParts,
  actor: Person,
  { participantId, medicalConsent, ...given }: ParsedInputOf<typeof careApi.saveCare>,
): Promise<CareAnswer> {
  return db.transaction().execute(async (tx) => {
    const { kind } = await lockParticipant(tx, actor.userId, participantId);
    assertAllowed(refuseCare(kind, given));
    if (given.notes) await assertConsent(tx, actor, participantId, medicalConsent);
    const { care: before } = await readCare(tx, config.dataKeys, participantId);
    await tx
      .insertInto('participantCare')
      .values({ participantId, careEncrypted: encryptCare(config.dataKeys, participantId, given) })
      .onConflict((conflict) =>
        conflict.column('participantId').doUpdateSet({
          careEncrypted: encryptCare(config.dataKeys, participantId, given),
          confirmedAt: sql<string>`now()`,
        }),
      )
      .execute();
    await recordAudit(tx, actor, {
      action: 'care.saved',
      subjectType: 'participant',
      subjectId: participantId,
      ...describeChange<Care>(before, given),
    });
    return readCare(tx, config.dataKeys, participantId);
  });
}

async function assertConsent(
  tx: Tx,
  actor: Person,
  participantId: string,
  textVersion: string | undefined,
): Promise<void> {
  const current = await readConsent(tx, participantId, 'medical');
  assertAllowed(refuseNotesWithoutConsent(current?.choice ?? null, textVersion));
  const isNew =
    textVersion !== undefined && (current?.choice !== 'yes' || current.textVersion !== textVersion);
  if (isNew) await insertConsent(tx, actor, { participantId, kind: 'medical', choice: 'yes', textVersion });
}

/**
 * Confirms that a participant's care details are still correct. Throws `conflict` if there are none, and
 * `not_found` if the person may not act for the participant.
 */
export function confirmCare(
  { db, config }: CareParts,
  actor: Person,
  participantId: string,
): Promise<CareAnswer> {
  return db.transaction().execute(async (tx) => {
    await lockParticipant(tx, actor.userId, participantId);
    const confirmed = await tx
      .updateTable('participantCare')
      .set({ confirmedAt: sql<string>`now()` })
      .where('participantId', '=', participantId)
      .returning('participantId')
      .executeTakeFirst();
    if (!confirmed) throw new AppError('conflict', 'There are no care details yet. Please add them.');
    await recordAudit(tx, actor, {
      action: 'care.confirmed',
      subjectType: 'participant',
      subjectId: participantId,
    });
    return readCare(tx, config.dataKeys, participantId);
  });
}

/** Deletes a participant's care details, if any. Throws `not_found` if the person may not act for the participant. */
export function deleteCare(
  { db }: Pick<CareParts, 'db'>,
  actor: Person,
  participantId: string,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockParticipant(tx, actor.userId, participantId);
    const deleted = await tx
      .deleteFrom('participantCare')
      .where('participantId', '=', participantId)
      .returning('participantId')
      .executeTakeFirst();
    if (!deleted) return;
    await recordAudit(tx, actor, {
      action: 'care.deleted',
      subjectType: 'participant',
      subjectId: participantId,
    });
  });
}
