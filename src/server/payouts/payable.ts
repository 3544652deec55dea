import { type RawBuilder, sql } from 'kysely';
import { planForValues } from '#server/accounts/search-people.ts';
import { shareOfBooking } from '#server/bookings/ledger.ts';
import { isUnexplained, unexplainedCents } from '#server/bookings/refunds/external-money.ts';
import { isUnsettled } from '#server/payments/unsettled-disputes.ts';
import type { Database } from '#server/platform/db/db.ts';
import { isWaiting } from '#server/progress/payout-condition.ts';

/**
 * SQL: whether a payment for a booking (aliased `booking`) has an open dispute, or a lost one with no loss recorded
 * yet.
 */
export const isDisputed = sql`exists (
  select from payment_lines line join disputes using (payment_id)
  where line.booking_id = booking.booking_id and ${isUnsettled}
)`;

/**
 * SQL: whether a booking (aliased `booking`) is withheld from payout: one of its payments is disputed, or has a refund
 * made in Stripe that isn't fully covered by our own refunds. All bookings of such a payment are withheld.
 */
export const isWithheld = sql`(${isDisputed} or exists (
  select from payment_lines line join external_refunds external using (payment_id)
  where line.booking_id = booking.booking_id and ${isUnexplained}
))`;

/**
 * SQL columns of the contract's `withheldMoney`: the amounts, in minor units, for which a booking (aliased `booking`)
 * is withheld, limited to what its payments charged for it.
 */
export const withheldColumns = sql`
  (select coalesce(sum(least(disputes.amount_cents, line.amount_cents)), 0)::integer
    from payment_lines line join disputes using (payment_id)
    where line.booking_id = booking.booking_id and ${isUnsettled}) as disputed_cents,
  (select coalesce(sum(least(${unexplainedCents(sql`line.payment_id`)}, line.amount_cents)), 0)::integer
    from payment_lines line where line.booking_id = booking.booking_id) as refunded_outside_cents`;

// `is true` makes PostgreSQL check the bank details row by row. With a join, PostgreSQL would read all bookings first.
export const hasBankDetails = sql`(exists (select from coach_bank_details bank where bank.coach_id = slot.coach_id)) is true`;

/**
 * SQL: whether a payable booking can go into a payrun now, without waiting for its coach, a bank or an admin.
 */
export const isReady = sql`(${hasBankDetails} and not ${isWithheld} and not ${isWaiting})`;

/**
 * SQL for lateral joins: what a payrun would pay for a booking (aliased `booking`), in minor units, as the column
 * `cents`: the coach's share, less the items of other payruns. A booking in no payrun has such items only if its
 * payment was returned after a refund had been deducted from a later payrun; the deduction is then paid again with the
 * booking.
 */
export const dueForBooking = sql`(
  select share.cents - (
    select coalesce(sum(item.amount_cents), 0) from payrun_items item
    where item.booking_id = booking.booking_id and not item.is_cancelled
  ) as cents
  from ${shareOfBooking} share
)`;

/**
 * SQL: whether a booking (aliased `booking`, with `slot` and `due`) is payable, ready or not: its lesson is over,
 * part of its price is due to the coach, and it is in no payrun except cancelled ones. Everything before `upper` must
 * match the condition of the index `bookings_payable`, so that PostgreSQL can use the index.
 */
export const isPayable = sql`(booking.is_active or booking.cancelled_at is not null) and booking.is_owed and not booking.is_in_payrun
    and booking.fee_cents < booking.amount_cents and upper(booking.during) <= now()
    and booking.status <> 'pending' and slot.end_time <= now() and due.cents > 0`;

/** SQL `from` clause for all payable bookings, ready or not, with the aliases `booking`, `slot` and `due`. */
export const payableBookings = (condition: RawBuilder<unknown>) => sql`
  from bookings booking
  cross join lateral ${dueForBooking} due
  join lesson_slots slot using (slot_id)
  where ${isPayable}
    ${condition}`;

/**
 * The number of bookings that the next payrun can pay (`lessons`) and their total in minor units. Counts only the
 * oldest `limit` bookings; `isMore` is true if there are further bookings.
 */
export function readReadySum(
  db: Database,
  limit: number,
): Promise<{ lessons: number; amountCents: number; isMore: boolean }> {
  return db.transaction().execute(async (tx) => {
    await planForValues(tx);
    // The planner assumes that ready bookings are rare and would read and sort all payable bookings. The index already
    // has them in order.
    await sql`set local enable_sort = off`.execute(tx);
    const { rows } = await sql<{ lessons: number; amountCents: number; isMore: boolean }>`
      with ready as (
        select oldest.cents, row_number() over () as number
        from (
          select due.cents
          ${payableBookings(sql`and ${isReady}`)}
          order by upper(booking.during), booking.booking_id
          limit ${limit + 1}
        ) oldest
      )
      select count(*) filter (where number <= ${limit}) as lessons,
        coalesce(sum(cents) filter (where number <= ${limit}), 0)::bigint as amount_cents,
        count(*) > ${limit} as is_more
      from ready`.execute(tx);
    return rows[0]!;
  });
}

/**
 * How many payable bookings are withheld. The query starts from disputes and refunds, which are few, not from bookings.
 */
export async function countWithheld(db: Database): Promise<number> {
  const { rows } = await sql<{ withheld: number }>`
    with withheld as materialized (
      select payment_id from disputes where ${isUnsettled}
      union
      select payment_id from external_refunds external where ${isUnexplained}
    )
    select count(*) as withheld
    ${payableBookings(sql`and booking.booking_id in (
      select line.booking_id from withheld join payment_lines line using (payment_id)
    )`)}`.execute(db);
  return rows[0]!.withheld;
}
