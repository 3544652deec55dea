import { payoutsApi } from '#domain/payouts/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { type Route, route } from '#server/platform/http.ts';
import { getBankDetails } from './bank-details.ts';
import { createPayrun } from './create-payrun.ts';
import { listPayableBookings } from './list-payable-bookings.ts';
import { listPayruns } from './list-payruns.ts';
import { markPayrunPaid } from './mark-payrun-paid.ts';
import { exportPayrun } from './payrun-file.ts';
import { getEarnings, listEarnings } from './queries.ts';
import { saveBankDetails } from './save-bank-details.ts';

/** The endpoints of what a coach earns, where it is paid to, and of the payruns that pay it. */
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
    route(payoutsApi.listPayableBookings, (input) => listPayableBookings(db, input)),
    route(payoutsApi.listPayruns, (input) => listPayruns(db, input)),
    route(payoutsApi.createPayrun, async (input, admin) => ({
      payrun: await createPayrun(db, admin, input),
    })),
    route(payoutsApi.getPayrunCsvRows, ({ payrunId }, admin) => exportPayrun(parts, admin, payrunId)),
    route(payoutsApi.markPayrunPaid, async ({ payrunId }, admin) => ({
      payrun: await markPayrunPaid(parts, admin, payrunId),
    })),
    route(payoutsApi.listEarnings, (input, { userId }) => listEarnings(db, userId, input)),
  ];
}
