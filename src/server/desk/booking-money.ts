import { sql } from 'kysely';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { AppError } from '#domain/errors.ts';
import { unexplainedCents } from '#server/bookings/refunds/external-money.ts';
import { isUnsettled } from '#server/payments/unsettled-disputes.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** The facts that decide whether an admin can refund a booking. Money in minor units. */
export type BookingMoney = {
  status: BookingStatus;
  chargedCents: number;
  refundedCents: number;
  /** The total of the open disputes about the booking's payments, and of lost disputes that are not yet recorded. */
  disputedCents: number;
  /** The amount of the booking's payments that was refunded in Stripe and hasn't been entered. */
  unenteredCents: number;
  isWaiting: boolean;
  /** The amount of the booking that admins have refunded without a second admin. */
  refundedAloneCents: number;
};

/** SQL: the disputes, open or lost and not yet recorded, about the payments of a booking (aliased `booking`). */
export const unsettledDisputes = sql`payment_lines line join disputes using (payment_id)
    where line.booking_id = booking.booking_id and ${isUnsettled}`;

/** SQL columns of {@link BookingMoney} for a booking (aliased `booking`). */
export const moneyColumns = sql`
  booking.status, booking.charged_cents, booking.refunded_cents,
  (select coalesce(sum(disputes.amount_cents), 0)::integer from ${unsettledDisputes}) as disputed_cents,
  (select coalesce(sum(${unexplainedCents(sql`line.payment_id`)}), 0)::integer
    from payment_lines line where line.booking_id = booking.booking_id) as unentered_cents,
  exists (select from refund_requests request
    where request.booking_id = booking.booking_id and request.status = 'waiting') as is_waiting,
  (select coalesce(sum(request.amount_cents), 0)::integer from refund_requests request
    where request.booking_id = booking.booking_id and request.status = 'made'
      and not request.needs_second_admin) as refunded_alone_cents`;

/** Locks a booking and reads its amounts. The caller must already have locked the slot. Throws `not_found`. */
export async function lockMoney(tx: Tx, bookingId: string): Promise<BookingMoney> {
  // Locked in a separate statement: a statement that waits for the lock reads the requests as they were before.
  await sql`select from bookings where booking_id = ${bookingId}::uuid for update`.execute(tx);
  const { rows } = await sql<BookingMoney>`
    select ${moneyColumns} from bookings booking where booking_id = ${bookingId}::uuid`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'Booking not found.');
  return rows[0];
}
