import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import { insertRefund } from '../ledger.ts';
import { feeOf, readRefundable } from './refund-booking.ts';
import { showRefundState } from './refund-records.ts';
import type { BorneBy } from './write-refunds.ts';

type MadeRefund = {
  paymentId: string;
  /** The amount for each booking, above zero. */
  parts: { bookingId: string; cents: number }[];
  reason: 'made_at_stripe' | 'dispute';
  borneBy: BorneBy;
};

/**
 * Adds to the ledger money that a payment's customer has already got back, as a refund of bookings of that payment. The
 * slots of these bookings must be locked. Returns the id of the refund; null if more would be refunded for a booking
 * than was charged for it, by this payment or in total. Throws `not_found` if one of the bookings is not paid.
 */
export async function enterMadeRefund(
  tx: Tx,
  { paymentId, parts, reason, borneBy }: MadeRefund,
): Promise<string | null> {
  const sorted = parts.toSorted((a, b) => a.bookingId.localeCompare(b.bookingId));
  const fees: number[] = [];
  for (const { bookingId, cents } of sorted) {
    fees.push(feeOf(await readRefundable(tx, bookingId), cents, borneBy));
  }
  const { rows } = await sql<{ refundId: string }>`
    with part as materialized (
      select * from unnest(${sorted.map(({ bookingId }) => bookingId)}::uuid[],
        ${sorted.map(({ cents }) => cents)}::integer[], ${fees}::integer[]) part (booking_id, cents, fee_cents)
    ), booking as (
      update bookings set refunded_cents = refunded_cents + part.cents
      from part join payment_lines line using (booking_id)
      where bookings.booking_id = part.booking_id and line.payment_id = ${paymentId}::uuid
        and part.cents > 0 and refunded_cents + part.cents <= charged_cents
        and part.cents + (
          select coalesce(sum(back.amount_cents), 0) from refund_lines back join refunds using (refund_id)
          where back.booking_id = part.booking_id and refunds.payment_id = line.payment_id) <= line.amount_cents
      returning bookings.booking_id, part.cents, part.fee_cents
    ), refund as (
      insert into refunds (payment_id, amount_cents, reason, borne_by, status)
      select ${paymentId}::uuid, sum(cents)::integer, ${reason}::text, ${borneBy}::text, 'succeeded'
      from booking having count(*) = ${parts.length}
      returning refund_id
    ), refund_line as (
      insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
      select refund_id, booking_id, cents, cents - fee_cents, fee_cents from booking, refund
      returning *
    ), entries as (${insertRefund}
    )
    select refund_id from refund`.execute(tx);
  const refundId = rows[0]?.refundId;
  if (!refundId) return null;
  await showRefundState(tx, refundId);
  return refundId;
}
