import { sql } from 'kysely';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Earnings, EarningsLine, earningsApi } from '#domain/payouts/earnings-contract.ts';
import { coachCents } from '#server/bookings/ledger.ts';
import { longestLesson } from '#server/catalogue/queries.ts';
import type { Database } from '#server/platform/db/db.ts';
import { rowCountOfPage, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { readWaitingSum } from './waiting-payouts.ts';

/** A coach's totals, and the shares and lessons of the current and the eleven previous months. */
export async function getEarnings(db: Database, coachId: string): Promise<Earnings> {
  const [totals, waiting, months] = await Promise.all([
    sql<Omit<Earnings, 'months' | 'waitingCount' | 'waitingCents'>>`
      with total as (
        select coalesce(sum(charged_cents), 0)::bigint as gross_cents,
          coalesce(sum(refunded_cents), 0)::bigint as refunded_cents,
          coalesce(sum(fee_cents), 0)::bigint as fee_cents,
          coalesce(sum(charged_cents - refunded_cents - fee_cents), 0)::bigint as net_cents,
          coalesce(sum(paid_out_cents), 0)::bigint as paid_out_cents,
          coalesce(sum(charged_cents - refunded_cents - fee_cents - paid_out_cents), 0)::bigint as to_come_cents
        from (
          select charged_cents, refunded_cents, fee_cents, paid_out_cents
          from coach_ledger_months where coach_id = ${coachId}::uuid
          union all
          select open.charged_cents, open.refunded_cents, open.fee_cents, open.paid_out_cents
          from closed_sums closed
          cross join lateral ledger_by_month(closed.until, 'infinity') open
          where closed.name = 'coach_ledger_months' and open.coach_id = ${coachId}::uuid
        ) part
      ), ahead as (
        select coalesce(sum(${coachCents}), 0)::bigint as cents
        from lesson_slots slot
        join bookings booking using (slot_id)
        join ledger_entries entry using (booking_id)
        -- The lower bound lets PostgreSQL use the index on the start time; the database limits lessons to five hours.
        where slot.coach_id = ${coachId}::uuid and slot.start_time > now() - ${longestLesson}
          and slot.end_time > now()
      )
      select total.*, total.to_come_cents - ahead.cents as ready_cents,
        exists (select from coach_bank_details where coach_id = ${coachId}::uuid) as has_bank_details
      from total, ahead`.execute(db),
    readWaitingSum(db, coachId),
    sql<Earnings['months'][number]>`
      with this_month as (
        select date_trunc('month', now() at time zone 'Europe/London') as month
      ), months as (
        select generate_series(month - interval '11 months', month, interval '1 month') as month from this_month
      )
      select to_char(month, 'YYYY-MM') as month, coalesce(sum(part.share_cents), 0)::bigint as net_cents,
        coalesce(sum(part.lessons), 0)::integer as lessons
      from months
      left join (
        select month, share_cents, lessons from coach_lesson_months where coach_id = ${coachId}::uuid
        union all
        select open.month, open.share_cents, open.lessons
        from closed_sums closed
        cross join (
          select min(month) at time zone 'Europe/London' as since,
            (max(month) + interval '1 month') at time zone 'Europe/London' as upto
          from months
        ) shown
        cross join lateral lessons_by_month(greatest(closed.until, shown.since), shown.upto) open
        where closed.name = 'coach_lesson_months' and open.coach_id = ${coachId}::uuid
      ) part using (month)
      group by month
      order by month`.execute(db),
  ]);
  return { ...totals.rows[0]!, ...waiting, months: months.rows };
}

/**
 * The assumed maximum number of ledger entries in one line: a refund has two for each payment that it goes back to,
 * here up to four payments.
 */
const entriesPerLine = 8;

/**
 * A page of a coach's ledger, newest first, with the balance after each line. A booking's charge and fee form one line,
 * and a refund and the returned fee form another. Payouts, amounts deducted from a later payout after a refund, and the
 * reversals of both have their own lines. Free lessons have no lines. The entries of a line are made in one
 * transaction, so they are adjacent in order of time. The balance of all older lines is the sum of earlier closed
 * months and of at most two months of entries, read through the index. Throws `unprocessable` for a cursor that is not
 * the id of one of this coach's lines.
 */
export async function listEarnings(
  db: Database,
  coachId: string,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<OutputOf<typeof earningsApi.listEarnings>> {
  const last = cursor === undefined ? undefined : await findLine(db, coachId, cursor);
  const isOlder = sql`entry.coach_id = ${coachId}::uuid and entry.amount_cents <> 0
    ${last ? sql`and (entry.created_at, entry.booking_id, entry.kind) < (${last.at}::timestamptz, ${last.bookingId}::uuid, ${last.kind})` : sql``}`;
  const { rows } = await sql<EarningsLine>`
    with entries as (
      select entry.*, case
          when entry.kind in ('charged', 'fee') then 'booked'
          when entry.kind in ('refunded', 'fee_refunded') then 'refunded'
          when entry.kind = 'paid_out' then 'paidOut'
          when entry.kind = 'paid_back' then 'deducted'
          else 'returned'
        end as line_kind
      from ledger_entries entry
      where ${isOlder}
      order by entry.created_at desc, entry.booking_id desc, entry.kind desc
      limit ${sql.lit(entriesPerLine * rowCountOfPage(limit))}
    ), lines as (
      select max(entry.entry_id) as line_id, entry.created_at as at, entry.booking_id, entry.line_kind as kind,
        max(entry.kind) as last_kind,
        coalesce(sum(entry.amount_cents) filter (where entry.kind in ('charged', 'refunded')), 0) as gross_cents,
        coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0) as fee_cents,
        sum(${coachCents}) as net_cents
      from entries entry
      group by entry.created_at, entry.booking_id, entry.line_kind
    ), older as materialized (
      -- The closed months before the cursor's month, and the entries since then.
      select (
          select coalesce(sum(charged_cents - refunded_cents - fee_cents - paid_out_cents), 0)
          from coach_ledger_months
          where coach_id = ${coachId}::uuid and month < (closed.until at time zone 'Europe/London')::date
        ) + (
          select coalesce(sum(${coachCents}), 0) from ledger_entries entry
          where entry.created_at >= closed.until and ${isOlder}
        ) as cents
      from (
        select least(until, date_trunc('month', ${last?.at ?? 'infinity'}::timestamptz at time zone 'Europe/London')
          at time zone 'Europe/London') as until
        from closed_sums where name = 'coach_ledger_months'
      ) closed
    ), page as (
      select lines.*, older.cents - coalesce(sum(net_cents) over (
          order by at desc, booking_id desc, last_kind desc rows between unbounded preceding and 1 preceding
          ), 0) as balance_cents
      from lines cross join older
      order by at desc, booking_id desc, last_kind desc
      limit ${rowsOfPage(limit)}
    )
    select page.line_id, page.kind, page.at, page.booking_id, slot.slot_id, booking.title, slot.start_time,
      customer.full_name as customer_name, page.gross_cents::bigint, page.fee_cents::bigint,
      page.net_cents::bigint, page.balance_cents::bigint
    from page
    join bookings booking using (booking_id)
    join lesson_slots slot using (slot_id)
    join profiles customer on customer.user_id = booking.customer_user_id
    order by page.at desc, page.booking_id desc, page.last_kind desc`.execute(db);
  const lines = rows.slice(0, limit);
  return { lines, nextCursor: rows.length > limit ? lines.at(-1)!.lineId : null };
}

/** A line's position in the ledger: the position of its first entry. */
async function findLine(db: Database, coachId: string, lineId: number) {
  const { rows } = await sql<{ at: string; bookingId: string; kind: string }>`
    select created_at as at, booking_id,
      case kind when 'fee' then 'charged' when 'refunded' then 'fee_refunded' else kind end as kind
    from ledger_entries where entry_id = ${lineId}::bigint and coach_id = ${coachId}::uuid`.execute(db);
  if (rows[0]) return rows[0];
  const message = "This page of the list doesn't exist. Please start again from the first page.";
  throw new AppError('unprocessable', message, { fields: { cursor: message } });
}
