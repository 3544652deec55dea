import { sql } from 'kysely';
import { feeOfRefund } from '#domain/bookings/cancellation-policy.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';
import { lockSlotOf } from '../payment/payment-records.ts';
import { type BorneBy, writeRefunds } from './write-refunds.ts';

/**
 * SQL for lateral joins: the total of the earlier refunds of a booking (aliased `booking`) that the coach bears, and
 * the part of the fee that was returned with them, in minor units.
 */
export const coachsRefunds = sql<{ borneCents: number; feeBackCents: number }>`(
  select coalesce(sum(line.amount_cents), 0)::integer as borne_cents,
    coalesce(sum(line.fee_cents), 0)::integer as fee_back_cents
  from refund_lines line join refunds using (refund_id)
  where line.booking_id = booking.booking_id and refunds.borne_by = 'coach'
)`;

type PartOfBooking = { bookingId: string; cents: number; borneBy: BorneBy };

/**
 * Refunds part of a paid booking, whatever happens to the lesson, and queues the refund to the card. If the platform
 * bears it, the coach's share doesn't change. If the coach bears it, the fee is returned in proportion, and the refund
 * is deducted from a later payout if the lesson was already paid out. Returns the ids of the refunds, one for each
 * payment that the money came from. Throws `not_found`, and `conflict` with details.leftCents if less than `cents` is
 * left.
 */
export async function refundBooking(tx: Tx, { bookingId, cents, borneBy }: PartOfBooking): Promise<string[]> {
  await lockSlotOf(tx, bookingId);
  const booking = await readRefundable(tx, bookingId);
  if (booking.chargedCents - booking.refundedCents < cents) throw refuseTooMuch(booking);
  const { rows } = await sql<{ refundId: string }>`
    with booking as (
      update bookings set refunded_cents = refunded_cents + ${cents}::integer,
        status = case when status = 'refunded' then 'cancelled' else status end
      where booking_id = ${bookingId}::uuid and status not in ('pending', 'released')
        and refunded_cents + ${cents}::integer <= charged_cents
      returning booking_id
    ), owed as materialized (
      select booking_id, ${cents}::integer as cents, ${feeOf(booking, cents, borneBy)}::integer as fee_cents
      from booking
    ), ${writeRefunds({ reason: 'admin', borneBy })}
    select refund_id, ${addJob('bookings.refund-requested', { refundId: sql<string>`refund_id` })}
    from refund`.execute(tx);
  if (rows.length === 0) throw refuseTooMuch(await readRefundable(tx, bookingId));
  return rows.map(({ refundId }) => refundId);
}

export type Refundable = {
  amountCents: number;
  feeCents: number;
  chargedCents: number;
  refundedCents: number;
  borneCents: number;
  feeBackCents: number;
};

/** Locks a paid booking and reads how much was charged and refunded. Throws `not_found` for any other booking. */
export async function readRefundable(tx: Tx, bookingId: string): Promise<Refundable> {
  const { rows } = await sql<Refundable>`
    select booking.amount_cents, booking.fee_cents, booking.charged_cents, booking.refunded_cents, back.*
    from bookings booking cross join lateral ${coachsRefunds} back
    where booking.booking_id = ${bookingId}::uuid and booking.status not in ('pending', 'released')
    for update of booking`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'Booking not found.');
  return rows[0];
}

/**
 * The part of a refund that the platform bears, in minor units: all of it if `borneBy` is the platform, otherwise the
 * fee's share of it.
 */
export const feeOf = (booking: Refundable, cents: number, borneBy: BorneBy): number =>
  borneBy === 'platform'
    ? cents
    : feeOfRefund(booking, cents, { cents: booking.borneCents, feeCents: booking.feeBackCents });

function refuseTooMuch({ chargedCents, refundedCents }: Refundable): AppError {
  const leftCents = chargedCents - refundedCents;
  return new AppError('conflict', `Only ${formatPounds(leftCents)} of this booking can still be refunded.`, {
    details: { leftCents },
  });
}
