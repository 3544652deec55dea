import { sql } from 'kysely';
import type { PaidBooking } from '#domain/bookings/contract.ts';
import type { Database } from '#server/platform/db/db.ts';

/** SQL: whether the payment of a booking (aliased `booking`) paid for other bookings too. */
export const isPaidTogether = sql<boolean>`exists (
  select from payment_lines where payment_lines.payment_id = booking.payment_id and line_no = 2)`;

/**
 * Lists all bookings of the checkout that included this booking, in the order of the checkout. Empty if the checkout
 * had no other booking, and for anyone but the customer who paid.
 */
export async function listPaidTogether(
  db: Database,
  userId: string,
  bookingId: string,
): Promise<PaidBooking[]> {
  const { rows } = await sql<PaidBooking>`
    select other.booking_id, other.status, other.title, name_of_participant(participant) as participant_name,
      lower(other.during) as start_time, upper(other.during) as end_time, line.amount_cents,
      other.refunded_cents as refund_cents
    from bookings booking
    join payment_lines line on line.payment_id = booking.payment_id
    join bookings other on other.booking_id = line.booking_id
    join participants participant on participant.participant_id = other.participant_id
    where booking.booking_id = ${bookingId}::uuid and booking.customer_user_id = ${userId}::uuid and ${isPaidTogether}
    order by line.line_no`.execute(db);
  return rows;
}
