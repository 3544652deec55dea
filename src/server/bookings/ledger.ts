import { type RawBuilder, sql } from 'kysely';
import type { LedgerEntries } from '#server/platform/db/db-types.ts';

type Sql = RawBuilder<unknown>;
type EntryKind = LedgerEntries['kind'];

/**
 * The sign of each kind's stored amounts; the database checks it as well. A fee is stored as a positive amount,
 * although it reduces what the coach gets: see {@link coachCents}.
 */
const signs: Record<EntryKind, '+' | '-'> = {
  charged: '+',
  fee: '+',
  refunded: '-',
  fee_refunded: '-',
  paid_out: '-',
  paid_back: '+',
  payout_returned: '+',
  deduction_returned: '-',
};

type NewEntries = {
  kind: EntryKind;
  /** One entry for each row of this `from` clause. */
  from: Sql;
  /** The amount, in minor units and without its sign. */
  cents: Sql;
  /** Defaults to the column `booking_id` of `from`. */
  bookingId?: Sql;
  /** What the entry comes from: the payment of a charge and its fee, the refund or the payrun. */
  sourceId: Sql;
};

/**
 * SQL that writes ledger entries: a statement, or a CTE of the statement that moves the money. Entries are written in
 * the order of their bookings, so that two statements for the same bookings cannot deadlock.
 */
export function insertEntries(...entries: NewEntries[]): Sql {
  const rows = entries.map(
    ({ kind, from, cents, bookingId = sql`booking_id`, sourceId }) => sql`
      select ${bookingId} as booking_id, ${sql.lit(kind)}, ${sql.raw(signs[kind])}(${cents}), ${sourceId} from ${from}`,
  );
  return sql`
    insert into ledger_entries (booking_id, kind, amount_cents, source_id)
    ${sql.join(rows, sql` union all `)}
    order by booking_id`;
}

/**
 * SQL that writes confirmed bookings' entries, from the CTE `booking` with booking_id, payment_id, amount_cents and
 * fee_cents.
 */
export const insertCharge = insertEntries(
  { kind: 'charged', from: sql`booking`, cents: sql`amount_cents`, sourceId: sql`payment_id` },
  { kind: 'fee', from: sql`booking`, cents: sql`fee_cents`, sourceId: sql`payment_id` },
);

/** SQL that writes the entries of refunds, from the CTE `refund_line` with all columns of the table. */
export const insertRefund = insertEntries(
  { kind: 'refunded', from: sql`refund_line`, cents: sql`amount_cents`, sourceId: sql`refund_id` },
  { kind: 'fee_refunded', from: sql`refund_line`, cents: sql`fee_cents`, sourceId: sql`refund_id` },
);

/**
 * The effect of an entry (aliased `entry`) on its coach's balance: fees are deducted, other entries count as stored.
 * See docs/decisions/0011 for the reason.
 */
export const coachCents = sql`case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end`;

/**
 * SQL list of the kinds that move money between the platform and the coach: payouts, deductions from later payouts, and
 * the reversals of both when a bank returns the payment.
 */
const payoutKinds = sql`('paid_out', 'paid_back', 'payout_returned', 'deduction_returned')`;

/** The effect of an entry on the coach's share of its booking: {@link coachCents}, or 0 for {@link payoutKinds}. */
const shareCents = sql`case when entry.kind in ${payoutKinds} then 0 else ${coachCents} end`;

/**
 * Totals of entries (aliased `entry`): confirmed bookings, and revenue and platform fee after refunds, in minor units.
 */
export const turnoverColumns = sql`
  count(*) filter (where entry.kind = 'fee') as bookings,
  coalesce(sum(entry.amount_cents) filter (where entry.kind in ('charged', 'refunded')), 0)::bigint as revenue_cents,
  coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0)::bigint as fee_cents`;

/** SQL for lateral joins: the coach's share of a booking (aliased `booking`), in minor units, as the column `cents`. */
export const shareOfBooking = sql`(
  select coalesce(sum(${shareCents}), 0)::bigint as cents
  from ledger_entries entry where entry.booking_id = booking.booking_id
)`;
