import type { Person } from '#domain/access.ts';
import type { Consent, careApi } from '#domain/accounts/care-contract.ts';
import {
  type ConsentChoice,
  type ConsentKind,
  isReduced,
  isWithdrawal,
  refuseConsent,
} from '#domain/accounts/consents.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { assertAllowed } from '#domain/errors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { getParticipant, lockParticipant } from '../participants/read-participants.ts';
import { type CareParts, encryptCare, readCare } from './care-details.ts';

type GivenConsent = Pick<Consent, 'kind' | 'choice' | 'textVersion'> & { participantId: string };

/**
 * Records the choice of a guardian or of the participant. A choice that is already in force with the same wording is
 * not recorded again. Withdrawing the consent `medical` deletes the notes. A job notifies the coaches of upcoming
 * lessons if less is allowed than before. Throws `unprocessable` for a choice that this kind does not offer, `conflict`
 * for agreement to an outdated wording, and `not_found` if the person may not act for the participant.
 */
export function giveConsent(
  { db, config }: CareParts,
  actor: Person,
  given: ParsedInputOf<typeof careApi.giveConsent>,
): Promise<Participant> {
  const { participantId, kind, choice, textVersion } = given;
  assertAllowed(refuseConsent(given));
  return db.transaction().execute(async (tx) => {
    await lockParticipant(tx, actor.userId, participantId);
    const before = await readConsent(tx, participantId, kind);
    if (before?.choice !== choice || before.textVersion !== textVersion) {
      const consentId = await insertConsent(tx, actor, given);
      if (kind === 'medical' && isWithdrawal(choice)) await deleteNotes(tx, config.dataKeys, participantId);
      if (isReduced(kind, before?.choice ?? null, choice)) {
        await enqueue(tx, 'bookings.consent-reduced', { consentId });
      }
    }
    return getParticipant(tx, actor.userId, participantId);
  });
}

/** The consent in force; undefined if none was ever given or refused. */
export const readConsent = (
  tx: Database | Tx,
  participantId: string,
  kind: ConsentKind,
): Promise<{ choice: ConsentChoice; textVersion: string } | undefined> =>
  tx
    .selectFrom('consents')
    .select(['choice', 'textVersion'])
    .where('participantId', '=', participantId)
    .where('kind', '=', kind)
    .orderBy('consentId', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Writes a consent and its audit event; returns the consent's id. The caller must have locked the participant. */
export async function insertConsent(tx: Tx, actor: Person, given: GivenConsent): Promise<number> {
  const { participantId, kind, choice, textVersion } = given;
  const { consentId } = await tx
    .insertInto('consents')
    .values({ participantId, kind, choice, textVersion, givenBy: actor.userId })
    .returning('consentId')
    .executeTakeFirstOrThrow();
  await recordAudit(tx, actor, {
    action: isWithdrawal(choice) ? 'consent.withdrawn' : 'consent.given',
    subjectType: 'participant',
    subjectId: participantId,
    after: { kind },
  });
  return consentId;
}

async function deleteNotes(tx: Tx, dataKeys: DataKeys, participantId: string): Promise<void> {
  const { care } = await readCare(tx, dataKeys, participantId);
  if (!care?.notes) return;
  await tx
    .updateTable('participantCare')
    .set({ careEncrypted: encryptCare(dataKeys, participantId, { ...care, notes: null }) })
    .where('participantId', '=', participantId)
    .execute();
}

/** A participant's consents, newest first, at most 200. The caller must already have checked access. */
export function listConsents(db: Database, participantId: string): Promise<Consent[]> {
  return db
    .selectFrom('consents')
    .innerJoin('profiles', 'profiles.userId', 'consents.givenBy')
    .select(['kind', 'choice', 'textVersion', 'profiles.fullName as givenByName', 'at'])
    .where('participantId', '=', participantId)
    .orderBy('consentId', 'desc')
    .limit(200)
    .execute();
}
