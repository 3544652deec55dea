import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { isSameAddress, type locationInput } from '#domain/catalogue/location.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { locationColumns } from './location-columns.ts';
import { getLocation } from './queries.ts';
import { keepMinorsCovered } from './uncovered-minors.ts';

/**
 * Changes a location of the acting coach, including for existing lessons. Throws `not_found` for other locations, and
 * `conflict` if someone under 18 has booked or holds a seat there and the coach's checks don't cover the new nation.
 */
export function updateLocation(
  db: Database,
  actor: Person,
  { locationId, ...changes }: z.output<typeof locationInput> & { locationId: string },
): Promise<Location> {
  return db.transaction().execute(async (tx) => {
    await sql`select from locations where location_id = ${locationId}::uuid for no key update`.execute(tx);
    const before = await getLocation(tx, actor.userId, locationId);
    const write = () =>
      tx
        .updateTable('locations')
        .set(changes)
        .where('locationId', '=', locationId)
        .returning(locationColumns)
        .executeTakeFirstOrThrow();
    const changed =
      changes.nation === before.nation ? await write() : await writeNation(tx, locationId, write);
    const change = describeChange<Location>(before, changes);
    if (!change) return changed;
    await recordAudit(tx, actor, {
      action: 'location.changed',
      subjectType: 'location',
      subjectId: locationId,
      ...change,
    });
    // Existing customers booked a lesson at the previous address, so they are notified.
    if (!isSameAddress(before, changed)) {
      await enqueue(tx, 'bookings.location-moved', { locationId });
    }
    return changed;
  });
}

const message =
  "Someone under 18 has a place in a lesson at this location, and your checks and documents don't cover that nation. Keep the nation, or add another location.";

async function writeNation<T>(tx: Tx, locationId: string, write: () => Promise<T>): Promise<T> {
  const lessons = sql`slot.location_id = ${locationId}::uuid and slot.status = 'scheduled' and slot.start_time > now()`;
  // Updated, not only locked: a booking that waits for the lesson then checks its conditions again.
  await sql`
    update lesson_slots set location_id = location_id
    where slot_id in (select slot_id from lesson_slots slot where ${lessons} order by slot_id for no key update)`.execute(
    tx,
  );
  return keepMinorsCovered(tx, lessons, { field: 'nation', message }, write);
}
