import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Payrun } from '#domain/payouts/contract.ts';
import { maskAccountNumber } from '#domain/payouts/rules.ts';
import { readBrand } from '#server/accounts/queries.ts';
import { composePayrunMail } from '#server/notifications/payrun-mail.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { enqueueMail } from '#server/platform/mail.ts';
import { openBankNumbers } from './bank-details.ts';
import { getPayrun } from './list-payruns.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys' | 'publicUrl'> };

/**
 * Marks a payrun as paid, once: the ledger's entries and the coaches' mails commit with it. Throws `not_found`,
 * and `conflict` where it is paid already.
 */
export async function markPayrunPaid(parts: Parts, admin: Person, payrunId: string): Promise<Payrun> {
  const { db } = parts;
  await db.transaction().execute(async (tx) => {
    const paid = await tx
      .updateTable('payruns')
      .set({ status: 'paid', paidAt: sql<string>`now()` })
      .where('payrunId', '=', payrunId)
      .where('status', '=', 'pending')
      .returning(['totalAmountCents', 'paymentReference'])
      .executeTakeFirst();
    if (!paid) {
      await getPayrun(tx, payrunId);
      throw new AppError('conflict', 'This payrun is marked as paid already.');
    }
    await sql`
      insert into ledger_entries (booking_id, kind, amount_cents)
      select booking_id, case kind when 'lesson' then 'paid_out' else 'paid_back' end, -amount_cents
      from payrun_items where payrun_id = ${payrunId}::uuid
      order by booking_id`.execute(tx);
    await recordAudit(tx, admin, {
      action: 'payrun.paid',
      subjectType: 'payrun',
      subjectId: payrunId,
      before: { status: 'pending' },
      after: { status: 'paid', totalAmountCents: paid.totalAmountCents },
    });
    await tellCoaches(tx, parts, payrunId, paid.paymentReference);
  });
  return getPayrun(db, payrunId);
}

async function tellCoaches(
  tx: Tx,
  { config }: Parts,
  payrunId: string,
  paymentReference: string,
): Promise<void> {
  const recipients = await tx
    .selectFrom('payrunRecipients as recipient')
    .innerJoin('profiles as coach', 'coach.userId', 'recipient.coachId')
    .selectAll('recipient')
    .select(['coach.email', 'coach.fullName'])
    .where('payrunId', '=', payrunId)
    .execute();
  const brand = await readBrand(tx);
  for (const recipient of recipients) {
    const { accountNumber } = openBankNumbers(config.dataKeys, recipient);
    await enqueueMail(
      tx,
      composePayrunMail({
        to: recipient.email,
        fullName: recipient.fullName,
        brand,
        amountCents: recipient.amountCents,
        maskedAccountNumber: maskAccountNumber(accountNumber),
        paymentReference,
        earningsUrl: `${config.publicUrl}/coach/earnings`,
      }),
    );
  }
}
