import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { insertRefund } from '../ledger.ts';
import { isUnexplained, openCents } from './external-money.ts';
import { notifyOfDeskRefund } from './notify-desk-refund.ts';
import { feeOf, readRefundable } from './refund-booking.ts';
import { showRefundState } from './refund-records.ts';
import type { BorneBy } from './write-refunds.ts';

type Entry = {
  stripeRefundId: string;
  /** What the refund was for; must add up to the part of it that is in none of our own refunds. */
  lines: { bookingId: string; cents: number }[];
  borneBy: BorneBy;
};

/**
 * Enters a refund that somebody made in Stripe in the ledger, less what counts towards a refund of ours, once an admin has
 * said which bookings of its payment it was for and who bears it. The payment's bookings are then paid out again. Returns the id of the refund. Throws
 * `not_found` if no such refund is unexplained, `unprocessable` if the lines do not add up to it, and `conflict` if more
 * would be refunded of a booking than its payment charged.
 */
export async function enterExternalRefund(
  db: Database,
  admin: Person,
  { stripeRefundId, lines, borneBy }: Entry,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const external = await lockExternal(tx, stripeRefundId);
    const sum = lines.reduce((total, { cents }) => total + cents, 0);
    if (sum !== external.amountCents) {
      throw new AppError('unprocessable', `The parts must add up to ${formatPounds(external.amountCents)}.`);
    }
    const parts = [];
    for (const { bookingId, cents } of lines.toSorted((a, b) => a.bookingId.localeCompare(b.bookingId))) {
      const booking = await readRefundable(tx, bookingId);
      parts.push({ bookingId, cents, feeCents: feeOf(booking, cents, borneBy) });
    }
    const { rows } = await sql<{ refundId: string }>`
      with part as materialized (
        select * from unnest(${parts.map(({ bookingId }) => bookingId)}::uuid[],
          ${parts.map(({ cents }) => cents)}::integer[], ${parts.map(({ feeCents }) => feeCents)}::integer[]
        ) part (booking_id, cents, fee_cents)
      ), booking as (
        update bookings set refunded_cents = refunded_cents + part.cents
        from part join payment_lines line using (booking_id)
        where bookings.booking_id = part.booking_id and line.payment_id = ${external.paymentId}::uuid
          and part.cents > 0 and refunded_cents + part.cents <= charged_cents
          and part.cents + (
            select coalesce(sum(back.amount_cents), 0) from refund_lines back join refunds using (refund_id)
            where back.booking_id = part.booking_id and refunds.payment_id = line.payment_id) <= line.amount_cents
        returning bookings.booking_id, part.cents, part.fee_cents
      ), refund as (
        insert into refunds (payment_id, amount_cents, reason, borne_by, status)
        select ${external.paymentId}::uuid, sum(cents)::integer, 'made_at_stripe', ${borneBy}::text, 'succeeded'
        from booking having count(*) = ${parts.length}
        returning refund_id
      ), refund_line as (
        insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
        select refund_id, booking_id, cents, cents - fee_cents, fee_cents from booking, refund
        returning *
      ), explained as (
        update external_refunds set entered_refund_id = refund.refund_id, entered_cents = ${external.amountCents}
        from refund where stripe_refund_id = ${stripeRefundId}
      ), entries as (${insertRefund}
      )
      select refund_id from refund`.execute(tx);
    const refundId = rows[0]?.refundId;
    if (!refundId) {
      throw new AppError('conflict', 'More would be refunded of a booking than this payment charged for it.');
    }
    await showRefundState(tx, refundId);
    for (const { bookingId } of parts) {
      await notifyOfDeskRefund(tx, { bookingId, refundIds: [refundId], reason: null });
    }
    await recordAudit(tx, admin, {
      action: 'refund.entered',
      subjectType: 'refund',
      subjectId: refundId,
      after: { stripeRefundId, amountCents: external.amountCents, borneBy, bookings: parts.length },
    });
    return refundId;
  });
}

/** Locks the slots of a payment's bookings, then the refund, and returns what of it is in none of ours; throws `not_found` if
 * that is nothing. */
async function lockExternal(
  tx: Tx,
  stripeRefundId: string,
): Promise<{ paymentId: string; amountCents: number }> {
  await sql`
    select from lesson_slots where slot_id in (
      select booking.slot_id
      from external_refunds
      join payment_lines using (payment_id)
      join bookings booking using (booking_id)
      where stripe_refund_id = ${stripeRefundId})
    order by slot_id for no key update`.execute(tx);
  const { rows } = await sql<{ paymentId: string; amountCents: number }>`
    select payment_id, ${openCents} as amount_cents from external_refunds external
    where stripe_refund_id = ${stripeRefundId} and entered_refund_id is null and ${isUnexplained}
    for update`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'There is no such refund to enter.');
  return rows[0];
}
