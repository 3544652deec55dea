import { type RawBuilder, sql } from 'kysely';
import type { LedgerEntries } from '#server/platform/db/db-types.ts';

type Sql = RawBuilder<unknown>;
type EntryKind = LedgerEntries['kind'];

/**
 * Whether a kind of entry adds to its booking's balance or takes from it; the database checks it, too. The fee is
 * stored as it was charged, and is the platform's: see {@link coachCents}.
 */
const signs: Record<EntryKind, '+' | '-'> = {
  charged: '+',
  fee: '+',
  refunded: '-',
  fee_refunded: '-',
  paid_out: '-',
  paid_back: '+',
};

type NewEntries = {
  kind: EntryKind;
  /** One entry for each row of this `from` clause. */
  from: Sql;
  /** The amount, in cents and without its sign. */
  cents: Sql;
  /** The column `booking_id` of `from` without it. */
  bookingId?: Sql;
  /** The refund or payrun that the entry comes from; none for what happens to a booking once. */
  sourceId?: Sql;
};

/**
 * SQL that writes ledger entries: a statement, or a CTE of the statement that moves the money. In the order of the
 * bookings, so that two that write about the same bookings never wait for each other.
 */
export function insertEntries(...entries: NewEntries[]): Sql {
  const rows = entries.map(
    ({ kind, from, cents, bookingId = sql`booking_id`, sourceId = sql`null::uuid` }) => sql`
      select ${bookingId} as booking_id, ${sql.lit(kind)}, ${sql.raw(signs[kind])}(${cents}), ${sourceId} from ${from}`,
  );
  return sql`
    insert into ledger_entries (booking_id, kind, amount_cents, source_id)
    ${sql.join(rows, sql` union all `)}
    order by booking_id`;
}

/** The same for a confirmed booking, the CTE `booking` with booking_id, amount_cents and fee_cents. */
export const insertCharge = insertEntries(
  { kind: 'charged', from: sql`booking`, cents: sql`amount_cents` },
  { kind: 'fee', from: sql`booking`, cents: sql`fee_cents` },
);

/** The same for refunds: `from` has booking_id and refund_id; `cents` and `feeCents` have no sign. */
export const insertRefund = ({ from, cents, feeCents }: Record<'from' | 'cents' | 'feeCents', Sql>) =>
  insertEntries(
    { kind: 'refunded', from, cents, sourceId: sql`refund_id` },
    { kind: 'fee_refunded', from, cents: feeCents, sourceId: sql`refund_id` },
  );

/**
 * An entry's effect (aliased `entry`) on its coach's balance: the fee is withheld, everything else counts as stored.
 * docs/decisions/0011 says why.
 */
export const coachCents = sql`case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end`;

/** The same without payouts: the coach's share of a booking. */
export const shareCents = sql`case when entry.kind in ('paid_out', 'paid_back') then 0 else ${coachCents} end`;

/** Totals of entries (aliased `entry`): bookings made, and revenue and platform fee after refunds, in cents. */
export const turnoverColumns = sql`
  count(*) filter (where entry.kind = 'fee') as bookings,
  coalesce(sum(entry.amount_cents) filter (where entry.kind in ('charged', 'refunded')), 0)::bigint as revenue_cents,
  coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0)::bigint as fee_cents`;

/** The coach's share (aliased `share`) of a booking (aliased `booking`), with the column `cents`. Joined laterally. */
export const shareOfBooking = sql`(
  select coalesce(sum(${shareCents}), 0)::bigint as cents
  from ledger_entries entry where entry.booking_id = booking.booking_id
)`;
