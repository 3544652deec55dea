import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { longLists, seedLongLists } from '#server/test-support/long-lists.test-support.ts';
import { readPlans } from '#server/test-support/record-statements.test-support.ts';
import { startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';

// PostgreSQL plans the first five calls of a statement for their values. From the sixth on, it keeps a plan that suits
// all values, unless it expects that plan to cost more than planning again, as it does for a bound limit.
const firstPlans = 5;
const calls = 16;

let app: TestApp;
let client: pg.Client;
let club: Club;
const people = {} as Record<'admin' | 'coach' | 'customer' | 'member', Someone>;
beforeAll(async () => {
  // Few connections, so that each one gets enough calls.
  app = await startTestApp({ env: { DATABASE_POOL_SIZE: '2' } });
  client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await seedLongLists(client, 20_000, { coachHasEvery: 5 });
  const { adminId, coachId, customerId } = longLists;
  people.admin = await app.signInAs(adminId);
  people.coach = await app.signInAs(coachId);
  people.customer = await app.signInAs(customerId);
  people.member = await app.signIn();
  club = await openClub(app);
}, 120_000);
afterAll(async () => {
  await client.end();
  await app.stop();
});

async function cancelLesson() {
  const slotId = await club.publish();
  return app.call(club.coach, lessonsApi.cancelSlot, { slotId });
}

const hotCalls: [name: string, act: () => Promise<unknown>][] = [
  ['discover', () => app.call(null, discoverApi.discoverSlots, {})],
  ['my bookings', () => app.call(people.customer, bookingsApi.listMine, {})],
  ['my upcoming bookings', () => app.call(people.customer, bookingsApi.listMine, { view: 'upcoming' })],
  ['my past bookings', () => app.call(people.customer, bookingsApi.listMine, { view: 'past' })],
  ['my figures', () => app.call(people.customer, bookingsApi.getMyStats, {})],
  ["a coach's ledger", () => app.call(people.coach, earningsApi.listEarnings, {})],
  ['payable bookings', () => app.call(people.admin, payoutsApi.listPayableBookings, {})],
  ['payruns', () => app.call(people.admin, payoutsApi.listPayruns, {})],
  ['the audit log', () => app.call(people.admin, adminApi.listAudit, {})],
  ['users', () => app.call(people.admin, adminApi.listUsers, {})],
  ['sign-in', () => app.openSession(people.member.email)],
  ['a cancelled lesson', cancelLesson],
];

test.each(hotCalls)('reuses the query plan of every frequent statement: %s', async (_, act) => {
  const plans = await readPlans(async () => {
    for (let call = 0; call < calls; call += 1) await act();
  });
  // Statements of jobs run too, but not as often.
  const frequent = plans.filter(({ calls }) => calls > firstPlans);
  expect(frequent).not.toEqual([]);
  expect(frequent.filter(({ customPlans }) => customPlans > firstPlans)).toEqual([]);
});
