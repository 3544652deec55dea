import { encryptedCare } from './accounts/care/care-details.ts';
import { encryptedFactors } from './auth/two-step/factors.ts';
import { encryptedPushSubscriptions } from './notifications/push/push-subscriptions.ts';
import { encryptedBankNumbers } from './payouts/bank-details.ts';
import type { EncryptedTable } from './platform/db/re-encrypt.ts';
import { encryptedFileKeys } from './storage/content-cipher.ts';
import { encryptedDocumentNumbers } from './verification/documents/document-numbers.ts';

/** Every table with columns that `DATA_KEY` encrypts. */
export const encryptedTables: readonly EncryptedTable[] = [
  encryptedFactors,
  encryptedPushSubscriptions,
  encryptedCare,
  encryptedFileKeys,
  encryptedDocumentNumbers,
  ...encryptedBankNumbers,
];
