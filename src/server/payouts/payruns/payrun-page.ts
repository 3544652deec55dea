import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { PayrunLine, PayrunPayment, payrunApi } from '#domain/payouts/payrun-contract.ts';
import { maskAccountNumber } from '#domain/payouts/rules.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { decryptBankNumbers } from '../bank-details.ts';
import { getPayrun, readPayrunControl } from './list-payruns.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'> };

type PaymentRow = Omit<PayrunPayment, 'maskedAccountNumber'> & {
  accountNumberEncrypted: string;
  sortCodeEncrypted: string;
};

/**
 * A payrun and its first 500 payments, in order of the coaches' names, with masked account numbers. `search`
 * limits the payments to coaches whose names contain it. Throws `not_found` if there is no such payrun.
 */
export async function readPayrunPage(
  { db, config }: Parts,
  { payrunId, search }: ParsedInputOf<typeof payrunApi.getPayrun>,
): Promise<OutputOf<typeof payrunApi.getPayrun>> {
  const payrun = await getPayrun(db, payrunId);
  const { rows } = await sql<PaymentRow>`
    select recipient.coach_id, coach.full_name as coach_name, recipient.account_name,
      recipient.account_number_encrypted, recipient.sort_code_encrypted, item.booking_count, item.bookings_cents,
      item.deducted_cents, recipient.amount_cents,
      case when returned.coach_id is null then null else json_build_object('enteredAt', returned.entered_at,
        'enteredBy', admin.full_name, 'reason', returned.reason) end as returned
    from payrun_recipients recipient
    join profiles coach on coach.user_id = recipient.coach_id
    cross join lateral (
      select count(*) filter (where kind = 'lesson') as booking_count,
        coalesce(sum(amount_cents) filter (where kind = 'lesson'), 0)::bigint as bookings_cents,
        coalesce(-sum(amount_cents) filter (where kind = 'carried_forward'), 0)::bigint as deducted_cents
      from payrun_items item where item.payrun_id = recipient.payrun_id and item.coach_id = recipient.coach_id
    ) item
    left join payrun_returns returned
      on returned.payrun_id = recipient.payrun_id and returned.coach_id = recipient.coach_id
    left join profiles admin on admin.user_id = returned.entered_by
    where recipient.payrun_id = ${payrunId}::uuid
      ${search ? sql`and position(lower(${search}) in lower(coach.full_name)) > 0` : sql``}
    order by coach.full_name, recipient.coach_id
    limit 500`.execute(db);
  return {
    payrun,
    payments: rows.map(({ accountNumberEncrypted, sortCodeEncrypted, ...payment }) => {
      const { accountNumber } = decryptBankNumbers(config.dataKeys, {
        ...{ coachId: payment.coachId, accountNumberEncrypted, sortCodeEncrypted },
      });
      return { ...payment, maskedAccountNumber: maskAccountNumber(accountNumber) };
    }),
  };
}

/**
 * A page of a payrun's bookings, earliest lesson first. Several deductions for one booking form one line. Throws
 * `not_found` if there is no such payrun, or if it pays nothing to this coach.
 */
export async function listPayrunLines(
  db: Database,
  { payrunId, coachId, cursor, limit }: ParsedInputOf<typeof payrunApi.listPayrunLines>,
): Promise<OutputOf<typeof payrunApi.listPayrunLines>> {
  await readPayrunControl(db, payrunId);
  if (coachId) await assertRecipient(db, payrunId, coachId);
  const after = readPageCursor(cursor);
  const { rows } = await sql<PayrunLine>`
    select booking.booking_id, item.kind, booking.title, lower(booking.during) as start_time, item.coach_id,
      coach.full_name as coach_name, customer.full_name as customer_name, item.amount_cents, item.is_returned
    from (
      select item.booking_id, item.coach_id, item.kind, sum(item.amount_cents)::integer as amount_cents,
        bool_or(returned.payrun_id is not null) as is_returned
      from payrun_items item
      left join payrun_returns returned using (payrun_id, coach_id)
      where item.payrun_id = ${payrunId}::uuid
        ${coachId ? sql`and item.coach_id = ${coachId}::uuid` : sql``}
      group by item.booking_id, item.coach_id, item.kind
    ) item
    join bookings booking using (booking_id)
    join profiles coach on coach.user_id = item.coach_id
    join profiles customer on customer.user_id = booking.customer_user_id
    where true
      ${after ? sql`and (lower(booking.during), booking.booking_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by lower(booking.during), booking.booking_id
    limit ${rowsOfPage(limit)}`.execute(db);
  const { page: lines, nextCursor } = cutPage(rows, limit, ({ startTime, bookingId }) => ({
    time: startTime,
    id: bookingId,
  }));
  return { lines, nextCursor };
}

async function assertRecipient(db: Database, payrunId: string, coachId: string): Promise<void> {
  const recipient = await db
    .selectFrom('payrunRecipients')
    .select('coachId')
    .where('payrunId', '=', payrunId)
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  if (!recipient) throw new AppError('not_found', 'This payrun has no payment to this coach.');
}
