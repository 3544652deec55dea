import { sql } from 'kysely';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { maskAccountNumber } from '#domain/payouts/rules.ts';
import type { PaymentStatement, StatementLine, statementApi } from '#domain/payouts/statement-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatTime } from '#domain/time.ts';
import type { Config } from '#server/platform/config.ts';
import { type CsvColumns, csvDay, writeCsv } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { decryptBankNumbers } from './bank-details.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'> };

/**
 * The statement of this coach's payment from a paid payrun, even if the bank returned it. Throws `not_found` if the
 * payrun is not paid or pays this coach nothing.
 */
export async function readStatement(
  { db, config }: Parts,
  coachId: string,
  payrunId: string,
): Promise<PaymentStatement> {
  const { rows } = await sql<
    Omit<PaymentStatement, 'lines' | 'lessonsCents' | 'deductedCents' | 'maskedAccountNumber'> & {
      accountNumberEncrypted: string;
      sortCodeEncrypted: string;
    }
  >`
    select payrun.payrun_id, payrun.paid_at, payrun.payment_reference, coach.full_name as coach_name,
      recipient.account_name, recipient.account_number_encrypted, recipient.sort_code_encrypted,
      recipient.amount_cents,
      case when returned.coach_id is not null
        then json_build_object('at', returned.entered_at, 'reason', returned.reason) end as returned
    from payrun_recipients recipient
    join payruns payrun using (payrun_id)
    join profiles coach on coach.user_id = recipient.coach_id
    left join payrun_returns returned using (payrun_id, coach_id)
    where recipient.payrun_id = ${payrunId}::uuid and recipient.coach_id = ${coachId}::uuid
      and payrun.status = 'paid'`.execute(db);
  const [found] = rows;
  if (!found) throw new AppError('not_found', 'Payment not found.');
  const { accountNumberEncrypted, sortCodeEncrypted, ...payment } = found;
  const encrypted = { coachId, accountNumberEncrypted, sortCodeEncrypted };
  const { accountNumber } = decryptBankNumbers(config.dataKeys, encrypted);
  const lines = await readLines(db, coachId, payrunId);
  const sumOf = (kind: StatementLine['kind']) =>
    lines.reduce((sum, line) => sum + (line.kind === kind ? line.amountCents : 0), 0);
  return {
    ...payment,
    maskedAccountNumber: maskAccountNumber(accountNumber),
    lessonsCents: sumOf('lesson'),
    deductedCents: -sumOf('carried_forward') || 0,
    lines,
  };
}

/** The statement as CSV. Throws the errors of {@link readStatement}. */
export async function exportStatement(
  parts: Parts,
  coachId: string,
  payrunId: string,
): Promise<OutputOf<typeof statementApi.exportStatement>> {
  const { lines, paidAt, paymentReference } = await readStatement(parts, coachId, payrunId);
  const fileName = `statement-${csvDay(paidAt)}-${shortReference(payrunId)}.csv`;
  return writeCsv({
    fileName,
    columns,
    rows: lines.map((line) => ({ ...line, paidAt, paymentReference })),
  });
}

const amountOf = (cents: number | null) => (cents === null ? '' : { cents });

const columns: CsvColumns<StatementLine & { paidAt: string; paymentReference: string }> = {
  paid_on: ({ paidAt }) => csvDay(paidAt),
  payment_reference: ({ paymentReference }) => paymentReference,
  lesson_date: ({ startTime }) => csvDay(startTime),
  lesson_time: ({ startTime }) => formatTime(startTime),
  lesson: ({ title }) => title,
  customer: ({ customerName }) => customerName,
  booking: ({ bookingId }) => shortReference(bookingId),
  kind: ({ kind }) => (kind === 'lesson' ? 'lesson' : 'deducted after a refund'),
  price: ({ priceCents }) => amountOf(priceCents),
  fee_and_refunds: ({ keptCents }) => amountOf(keptCents === null ? null : -keptCents),
  amount: ({ amountCents }) => ({ cents: amountCents }),
  currency: () => 'GBP',
};

async function readLines(db: Database, coachId: string, payrunId: string): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select booking.booking_id, booking.slot_id, item.kind, booking.title, lower(booking.during) as start_time,
      customer.full_name as customer_name, sum(item.amount_cents)::integer as amount_cents,
      case item.kind when 'lesson' then booking.amount_cents end as price_cents,
      case item.kind when 'lesson' then booking.amount_cents - sum(item.amount_cents)::integer end as kept_cents
    from payrun_items item
    join bookings booking using (booking_id)
    join profiles customer on customer.user_id = booking.customer_user_id
    where item.payrun_id = ${payrunId}::uuid and item.coach_id = ${coachId}::uuid
    group by booking.booking_id, item.kind, customer.full_name
    order by lower(booking.during), booking.booking_id, item.kind`.execute(db);
  return rows;
}
