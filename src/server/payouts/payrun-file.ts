import { stringify } from 'csv-stringify/sync';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { PayrunCsvRow, payoutsApi } from '#domain/payouts/contract.ts';
import {
  type FileLayout,
  formatFileAmount,
  payrunFileName,
  refusePayrunStep,
} from '#domain/payouts/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { decryptBankNumbers } from './bank-details.ts';

type Columns = { key: keyof PayrunCsvRow; header: string }[];

/** Column by column: its name in the file and its value. */
const standard: Columns = [
  { key: 'name', header: 'name' },
  { key: 'recipientType', header: 'recipient_type' },
  { key: 'accountNumber', header: 'account_number' },
  { key: 'sortCode', header: 'sort_code' },
  { key: 'recipientBankCountry', header: 'recipient_bank_country' },
  { key: 'currency', header: 'currency' },
  { key: 'amount', header: 'amount' },
  { key: 'paymentReference', header: 'payment_reference' },
];

/** The same columns under Revolut Business's names for bulk payments. */
const revolut: Columns = [
  { key: 'name', header: 'Name' },
  { key: 'recipientType', header: 'Recipient type' },
  { key: 'accountNumber', header: 'Account number' },
  { key: 'sortCode', header: 'Sort code' },
  { key: 'recipientBankCountry', header: 'Recipient bank country' },
  { key: 'currency', header: 'Currency' },
  { key: 'amount', header: 'Amount' },
  { key: 'paymentReference', header: 'Payment reference' },
];

/**
 * The payment file of a payrun: UTF-8, CRLF, one row per coach by coach id, built only from the payrun's own
 * snapshot, so each layout has the same bytes every time. Exports are audited. Throws `not_found`, and `conflict` if
 * it needs another admin than this one, or was cancelled: nobody may be paid from it any more.
 */
export async function exportPayrun(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
  admin: Person,
  { payrunId, layout }: ParsedInputOf<typeof payoutsApi.getPayrunCsvRows>,
): Promise<OutputOf<typeof payoutsApi.getPayrunCsvRows>> {
  const recipients = await db
    .selectFrom('payrunRecipients as recipient')
    .innerJoin('payruns as payrun', 'payrun.payrunId', 'recipient.payrunId')
    .selectAll('recipient')
    .select(['payrun.currency', 'payrun.paymentReference', 'payrun.needsSecondAdmin', 'payrun.createdBy'])
    .where('recipient.payrunId', '=', payrunId)
    .orderBy('recipient.coachId')
    .execute();
  if (recipients.length === 0) throw new AppError('not_found', 'No payment data found for this payrun');
  assertAllowed(refusePayrunStep(recipients[0]!, admin.userId));
  const rows = recipients.map((recipient): PayrunCsvRow => {
    const { accountNumber, sortCode } = decryptBankNumbers(config.dataKeys, recipient);
    return {
      name: recipient.accountName,
      recipientType: recipient.recipientType,
      accountNumber,
      sortCode,
      recipientBankCountry: recipient.bankCountry,
      currency: recipient.currency,
      amount: formatFileAmount(recipient.amountCents),
      paymentReference: recipient.paymentReference,
    };
  });
  await db.transaction().execute((tx) => noteExport(tx, admin, payrunId, layout));
  const csv = stringify(layout === 'revolut' ? rows.map(toRevolut) : rows, {
    header: true,
    columns: layout === 'revolut' ? revolut : standard,
    record_delimiter: 'windows',
  });
  return { fileName: payrunFileName(payrunId, layout), rows, csv };
}

const toRevolut = (row: PayrunCsvRow) => ({
  ...row,
  recipientType: row.recipientType === 'Business' ? 'Company' : row.recipientType,
});

/** From this moment a bank may have the file; a payrun that was just cancelled has none. */
async function noteExport(tx: Tx, admin: Person, payrunId: string, layout: FileLayout): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('payruns')
    .set({ exportedAt: sql<string>`coalesce(exported_at, now())` })
    .where('payrunId', '=', payrunId)
    .where('status', '!=', 'cancelled')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new AppError('conflict', 'This payrun is cancelled, so there is no file to pay it with.');
  }
  await recordAudit(tx, admin, {
    action: 'payrun.exported',
    subjectType: 'payrun',
    subjectId: payrunId,
    after: { layout },
  });
}
