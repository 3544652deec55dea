import { payoutsApi } from '#domain/payouts/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { type Route, route } from '#server/platform/http.ts';
import { getBankDetails } from './bank-details.ts';
import { getEarnings, listEarnings } from './queries.ts';
import { saveBankDetails } from './save-bank-details.ts';

/** The endpoints of what a coach earns and where it is paid to. */
export function payoutRoutes(parts: {
  db: Database;
  config: Pick<Config, 'dataKey' | 'publicUrl'>;
}): Route[] {
  const { db, config } = parts;
  return [
    route(payoutsApi.getBankDetails, async (_, { userId }) => ({
      bankDetails: await getBankDetails(db, config.dataKey, userId),
    })),
    route(payoutsApi.saveBankDetails, async (input, coach) => ({
      bankDetails: await saveBankDetails(parts, coach, input),
    })),
    route(payoutsApi.getEarnings, (_, { userId }) => getEarnings(db, userId)),
    route(payoutsApi.listEarnings, (input, { userId }) => listEarnings(db, userId, input)),
  ];
}
