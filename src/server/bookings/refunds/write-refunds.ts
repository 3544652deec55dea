import { sql } from 'kysely';
import type { Refunds } from '#server/platform/db/db-types.ts';
import { insertRefund } from '../ledger.ts';

/** Who bears a refund: the coach, except for the share of the platform fee, or the platform alone. */
export type BorneBy = 'coach' | 'platform';

type NewRefunds = {
  reason: Refunds['reason'];
  borneBy?: BorneBy;
  /** `succeeded` for money that the customer already has. */
  status?: 'pending' | 'succeeded';
};

/**
 * SQL for CTEs that refund bookings: `refund` (refund_id, payment_id), one for each payment concerned, `refund_line`
 * and `entries`. Reads the CTE `owed`: booking_id, `cents` above zero, and `fee_cents`, the part that the platform
 * bears. The statement must also raise the bookings' refunded_cents, within charged_cents; the bookings must be locked.
 * The money goes back to the payments that it came from, the newest payment of a booking first.
 */
export const writeRefunds = ({ reason, borneBy = 'coach', status = 'pending' }: NewRefunds) => sql`
  remaining as (
    select owed.booking_id, owed.cents as owed_cents, owed.fee_cents, line.payment_id,
      line.amount_cents - back.cents as cents,
      (coalesce(sum(line.amount_cents - back.cents) over newest_first, 0))::integer as before_cents
    from owed
    join payment_lines line using (booking_id)
    join payments payment on payment.payment_id = line.payment_id and payment.status = 'succeeded'
    cross join lateral (
      select coalesce(sum(refunded.amount_cents), 0)::integer as cents
      from refund_lines refunded join refunds using (refund_id)
      where refunded.booking_id = line.booking_id and refunds.payment_id = line.payment_id
    ) back
    window newest_first as (
      partition by owed.booking_id order by payment.created_at desc, payment.payment_id
      rows between unbounded preceding and 1 preceding)
  ), allotted as materialized (
    -- Rounds the running total, so that the parts of the fee add up.
    select booking_id, payment_id, least(cents, owed_cents - before_cents) as cents,
      (round(fee_cents::numeric * (before_cents + least(cents, owed_cents - before_cents)) / owed_cents)
        - round(fee_cents::numeric * before_cents / owed_cents))::integer as fee_cents
    from remaining where cents > 0 and before_cents < owed_cents
  ), refund as (
    insert into refunds (payment_id, amount_cents, reason, borne_by, status)
    select payment_id, sum(cents)::integer, ${reason}::text, ${borneBy}::text, ${status}::text
    from allotted group by payment_id
    returning refund_id, payment_id
  ), refund_line as (
    insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
    select refund.refund_id, booking_id, cents, cents - fee_cents, fee_cents
    from allotted join refund using (payment_id)
    returning *
  ), entries as (${insertRefund}
  )`;
