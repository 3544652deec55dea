import { sql } from 'kysely';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Lists a customer's booked and held seats in lessons that aren't over, for themselves and their dependants: soonest
 * first, at most 500.
 */
export async function listHeldSlots(db: Database, userId: string): Promise<HeldSlot[]> {
  const { rows } = await sql<HeldSlot>`
    select slot_id, booking_id, participant_id, status from bookings
    where customer_user_id = ${userId} and is_active and status in ('pending', 'booked')
      and during && tstzrange(now(), null)
    order by lower(during), booking_id limit 500`.execute(db);
  return rows;
}
