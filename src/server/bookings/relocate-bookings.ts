import { sql } from 'kysely';
import type { Location } from '#domain/catalogue/contract.ts';
import type { Tx } from '#server/platform/db.ts';

/** What the job that tells of a new place gets; null for a place still to be agreed. */
export type RelocatedPayload = { bookingId: string; from: Location | null; to: Location | null };

/**
 * Writes down where lessons to come were when they were bought, and queues a mail to everybody who booked. `of` is one
 * lesson, or a location whose address was changed at `changedAt`: who booked after that has seen it.
 */
export async function relocateBookings(
  tx: Tx,
  of: { slotId: string } | { locationId: string; changedAt: string },
  from: Location | null,
  to: Location | null,
): Promise<void> {
  const isMeant =
    'slotId' in of
      ? sql`slot.slot_id = ${of.slotId}::uuid`
      : sql`slot.location_id = ${of.locationId}::uuid and booking.created_at < ${of.changedAt}::timestamptz`;
  await sql`
    with relocated as (
      update bookings booking
      set relocated_from = coalesce(relocated_from, ${JSON.stringify({ location: from })}::jsonb)
      from lesson_slots slot
      where ${isMeant} and booking.slot_id = slot.slot_id and booking.is_active and slot.status = 'scheduled'
        and slot.start_time > now()
      returning booking.booking_id, booking.status
    )
    select graphile_worker.add_job('booking.relocated', json_build_object('bookingId', booking_id,
      'from', ${JSON.stringify(from)}::json, 'to', ${JSON.stringify(to)}::json))
    from relocated where status = 'booked'`.execute(tx);
}
