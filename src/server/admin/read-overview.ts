import { sql } from 'kysely';
import type { adminApi } from '#domain/admin/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { coachCents, turnoverColumns } from '#server/bookings/ledger.ts';
import type { Database } from '#server/platform/db/db.ts';

type Overview = OutputOf<typeof adminApi.getOverview>;

/** Number of days in the overview, including today. */
const daysShown = 30;

/**
 * The platform's figures for the last 30 days, including today (London time), oldest first, and the amount now owed to
 * coaches. All amounts are from the ledger.
 */
export async function readOverview(db: Database): Promise<Overview> {
  const [days, due] = await Promise.all([
    sql<Overview['days'][number]>`
      with first as (
        select today - ${daysShown - 1}::integer as day,
          (today - ${daysShown - 1}::integer)::timestamp at time zone 'Europe/London' as instant
        from (select (now() at time zone 'Europe/London')::date as today) as clock
      ), book as (
        select (entry.created_at at time zone 'Europe/London')::date as day, ${turnoverColumns}
        from ledger_entries entry
        where entry.created_at >= (select instant from first)
        group by 1
      ), newcomer as (
        select (created_at at time zone 'Europe/London')::date as day, count(*) as new_users
        from profiles
        where created_at >= (select instant from first)
        group by 1
      ), lesson as (
        select (start_time at time zone 'Europe/London')::date as day, count(*) as lessons
        from (
          select start_time from lesson_slots
          where status = 'completed' and start_time >= (select instant from first) and booked_count > 0
          union all
          select start_time from lesson_slots
          where status = 'scheduled' and end_time <= now() and start_time >= (select instant from first)
            and booked_count > 0
        ) as held
        group by 1
      )
      select to_char(first.day + ahead, 'YYYY-MM-DD') as date,
        coalesce(book.bookings, 0) as bookings,
        coalesce(book.revenue_cents, 0)::bigint as revenue_cents,
        coalesce(book.fee_cents, 0)::bigint as fee_cents,
        coalesce(newcomer.new_users, 0) as new_users,
        coalesce(lesson.lessons, 0) as lessons
      from first
      cross join generate_series(0, ${daysShown - 1}::integer) as ahead
      left join book on book.day = first.day + ahead
      left join newcomer on newcomer.day = first.day + ahead
      left join lesson on lesson.day = first.day + ahead
      order by ahead`.execute(db),
    readPayoutsDue(db),
  ]);
  return { days: days.rows, payoutsDueCents: due };
}

/**
 * The coaches' share, in minor units, of all bookings that are in no payrun and whose lesson is over, from the ledger.
 * The condition matches the index `bookings_payable`, so the query reads only bookings that have not been paid out. A
 * booking without `is_owed` has no share.
 */
async function readPayoutsDue(db: Database): Promise<number> {
  const { rows } = await sql<{ dueCents: number }>`
    select coalesce(sum(due.cents), 0)::bigint as due_cents
    from bookings booking
    cross join lateral (
      select sum(${coachCents}) as cents from ledger_entries entry where entry.booking_id = booking.booking_id
    ) due
    where (booking.is_active or booking.cancelled_at is not null) and booking.is_owed and not booking.is_in_payrun
      and booking.fee_cents < booking.amount_cents and upper(booking.during) <= now()
      and booking.status <> 'pending'`.execute(db);
  return rows[0]!.dueCents;
}
