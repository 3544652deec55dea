import { sql } from 'kysely';
import type { Location } from '#domain/catalogue/contract.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import { locationColumns } from '#server/catalogue/location-columns.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { enqueueAll } from '#server/platform/jobs/enqueue.ts';

type RelocatedRow = { bookingId: string; was: Location | null };

/**
 * Records the current location on the upcoming bookings of one lesson or of all lessons at a location, or on a single
 * booking. Leaves out bookings that already have this location with the same address. A changed booking also keeps the
 * original location, and its customer is notified. A held seat is not updated until it is booked, so that its customer
 * is notified as well. Idempotent.
 */
export async function relocateBookings(
  tx: Tx,
  of: { slotId: string } | { locationId: string } | { bookingId: string },
): Promise<void> {
  const slots = await lockSlots(tx, of);
  if (slots.length === 0) return;
  const to = await findLocation(tx, slots[0]!.locationId);
  const { rows } = await sql<RelocatedRow>`
    select booking_id, location as was from bookings
    where slot_id = any(${slots.map(({ slotId }) => slotId)}::uuid[]) and is_active and status = 'booked'
      ${'bookingId' in of ? sql`and booking_id = ${of.bookingId}::uuid` : sql``}
    order by booking_id for update`.execute(tx);
  const moved = rows.filter(({ was }) => !isSameLocation(was, to));
  if (moved.length === 0) return;
  await sql`
    update bookings
    set relocated_from = coalesce(relocated_from, jsonb_build_object('location', location)),
      location = ${to && JSON.stringify(to)}::jsonb
    where booking_id = any(${moved.map(({ bookingId }) => bookingId)}::uuid[])`.execute(tx);
  const [now] = (await sql<{ version: string }>`select now()::text as version`.execute(tx)).rows;
  await enqueueAll(
    tx,
    'bookings.relocated',
    moved.map(({ bookingId, was }) => ({ bookingId, from: was, to, version: now!.version })),
  );
}

/** A location, even if it was deleted; null if there is none. */
async function findLocation(tx: Tx, locationId: string | null): Promise<Location | null> {
  const row = await tx
    .selectFrom('locations')
    .select(locationColumns)
    .where('locationId', '=', locationId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Locks those of the lessons that are scheduled and have not started, so that none of them moves in the meantime. Locks
 * a location before its lessons.
 */
async function lockSlots(tx: Tx, of: Parameters<typeof relocateBookings>[1]) {
  if ('locationId' in of) {
    // A later change to the location waits for this lock and queues its own job.
    await sql`select from locations where location_id = ${of.locationId}::uuid for no key update`.execute(tx);
  }
  const isMeant =
    'slotId' in of
      ? sql`slot_id = ${of.slotId}::uuid`
      : 'locationId' in of
        ? sql`location_id = ${of.locationId}::uuid and booked_count > 0`
        : sql`slot_id = (select slot_id from bookings where booking_id = ${of.bookingId}::uuid)`;
  const { rows } = await sql<{ slotId: string; locationId: string | null }>`
    select slot_id, location_id from lesson_slots
    where ${isMeant} and status = 'scheduled' and start_time > now()
    order by slot_id for no key update`.execute(tx);
  return rows;
}
