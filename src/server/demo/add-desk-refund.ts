import { sql } from 'kysely';
import { refundBooking } from '#server/bookings/refunds/refund-booking.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { customerId } from './add-people.ts';

/** Adds a refund by the demo's admin: half the price of the demo customer's latest paid lesson that is over. */
export async function addDeskRefund(tx: Tx, adminId: string): Promise<void> {
  const { rows } = await sql<{ bookingId: string; cents: number; refundRequestId: string }>`
    with chosen as (
      select booking_id, charged_cents / 2 as cents from bookings
      where customer_user_id = ${customerId(0)}::uuid and status in ('booked', 'attended') and charged_cents > 0
        and refunded_cents = 0 and not is_in_payrun and upper(during) < now()
      order by upper(during) desc limit 1
    )
    insert into refund_requests (booking_id, amount_cents, borne_by, reason, needs_second_admin, status, asked_by,
      decided_by, decided_at)
    select booking_id, cents, 'platform', 'The floodlights failed, so the lesson ended early.', false, 'made',
      ${adminId}::uuid, ${adminId}::uuid, now()
    from chosen
    returning booking_id, amount_cents as cents, refund_request_id`.execute(tx);
  for (const { bookingId, cents, refundRequestId } of rows) {
    const refundIds = await refundBooking(tx, { bookingId, cents, borneBy: 'platform' });
    await tx.updateTable('refunds').set({ refundRequestId }).where('refundId', 'in', refundIds).execute();
  }
}
