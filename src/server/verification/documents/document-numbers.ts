import type { EncryptedTable } from '#server/platform/db/re-encrypt.ts';
import { type DataKeys, decryptText, encryptText } from '#server/platform/encryption.ts';

const contextOf = (documentId: string) => `coach_documents.number:${documentId}`;

/** The column with the encrypted numbers of checks and documents, for rotation of `DATA_KEY`. */
export const encryptedDocumentNumbers: EncryptedTable = {
  table: 'coach_documents',
  key: ['document_id'],
  contexts: { number_encrypted: ({ documentId }) => contextOf(documentId!) },
};

/** Encrypts a document's number for storage. It can be decrypted only for the same document. */
export const encryptDocumentNumber = (dataKeys: DataKeys, documentId: string, number: string): string =>
  encryptText(dataKeys, number, contextOf(documentId));

/** Decrypts a number. Only the coach and admins may see it: it must not appear in emails, logs or badges. */
export const decryptDocumentNumber = (
  dataKeys: DataKeys,
  { documentId, numberEncrypted }: { documentId: string; numberEncrypted: string },
): string => decryptText(dataKeys, numberEncrypted, contextOf(documentId));
