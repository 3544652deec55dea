import { sql } from 'kysely';
import type { OutputOf } from '#domain/endpoint.ts';
import type { Earnings, EarningsLine, payoutsApi } from '#domain/payouts/contract.ts';
import type { Database } from '#server/platform/db.ts';

/**
 * What a ledger entry (aliased `entry`) adds to its coach's balance: the fee is kept from it, everything else
 * counts as it stands. docs/decisions/0011 says why.
 */
const coachCents = sql`case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end`;

/** The same without what was paid out: the coach's share of a booking. */
const shareCents = sql`case when entry.kind in ('paid_out', 'paid_back') then 0 else ${coachCents} end`;

/** A coach's money and twelve months of it, summed from the ledger as it stands. */
export async function getEarnings(db: Database, coachId: string): Promise<Earnings> {
  const [totals, months] = await Promise.all([
    sql<Omit<Earnings, 'months'>>`
      select
        coalesce(sum(entry.amount_cents) filter (where entry.kind = 'charged'), 0)::bigint as gross_cents,
        coalesce(-sum(entry.amount_cents) filter (where entry.kind = 'refunded'), 0)::bigint as refunded_cents,
        coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0)::bigint
          as fee_cents,
        coalesce(sum(${shareCents}), 0)::bigint as net_cents,
        coalesce(-sum(entry.amount_cents) filter (where entry.kind in ('paid_out', 'paid_back')), 0)::bigint as paid_out_cents,
        coalesce(sum(${coachCents}), 0)::bigint as to_come_cents,
        coalesce(sum(${coachCents}) filter (where slot.end_time <= now()), 0)::bigint as ready_cents,
        exists (select from coach_bank_details where coach_id = ${coachId}::uuid) as has_bank_details
      from lesson_slots slot
      join bookings booking using (slot_id)
      join ledger_entries entry using (booking_id)
      where slot.coach_id = ${coachId}::uuid`.execute(db),
    sql<Earnings['months'][number]>`
      with this_month as (
        select date_trunc('month', now() at time zone 'Europe/London') as month
      ), months as (
        select generate_series(month - interval '11 months', month, interval '1 month') as month from this_month
      )
      select to_char(month, 'YYYY-MM') as month, coalesce(sum(share.cents), 0)::bigint as net_cents,
        count(distinct slot.slot_id) filter (where booking.status in ('booked', 'attended')) as lessons
      from months
      left join lesson_slots slot on slot.coach_id = ${coachId}::uuid
        and slot.start_time >= month at time zone 'Europe/London'
        and slot.start_time < (month + interval '1 month') at time zone 'Europe/London'
      left join bookings booking using (slot_id)
      left join lateral (
        select sum(${shareCents}) as cents from ledger_entries entry where entry.booking_id = booking.booking_id
      ) share on true
      group by month
      order by month`.execute(db),
  ]);
  return { ...totals.rows[0]!, months: months.rows };
}

/**
 * A page of a coach's ledger, newest first, with the balance after each line. A booking's charge and its fee
 * are one line, a refund and the fee given back another; what is paid out, and what is kept back of a later payout
 * after a refund, are lines of their own. Free lessons have none.
 */
export async function listEarnings(
  db: Database,
  coachId: string,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<OutputOf<typeof payoutsApi.listEarnings>> {
  const { rows } = await sql<EarningsLine>`
    with moves as (
      select max(entry.entry_id) as line_id, min(entry.created_at) as at, booking.booking_id,
        case
          when entry.kind in ('charged', 'fee') then 'booked'
          when entry.kind in ('refunded', 'fee_refunded') then 'refunded'
          when entry.kind = 'paid_out' then 'paidOut'
          else 'keptBack'
        end as kind,
        coalesce(sum(entry.amount_cents) filter (where entry.kind in ('charged', 'refunded')), 0) as gross_cents,
        coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0) as fee_cents,
        sum(${coachCents}) as net_cents
      from lesson_slots slot
      join bookings booking using (slot_id)
      join ledger_entries entry using (booking_id)
      where slot.coach_id = ${coachId}::uuid
      group by booking.booking_id, 4
      having bool_or(entry.amount_cents <> 0)
    ), lines as (
      select *, sum(net_cents) over (order by line_id) as balance_cents from moves
    ), page as (
      select * from lines
      where line_id < ${cursor ?? null}::bigint or ${cursor ?? null}::bigint is null
      order by line_id desc
      limit ${limit + 1}
    )
    select page.line_id, page.kind, page.at, page.booking_id, slot.slot_id, template.title, slot.start_time,
      customer.full_name as customer_name, page.gross_cents::bigint, page.fee_cents::bigint,
      page.net_cents::bigint, page.balance_cents::bigint
    from page
    join bookings booking using (booking_id)
    join lesson_slots slot using (slot_id)
    join lesson_templates template using (template_id)
    join profiles customer on customer.user_id = booking.customer_user_id
    order by page.line_id desc`.execute(db);
  const lines = rows.slice(0, limit);
  return { lines, nextCursor: rows.length > limit ? lines.at(-1)!.lineId : null };
}
