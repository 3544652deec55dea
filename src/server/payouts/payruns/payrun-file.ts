import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatFileAmount } from '#domain/money.ts';
import type { PayrunCsvRow, payoutsApi } from '#domain/payouts/contract.ts';
import { type FileLayout, payrunFileName, refusePayrunStep } from '#domain/payouts/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import { type CsvColumns, writeCsv } from '#server/platform/csv.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { decryptBankNumbers } from '../bank-details.ts';

/** The columns of each layout; `revolut` has the names that Revolut Business requires for bulk payments. */
const layouts: Record<FileLayout, CsvColumns<PayrunCsvRow>> = {
  standard: {
    name: ({ name }) => name,
    recipient_type: ({ recipientType }) => recipientType,
    account_number: ({ accountNumber }) => accountNumber,
    sort_code: ({ sortCode }) => sortCode,
    recipient_bank_country: ({ recipientBankCountry }) => recipientBankCountry,
    currency: ({ currency }) => currency,
    amount: ({ amount }) => amount,
    payment_reference: ({ paymentReference }) => paymentReference,
  },
  revolut: {
    Name: ({ name }) => name,
    'Recipient type': ({ recipientType }) => (recipientType === 'Business' ? 'Company' : recipientType),
    'Account number': ({ accountNumber }) => accountNumber,
    'Sort code': ({ sortCode }) => sortCode,
    'Recipient bank country': ({ recipientBankCountry }) => recipientBankCountry,
    Currency: ({ currency }) => currency,
    Amount: ({ amount }) => amount,
    'Payment reference': ({ paymentReference }) => paymentReference,
  },
};

/**
 * The payment file of a payrun: one row per coach, in order of coach id, built only from the payrun's own snapshot, so
 * that every export of a layout has the same bytes. Exports are audited. Throws `not_found`, and `conflict` if the
 * payrun needs a different admin or was cancelled.
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
  const fileName = payrunFileName(payrunId, layout);
  return { ...writeCsv({ fileName, columns: layouts[layout], rows }), rows };
}

/** Records the export, because a bank may have the file from now on. Throws `conflict` if the payrun is cancelled. */
async function noteExport(tx: Tx, admin: Person, payrunId: string, layout: FileLayout): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('payruns')
    .set({ exportedAt: sql<string>`coalesce(exported_at, now())` })
    .where('payrunId', '=', payrunId)
    .where('status', '!=', 'cancelled')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new AppError('conflict', 'This payrun has been cancelled, so its file is no longer available.');
  }
  await recordAudit(tx, admin, {
    action: 'payrun.exported',
    subjectType: 'payrun',
    subjectId: payrunId,
    after: { layout },
  });
}
