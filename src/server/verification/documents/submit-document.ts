import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { wallTimeOf } from '#domain/time.ts';
import { refuseDates } from '#domain/verification/documents.ts';
import type { documentsApi, TrustFile } from '#domain/verification/documents-contract.ts';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composeDocumentWaitingMessage } from '#server/notifications/verification-templates/documents.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { isViolation, type Tx } from '#server/platform/db/db.ts';
import { encryptDocumentNumber } from './document-numbers.ts';
import { type DocumentParts, readTrustFile } from './read-trust-file.ts';

type Submission = ParsedInputOf<typeof documentsApi.submit>;

/**
 * Submits a document with a file that the coach has uploaded. The document replaces a waiting one of the same kind;
 * accepted ones still count. Throws `unprocessable` for invalid dates and for a missing file, and `conflict` for a file
 * that belongs to another document.
 */
export async function submitDocument(
  { db, config }: DocumentParts,
  coach: Person,
  { number, filePath, ...document }: Submission,
): Promise<TrustFile> {
  assertAllowed(refuseDates(document, wallTimeOf(Date.now()).date));
  const documentId = randomUUID();
  try {
    return await db.transaction().execute(async (tx) => {
      await lockCoach(tx, coach.userId);
      const file = await tx
        .selectFrom('storageObjects')
        .select(['objectId', 'contentId'])
        .where('bucket', '=', 'documents')
        .where('path', '=', filePath)
        .where('ownerUserId', '=', coach.userId)
        .executeTakeFirst();
      if (!file) {
        const message = 'Upload the file first.';
        throw new AppError('unprocessable', message, { fields: { filePath: message } });
      }
      const replaced = await sql<{ documentId: string }>`
        delete from coach_documents where coach_id = ${coach.userId}::uuid and kind = ${document.kind}
          and status = 'submitted' and file_object_id <> ${file.objectId}::uuid
        returning document_id`.execute(tx);
      await tx
        .insertInto('coachDocuments')
        .values({
          ...{ documentId, coachId: coach.userId, ...document, status: 'submitted' as const },
          numberEncrypted: encryptDocumentNumber(config.dataKeys, documentId, number),
          ...{ fileObjectId: file.objectId, fileContentId: file.contentId },
        })
        .execute();
      await recordAudit(tx, coach, {
        action: 'coach_document.submitted',
        subjectType: 'coach_document',
        subjectId: documentId,
        after: {
          kind: document.kind,
          coachId: coach.userId,
          ...(replaced.rows[0] && { replaces: replaced.rows[0].documentId }),
        },
      });
      await notifyAdmins(
        tx,
        { kind: 'document_waiting', subjectId: documentId },
        { except: [coach.userId], compose: () => composeDocumentWaitingMessage(document.kind) },
      );
      return readTrustFile(tx, config, coach.userId);
    });
  } catch (error) {
    if (isViolation(error, 'coach_documents_file_once')) {
      throw new AppError('conflict', 'This file belongs to another document. Upload it again.');
    }
    throw error;
  }
}

/** Deletes a waiting document, with its file. Throws `not_found`, and `conflict` once an admin has decided. */
export function withdrawDocument(
  { db, config }: DocumentParts,
  coach: Person,
  documentId: string,
): Promise<TrustFile> {
  return db.transaction().execute(async (tx) => {
    await lockCoach(tx, coach.userId);
    const found = await tx
      .selectFrom('coachDocuments')
      .select(['kind', 'status'])
      .where('documentId', '=', documentId)
      .where('coachId', '=', coach.userId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw new AppError('not_found', 'Document not found.');
    if (found.status !== 'submitted') {
      throw new AppError('conflict', 'An admin has already decided on this document.');
    }
    await tx.deleteFrom('coachDocuments').where('documentId', '=', documentId).execute();
    await recordAudit(tx, coach, {
      action: 'coach_document.withdrawn',
      subjectType: 'coach_document',
      subjectId: documentId,
      before: { status: found.status },
      after: { kind: found.kind, coachId: coach.userId },
    });
    return readTrustFile(tx, config, coach.userId);
  });
}

/** Serialises changes to a coach's trust file. Throws `not_found` for a person who has never been a coach. */
export async function lockCoach(tx: Tx, coachId: string): Promise<{ isActive: boolean }> {
  const coach = await tx
    .selectFrom('coaches')
    .select('isActive')
    .where('coachId', '=', coachId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!coach) throw new AppError('not_found', 'Coach not found.');
  return coach;
}
