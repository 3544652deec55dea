import { sql } from 'kysely';
import type { Location } from '#domain/catalogue/contract.ts';
import { location } from '#domain/catalogue/location.ts';
import { jsonObject } from '#server/platform/db/json-object.ts';

/** The columns of a location: the fields of its contract. */
export const locationColumns = Object.keys(location.shape) as (keyof Location)[];

/** The columns of a location with a table alias, for a query that selects further columns; see {@link readLocation}. */
export const locationColumnsOf = <Alias extends string>(alias: Alias) =>
  locationColumns.map((column) => `${alias}.${column}` as const);

/** The columns of a left-joined location as one object; null if the row has no location. */
export function readLocation(row: { [K in keyof Location]: Location[K] | null }): Location | null {
  if (row.locationId === null) return null;
  // A loop, because lists of lessons do this for every row, and Object.fromEntries takes several times as long.
  const found: Partial<Record<keyof Location, unknown>> = {};
  for (const column of locationColumns) found[column] = row[column];
  return found as Location;
}

/** SQL for a left-joined location as one JSON object; null if the row has no location. */
export const locationObject = (alias: string) =>
  sql<Location | null>`case when ${sql.ref(`${alias}.locationId`)} is not null
    then ${jsonObject<Location>(alias, locationColumns)} end`;
