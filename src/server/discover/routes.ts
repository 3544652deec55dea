import { discoverApi } from '#domain/discover/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { createRatedDiscover } from './rated-slots.ts';

/** The endpoint of discover. `readDb` may be a replica that lags behind. */
export function discoverRoutes({ readDb }: { readDb: Database }): Route[] {
  const discover = createRatedDiscover(readDb);
  return [route(discoverApi.discoverSlots, (question) => discover(question))];
}
