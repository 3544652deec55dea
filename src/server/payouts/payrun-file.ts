import { stringify } from 'csv-stringify/sync';
import type { Person } from '#domain/access.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { PayrunCsvRow, payoutsApi } from '#domain/payouts/contract.ts';
import { formatFileAmount, payrunFileName } from '#domain/payouts/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { openBankNumbers } from './bank-details.ts';

/** Column by column: its name in the file and the value it takes. Revolut Business reads this layout. */
const columns: { key: keyof PayrunCsvRow; header: string }[] = [
  { key: 'name', header: 'name' },
  { key: 'recipientType', header: 'recipient_type' },
  { key: 'accountNumber', header: 'account_number' },
  { key: 'sortCode', header: 'sort_code' },
  { key: 'recipientBankCountry', header: 'recipient_bank_country' },
  { key: 'currency', header: 'currency' },
  { key: 'amount', header: 'amount' },
  { key: 'paymentReference', header: 'payment_reference' },
];

/**
 * The payment file of a payrun: UTF-8, CRLF, a row per coach by coach id, made of the payrun's own snapshot alone,
 * so the same bytes every time. Who exported it is written to the audit log.
 */
export async function exportPayrun(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
  admin: Person,
  payrunId: string,
): Promise<OutputOf<typeof payoutsApi.getPayrunCsvRows>> {
  const recipients = await db
    .selectFrom('payrunRecipients as recipient')
    .innerJoin('payruns as payrun', 'payrun.payrunId', 'recipient.payrunId')
    .selectAll('recipient')
    .select(['payrun.currency', 'payrun.paymentReference'])
    .where('recipient.payrunId', '=', payrunId)
    .orderBy('recipient.coachId')
    .execute();
  if (recipients.length === 0) throw new AppError('not_found', 'No payment data found for this payrun');
  const rows = recipients.map((recipient): PayrunCsvRow => {
    const { accountNumber, sortCode } = openBankNumbers(config.dataKeys, recipient);
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
  await db
    .transaction()
    .execute((tx) =>
      recordAudit(tx, admin, { action: 'payrun.exported', subjectType: 'payrun', subjectId: payrunId }),
    );
  const csv = stringify(rows, { header: true, columns, record_delimiter: 'windows' });
  return { fileName: payrunFileName(payrunId), rows, csv };
}
