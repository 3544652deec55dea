import { beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { callEndpoint, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { startKillableProduct } from '#server/test-support/killed-process.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const crowd = 200;
const capacity = 20;

let customers: Someone[];
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
beforeAll(async () => {
  customers = [];
  while (customers.length < crowd) {
    customers.push(...(await Promise.all(Array.from({ length: 8 }, () => club.join()))));
  }
}, 240_000);

const bad = {
  latencyMs: 60,
  jitterMs: 200,
  errorRate: 0.1,
  errorAfterChargeRate: 0.1,
  dropAfterChargeRate: 0.1,
  rateLimitRate: 0.05,
  webhookDuplicates: 1,
  webhookShuffle: true,
  webhookDropRate: 0.2,
};
const good = Object.fromEntries(
  Object.entries(bad).map(([name, value]) => [name, typeof value === 'number' ? 0 : false]),
);

const isDecided = async (slotId: string) =>
  (await club.readBookings(slotId)).every(({ status }) => status !== 'pending');

test('sells 20 seats to exactly 20 of 200 customers over an unreliable network [PAY-5]', async () => {
  const slotId = await club.publish({ seats: capacity });
  await app.stripeSimulator.control(bad);
  const answers = await Promise.all(customers.map((customer) => club.bookUntilDecided(customer, slotId)));
  await app.stripeSimulator.control(good);
  const booked = answers.filter(({ status, body }) => status === 200 && body.outcome === 'booked');
  const losers = answers.filter(({ status }) => status !== 200);
  expect(booked).toHaveLength(capacity);
  expect(losers).toHaveLength(crowd - capacity);
  expect(new Set(losers.map(({ error }) => error!.message))).toEqual(
    new Set(['Sorry, the last place has just gone. You have not been charged.']),
  );
  expect((await club.readSlot(slotId)).bookedCount).toBe(capacity);
  expect(await club.netCharges(slotId)).toEqual(Array.from({ length: capacity }, () => 5000));
  await club.expectLedgerInOrder();
}, 120_000);

test('settles every booking within a minute of a restart after a crash under load [PAY-5]', async () => {
  const slotId = await club.publish({ seats: capacity });
  await app.stripeSimulator.control({ ...bad, webhooksOff: true });
  const product = await startKillableProduct(app, app.stripeSimulator.url);
  const book = async (customer: Someone, url: string) => {
    const { error } = await callEndpoint(url, customer, bookingsApi.book, { slotId, baseAmountCents: 5000 });
    return error?.code ?? 'answered';
  };
  const race = customers.map((customer) => book(customer, product.url).catch(() => 'lost'));
  await eventually(async () => (await club.netCharges(slotId)).length >= 5, 60_000);
  await product.kill();
  const outcomes = await Promise.all(race);
  expect(outcomes).toContain('lost');

  const again = await startKillableProduct(app, app.stripeSimulator.url);
  await eventually(() => isDecided(slotId), 60_000);
  await app.stripeSimulator.control({ ...good, webhooksOff: false });
  const seats = (await club.readBookings(slotId)).filter(({ status }) => status === 'booked').length;
  expect((await club.readSlot(slotId)).bookedCount).toBe(seats);
  expect(await club.netCharges(slotId)).toHaveLength(seats);
  await club.expectLedgerInOrder();

  // Customers who try again get the remaining seats.
  await Promise.all(customers.map((customer) => book(customer, again.url)));
  await eventually(() => isDecided(slotId));
  expect((await club.readSlot(slotId)).bookedCount).toBe(capacity);
  expect(await club.netCharges(slotId)).toEqual(Array.from({ length: capacity }, () => 5000));
  await again.kill();
  await club.expectLedgerInOrder();
}, 180_000);
