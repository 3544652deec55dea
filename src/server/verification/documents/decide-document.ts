import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { CheckMethod } from '#domain/verification/documents.ts';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeDocumentDecidedMessage } from '#server/notifications/verification-templates/documents.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { type DocumentParts, readTrustFile } from './read-trust-file.ts';
import { replaceEarlier } from './replace-earlier.ts';
import { lockCoach } from './submit-document.ts';

type Locked = {
  coachId: string;
  kind: import('#domain/settings/verification-policy.ts').DocumentKind;
  status: string;
};

/**
 * Accepts a waiting document and notifies the coach. In the same transaction, the trigger coach_documents_clearance
 * updates whether the coach is listed. Throws `not_found` for an unknown or withdrawn document, and `conflict` if the
 * document has been decided on in the meantime, has ended or is the admin's own.
 */
export function acceptDocument(
  { db, config }: DocumentParts,
  admin: Person,
  { documentId, method }: { documentId: string; method: CheckMethod },
): Promise<TrustFile> {
  return db.transaction().execute(async (tx) => {
    const document = await lockDocument(tx, admin, documentId);
    if (document.status !== 'submitted') throw decided(document.status);
    const { rows } = await sql`
      update coach_documents set status = 'accepted', method = ${method}, checked_by = ${admin.userId}::uuid,
        checked_at = now()
      where document_id = ${documentId}::uuid and ends_on >= (now() at time zone 'Europe/London')::date
      returning document_id`.execute(tx);
    if (rows.length === 0) {
      throw new AppError(
        'conflict',
        'This document has now ended. Decline it, so that the coach can submit a new one.',
      );
    }
    await replaceEarlier(tx, documentId);
    await recordDecision(tx, admin, documentId, document, { status: 'accepted', method });
    return readTrustFile(tx, config, document.coachId);
  });
}

/**
 * Declines a waiting or accepted document. The coach is shown the reason; a criminal record check must not have one.
 * Throws `not_found`, `unprocessable` for a missing or forbidden reason, and `conflict` if the document has already
 * been declined or replaced or is the admin's own.
 */
export function declineDocument(
  { db, config }: DocumentParts,
  admin: Person,
  { documentId, reason = '' }: { documentId: string; reason?: string | undefined },
): Promise<TrustFile> {
  return db.transaction().execute(async (tx) => {
    const document = await lockDocument(tx, admin, documentId);
    const isCheck = document.kind === 'criminal_record_check';
    if (isCheck === (reason !== '')) {
      const message = isCheck
        ? "You can't give a reason when you decline a criminal record check, because we don't store anything that it says."
        : 'Enter the reason. The coach will read it.';
      throw new AppError('unprocessable', message, { fields: { reason: message } });
    }
    if (document.status !== 'submitted' && document.status !== 'accepted') throw decided(document.status);
    await sql`
      update coach_documents set status = 'declined', decline_reason = ${reason || null}, closed_at = now(),
        checked_by = ${admin.userId}::uuid, checked_at = now()
      where document_id = ${documentId}::uuid`.execute(tx);
    await recordDecision(tx, admin, documentId, document, { status: 'declined' }, reason);
    return readTrustFile(tx, config, document.coachId);
  });
}

/**
 * Locks the coach and then the document, in the order that every change to a trust file uses. Throws `not_found`, and
 * `conflict` if the document is the acting admin's own.
 */
export async function lockDocument(tx: Tx, admin: Person, documentId: string): Promise<Locked> {
  const found = await tx
    .selectFrom('coachDocuments')
    .select('coachId')
    .where('documentId', '=', documentId)
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', 'Document not found.');
  assertOther(admin, found.coachId);
  await lockCoach(tx, found.coachId);
  const document = await tx
    .selectFrom('coachDocuments')
    .select(['coachId', 'kind', 'status'])
    .where('documentId', '=', documentId)
    .forUpdate()
    .executeTakeFirst();
  if (!document) throw new AppError('not_found', 'Document not found.');
  return document;
}

/** Throws `conflict` if the documents are the admin's own. */
export function assertOther(admin: Person, coachId: string): void {
  if (admin.userId !== coachId) return;
  throw new AppError('conflict', "You can't decide on your own documents. Please ask another admin.");
}

const decided = (status: string) =>
  new AppError('conflict', `Someone has already decided on this document: it is ${status}.`);

async function recordDecision(
  tx: Tx,
  admin: Person,
  documentId: string,
  { coachId, kind, status }: Locked,
  after: { status: 'accepted' | 'declined'; method?: CheckMethod },
  reason = '',
): Promise<void> {
  await recordAudit(tx, admin, {
    action: `coach_document.${after.status}`,
    subjectType: 'coach_document',
    subjectId: documentId,
    before: { status },
    after: { ...after, kind, coachId },
  });
  const coach = await readRecipient(tx, coachId);
  await notify(
    tx,
    coach,
    { kind: 'document_decided', subjectId: documentId },
    composeDocumentDecidedMessage({
      fullName: coach.fullName,
      ...{ kind, isAccepted: after.status === 'accepted', reason },
    }),
  );
}
