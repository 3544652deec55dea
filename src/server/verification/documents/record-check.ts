import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { addMonths, wallTimeOf } from '#domain/time.ts';
import type { checksApi } from '#domain/verification/checks-contract.ts';
import { defaultRecheckOn, refuseRecordCheck, refuseStatusCheck } from '#domain/verification/documents.ts';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeDocumentDecidedMessage } from '#server/notifications/verification-templates/documents.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { isViolation, type Tx } from '#server/platform/db/db.ts';
import { assertOther, lockDocument } from './decide-document.ts';
import { encryptDocumentNumber } from './document-numbers.ts';
import { type DocumentParts, readTrustFile } from './read-trust-file.ts';
import { replaceEarlier } from './replace-earlier.ts';
import { lockCoach } from './submit-document.ts';

type Recorded = ParsedInputOf<typeof checksApi.recordCheck>;
type StatusCheck = ParsedInputOf<typeof checksApi.recordStatusCheck>;

/**
 * Records a criminal record check that an admin has seen. A check that isn't satisfactory is kept as declined for 30
 * days, without the reason. Throws `not_found`, `unprocessable` for fields that contradict each other, and `conflict`
 * if the Update Service was used without the coach's consent, or if the check is the admin's own.
 */
export async function recordCheck(
  { db, config }: DocumentParts,
  admin: Person,
  { coachId, number, isSatisfactory, recheckOn, ...check }: Recorded,
): Promise<TrustFile> {
  assertOther(admin, coachId);
  const today = wallTimeOf(Date.now()).date;
  const recheck = recheckOn ?? defaultRecheckOn({ ...check, seenOn: today });
  const documentId = randomUUID();
  const status = isSatisfactory ? 'accepted' : 'declined';
  return withConsent(() =>
    db.transaction().execute(async (tx) => {
      await lockCoach(tx, coachId);
      assertAllowed(refuseRecordCheck({ ...check, number, recheckOn: recheck }, today));
      if (check.method === 'update_service') await assertConsent(tx, coachId);
      await tx
        .insertInto('coachDocuments')
        .values({
          ...{ documentId, coachId, kind: 'criminal_record_check' as const, ...check, recheckOn: recheck },
          ...{ status, checkedBy: admin.userId, checkedAt: sql<string>`now()` },
          closedAt: isSatisfactory ? null : sql<string>`now()`,
          numberEncrypted: encryptDocumentNumber(config.dataKeys, documentId, number),
        })
        .execute();
      if (isSatisfactory) await replaceEarlier(tx, documentId);
      await recordResult(
        tx,
        admin,
        { documentId, coachId, status, action: 'coach_document.recorded' },
        {
          ...{ scheme: check.scheme, method: check.method },
        },
      );
      return readTrustFile(tx, config, coachId);
    }),
  );
}

/**
 * Records what the Update Service said about a recorded DBS certificate. An unchanged certificate counts until the next
 * check; a changed one is declined. Throws `not_found`, `unprocessable` for a level or workforce other than the
 * certificate's or a next check in the past or more than three years ahead, and `conflict` without the coach's consent,
 * for a check that no longer counts or for the admin's own.
 */
export async function recordStatusCheck(
  { db, config }: DocumentParts,
  admin: Person,
  { documentId, level, workforce, isUnchanged, recheckOn }: StatusCheck,
): Promise<TrustFile> {
  const today = wallTimeOf(Date.now()).date;
  const recheck = recheckOn ?? addMonths(today, 12);
  if (recheck < today || recheck > addMonths(today, 36)) {
    const message = 'Choose a day within the next three years.';
    throw new AppError('unprocessable', message, { fields: { recheckOn: message } });
  }
  return withConsent(() =>
    db.transaction().execute(async (tx) => {
      const { coachId, status: before } = await lockDocument(tx, admin, documentId);
      const certificate = await tx
        .selectFrom('coachDocuments')
        .select(['kind', 'scheme', 'level', 'workforce'])
        .where('documentId', '=', documentId)
        .executeTakeFirstOrThrow();
      assertAllowed(refuseStatusCheck(certificate, { level, workforce }));
      if (before !== 'accepted') {
        throw new AppError('conflict', 'This check no longer counts. Record the new certificate.');
      }
      await assertConsent(tx, coachId);
      const status = isUnchanged ? 'accepted' : 'declined';
      await sql`
        update coach_documents set status = ${status}, method = 'update_service', checked_by = ${admin.userId}::uuid,
          checked_at = now(), recheck_on = case when ${isUnchanged}::boolean then ${recheck}::date else recheck_on end,
          closed_at = case when not ${isUnchanged}::boolean then now() end
        where document_id = ${documentId}::uuid`.execute(tx);
      await recordResult(
        tx,
        admin,
        { documentId, coachId, before, status, action: 'coach_document.status_checked' },
        {},
      );
      return readTrustFile(tx, config, coachId);
    }),
  );
}

const noConsent = () =>
  new AppError(
    'conflict',
    "The coach hasn't agreed to the DBS Update Service. Ask the coach to agree first.",
  );

/**
 * Throws `conflict` without the coach's consent. The trigger coach_documents_update_service_has_consent guards the same
 * rule in the database.
 */
async function assertConsent(tx: Tx, coachId: string): Promise<void> {
  const consent = await tx
    .selectFrom('updateServiceConsents')
    .select('consentId')
    .where('coachId', '=', coachId)
    .where('withdrawnAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (!consent) throw noConsent();
}

async function withConsent<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isViolation(error, 'coach_documents_update_service_has_consent') ? noConsent() : error;
  }
}

async function recordResult(
  tx: Tx,
  admin: Person,
  {
    documentId,
    coachId,
    before,
    status,
    action,
  }: { documentId: string; coachId: string; before?: string; status: string; action: string },
  facts: Record<string, string>,
): Promise<void> {
  const kind = 'criminal_record_check' as const;
  await recordAudit(tx, admin, {
    ...{ action, subjectType: 'coach_document', subjectId: documentId },
    ...(before && { before: { status: before } }),
    after: { status, kind, coachId, ...facts },
  });
  const coach = await readRecipient(tx, coachId);
  await notify(
    tx,
    coach,
    { kind: 'document_decided', subjectId: documentId },
    composeDocumentDecidedMessage({
      fullName: coach.fullName,
      kind,
      isAccepted: status === 'accepted',
      reason: '',
    }),
  );
}
