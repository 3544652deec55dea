import type { Selectable } from 'kysely';
import type { BankDetails } from '#domain/payouts/contract.ts';
import { maskAccountNumber, maskSortCode } from '#domain/payouts/rules.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { CoachBankDetails } from '#server/platform/db/db-types.ts';
import type { EncryptedTable } from '#server/platform/db/re-encrypt.ts';
import { type DataKeys, decryptText, encryptText } from '#server/platform/encryption.ts';

export const bankDetailsColumns = [
  'coachId',
  'accountName',
  'accountNumberEncrypted',
  'sortCodeEncrypted',
  'recipientType',
  'bankCountry',
  'currency',
  'updatedAt',
] as const;

type BankDetailsRow = Pick<Selectable<CoachBankDetails>, (typeof bankDetailsColumns)[number]>;

const contextOf = (field: string, coachId: string) => `coach_bank_details.${field}:${coachId}`;

const contexts = {
  account_number_encrypted: ({ coachId }: Record<string, string>) => contextOf('account_number', coachId!),
  sort_code_encrypted: ({ coachId }: Record<string, string>) => contextOf('sort_code', coachId!),
};

/** The columns of this area that are encrypted with `DATA_KEY`. */
export const encryptedBankNumbers: EncryptedTable[] = [
  { table: 'coach_bank_details', key: ['coach_id'], contexts },
  { table: 'payrun_recipients', key: ['payrun_id', 'coach_id'], contexts },
];

/** Encrypts the digits of both numbers for storage. The result can be decrypted only for the same coach. */
export function encryptBankNumbers(
  dataKeys: DataKeys,
  coachId: string,
  { sortCode, accountNumber }: { sortCode: string; accountNumber: string },
): { sortCodeEncrypted: string; accountNumberEncrypted: string } {
  return {
    sortCodeEncrypted: encryptText(dataKeys, sortCode, contextOf('sort_code', coachId)),
    accountNumberEncrypted: encryptText(dataKeys, accountNumber, contextOf('account_number', coachId)),
  };
}

/**
 * Decrypts the sort code and account number of a stored row. The full numbers may appear only in the payment file,
 * never on a screen, in a log or in an email.
 */
export function decryptBankNumbers(
  dataKeys: DataKeys,
  row: Pick<BankDetailsRow, 'coachId' | 'sortCodeEncrypted' | 'accountNumberEncrypted'>,
): { sortCode: string; accountNumber: string } {
  return {
    sortCode: decryptText(dataKeys, row.sortCodeEncrypted, contextOf('sort_code', row.coachId)),
    accountNumber: decryptText(
      dataKeys,
      row.accountNumberEncrypted,
      contextOf('account_number', row.coachId),
    ),
  };
}

/** Masks the numbers of a stored row, so that the details may be shown and logged. */
export function toBankDetails(dataKeys: DataKeys, row: BankDetailsRow): BankDetails {
  const { sortCode, accountNumber } = decryptBankNumbers(dataKeys, row);
  return {
    accountName: row.accountName,
    maskedSortCode: maskSortCode(sortCode),
    maskedAccountNumber: maskAccountNumber(accountNumber),
    recipientType: row.recipientType,
    bankCountry: 'GB',
    currency: 'GBP',
    updatedAt: row.updatedAt,
  };
}

/** The coach's own bank details, masked; null if none are saved. */
export async function getBankDetails(
  db: Database,
  dataKeys: DataKeys,
  coachId: string,
): Promise<BankDetails | null> {
  const row = await db
    .selectFrom('coachBankDetails')
    .select(bankDetailsColumns)
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  return row ? toBankDetails(dataKeys, row) : null;
}
