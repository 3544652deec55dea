import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { isSameAddress, type locationInput } from '#domain/catalogue/location.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { locationColumns } from './location-columns.ts';
import { getLocation } from './queries.ts';

/** Changes a location of the acting coach, including for existing lessons. Throws `not_found` for other locations. */
export function updateLocation(
  db: Database,
  actor: Person,
  { locationId, ...changes }: z.output<typeof locationInput> & { locationId: string },
): Promise<Location> {
  return db.transaction().execute(async (tx) => {
    const before = await getLocation(tx, actor.userId, locationId);
    const changed = await tx
      .updateTable('locations')
      .set(changes)
      .where('locationId', '=', locationId)
      .returning(locationColumns)
      .executeTakeFirstOrThrow();
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
