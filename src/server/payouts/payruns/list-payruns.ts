import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { isWithheld, withheldColumns } from '../payable.ts';

const payrunColumns = sql`
  payrun.payrun_id, payrun.status, payrun.total_amount_cents, payrun.currency, payrun.payment_reference,
  payrun.created_at, payrun.paid_at, payrun.exported_at, payrun.cancelled_at, payrun.cancellation_reason,
  payrun.needs_second_admin,
  (select json_build_object('userId', creator.user_id, 'fullName', creator.full_name)
    from profiles creator where creator.user_id = payrun.created_by) as created_by,
  (select payer.full_name from profiles payer where payer.user_id = payrun.paid_by) as paid_by,
  (select canceller.full_name from profiles canceller where canceller.user_id = payrun.cancelled_by) as cancelled_by,
  (select count(*) from payrun_items item where item.payrun_id = payrun.payrun_id and item.kind = 'lesson')
    as booking_count,
  (select count(*) from payrun_recipients recipient where recipient.payrun_id = payrun.payrun_id) as coach_count,
  coalesce(returned.count, 0) as returned_count, coalesce(returned.cents, 0) as returned_cents,
  case when payrun.status <> 'pending' then '[]' else (
    select coalesce(json_agg(json_build_object('bookingId', withheld.booking_id, 'title', withheld.title,
      'coachName', withheld.coach_name, 'disputedCents', withheld.disputed_cents,
      'refundedOutsideCents', withheld.refunded_outside_cents) order by withheld.coach_name, withheld.booking_id), '[]')
    from (
      select booking.booking_id, booking.title, coach.full_name as coach_name, ${withheldColumns}
      from payrun_items item
      join bookings booking using (booking_id)
      join profiles coach on coach.user_id = item.coach_id
      where item.payrun_id = payrun.payrun_id and item.kind = 'lesson' and ${isWithheld}
    ) withheld
  ) end as withheld_bookings,
  case when payrun.status <> 'pending' then '{}' else array(
    select profile.full_name
    from payrun_recipients recipient
    join profiles profile on profile.user_id = recipient.coach_id
    left join coach_bank_details bank using (coach_id)
    where recipient.payrun_id = payrun.payrun_id
      and bank.updated_at is distinct from recipient.bank_details_at
    order by profile.full_name
  ) end as changed_bank_details`;

const payrunsAndReturns = sql`payruns payrun
  left join lateral (
    select count(*) as count, sum(recipient.amount_cents)::bigint as cents
    from payrun_returns join payrun_recipients recipient using (payrun_id, coach_id)
    where payrun_id = payrun.payrun_id
  ) returned on true`;

/** A page of payruns, newest first. */
export async function listPayruns(
  db: Database,
  { cursor, limit }: ParsedInputOf<typeof payoutsApi.listPayruns>,
): Promise<OutputOf<typeof payoutsApi.listPayruns>> {
  const after = readPageCursor(cursor);
  const { rows } = await sql<Payrun>`
    select ${payrunColumns} from ${payrunsAndReturns}
    ${after ? sql`where (created_at, payrun.payrun_id) < (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at desc, payrun.payrun_id desc
    limit ${rowsOfPage(limit)}`.execute(db);
  const { page: payruns, nextCursor } = cutPage(rows, limit, ({ createdAt, payrunId }) => ({
    time: createdAt,
    id: payrunId,
  }));
  return { payruns, nextCursor };
}

/** Reads one payrun. Throws `not_found` if there is no such payrun. */
export async function getPayrun(db: Database | Tx, payrunId: string): Promise<Payrun> {
  const { rows } = await sql<Payrun>`
    select ${payrunColumns} from ${payrunsAndReturns} where payrun.payrun_id = ${payrunId}::uuid`.execute(db);
  if (!rows[0]) throw new AppError('not_found', 'Payrun not found.');
  return rows[0];
}

/** The facts that decide which admins may process a payrun. Throws `not_found` if there is no such payrun. */
export async function readPayrunControl(
  db: Database | Tx,
  payrunId: string,
): Promise<{ needsSecondAdmin: boolean; createdBy: string }> {
  const payrun = await db
    .selectFrom('payruns')
    .select(['needsSecondAdmin', 'createdBy'])
    .where('payrunId', '=', payrunId)
    .executeTakeFirst();
  if (!payrun) throw new AppError('not_found', 'Payrun not found.');
  return payrun;
}
