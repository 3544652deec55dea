import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { statementApi } from '#domain/payouts/statement-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { getBankDetails } from './bank-details.ts';
import { exportPayments, listPayments } from './coach-payments.ts';
import { coachRecordRoute } from './coach-record.ts';
import { exportStatement, readStatement } from './coach-statement.ts';
import { cancelPayrun } from './payruns/cancel-payrun.ts';
import { createPayrun } from './payruns/create-payrun.ts';
import { enterPayrunReturn } from './payruns/enter-payrun-return.ts';
import { listPayableBookings, listPayableCoaches } from './payruns/list-payable-bookings.ts';
import { listPayruns } from './payruns/list-payruns.ts';
import { markPayrunPaid } from './payruns/mark-payrun-paid.ts';
import { exportPayrun } from './payruns/payrun-file.ts';
import { listPayrunLines, readPayrunPage } from './payruns/payrun-page.ts';
import { previewPayrun } from './payruns/plan-payrun.ts';
import { getEarnings, listEarnings } from './queries.ts';
import { saveBankDetails } from './save-bank-details.ts';
import { listWaitingPayouts } from './waiting-payouts.ts';

/** The endpoints for coaches' earnings and bank details, and for payruns. */
export function payoutRoutes(parts: { db: Database; config: Pick<Config, 'dataKeys'> }): Route[] {
  const { db, config } = parts;
  return [
    coachRecordRoute(db, payoutsApi.getBankDetails, async (_, coach) => ({
      bankDetails: await getBankDetails(db, config.dataKeys, coach.userId),
    })),
    coachRecordRoute(db, payoutsApi.saveBankDetails, async (input, coach) => ({
      bankDetails: await saveBankDetails(parts, coach, input),
    })),
    coachRecordRoute(db, earningsApi.getEarnings, (_, coach) => getEarnings(db, coach.userId)),
    coachRecordRoute(db, earningsApi.listEarnings, (input, coach) => listEarnings(db, coach.userId, input)),
    coachRecordRoute(db, earningsApi.listWaiting, async (_, coach) => ({
      lessons: await listWaitingPayouts(db, coach.userId),
    })),
    coachRecordRoute(db, earningsApi.listPayments, (input, coach) => listPayments(db, coach.userId, input)),
    coachRecordRoute(db, earningsApi.exportPayments, (_, coach) => exportPayments(db, coach.userId)),
    coachRecordRoute(db, statementApi.getStatement, async ({ payrunId }, coach) => ({
      statement: await readStatement(parts, coach.userId, payrunId),
    })),
    coachRecordRoute(db, statementApi.exportStatement, ({ payrunId }, coach) =>
      exportStatement(parts, coach.userId, payrunId),
    ),
    route(payoutsApi.listPayableBookings, (input) => listPayableBookings(db, input)),
    route(payoutsApi.listPayableCoaches, (filter) => listPayableCoaches(db, filter)),
    route(payoutsApi.previewPayrun, (selection) => previewPayrun(db, selection)),
    route(payoutsApi.listPayruns, (input) => listPayruns(db, input)),
    route(payoutsApi.createPayrun, async (input, admin) => ({
      payrun: await createPayrun(db, admin, input),
    })),
    route(payoutsApi.getPayrunCsvRows, (input, admin) => exportPayrun(parts, admin, input)),
    route(payoutsApi.markPayrunPaid, async (input, admin) => ({
      payrun: await markPayrunPaid(parts, admin, input),
    })),
    route(payrunApi.getPayrun, (input) => readPayrunPage(parts, input)),
    route(payrunApi.listPayrunLines, (input) => listPayrunLines(db, input)),
    route(payrunApi.enterReturn, async (input, admin) => ({
      payrun: await enterPayrunReturn(parts, admin, input),
    })),
    route(payoutsApi.cancelPayrun, async (input, admin) => ({
      payrun: await cancelPayrun(db, admin, input),
    })),
  ];
}
