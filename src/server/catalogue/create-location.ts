import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import type { locationInput } from '#domain/catalogue/location.ts';
import type { Database } from '#server/platform/db/db.ts';
import { describeChange, recordAudit } from '../platform/audit.ts';
import { locationColumns } from './location-columns.ts';

/** Adds a location to the acting coach's list. */
export function createLocation(
  db: Database,
  actor: Person,
  location: z.output<typeof locationInput>,
): Promise<Location> {
  return db.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('locations')
      .values({ ...location, coachId: actor.userId })
      .returning(locationColumns)
      .executeTakeFirstOrThrow();
    await recordAudit(tx, actor, {
      action: 'location.created',
      subjectType: 'location',
      subjectId: created.locationId,
      ...describeChange(null, location),
    });
    return created;
  });
}
