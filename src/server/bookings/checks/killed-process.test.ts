import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import { callEndpoint, type Someone } from '#server/test-support/contract-client.test-support.ts';
import {
  type KillableProduct,
  startKillableProduct,
} from '#server/test-support/killed-process.test-support.ts';
import { openGate } from '#server/test-support/stripe-gate.test-support.ts';
import { eventually, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

// The process that is killed reaches Stripe through the gate; the surviving process reaches Stripe directly.
let app: TestApp;
let club: Club;
let gate: Awaited<ReturnType<typeof openGate>>;
let product: KillableProduct;
beforeAll(async () => {
  app = await startTestApp();
  club = await openClub(app);
  gate = await openGate();
  gate.connect(app.stripeSimulator.url);
  // Settling must not depend on webhooks.
  await app.stripeSimulator.control({ webhooksOff: true });
});
afterAll(async () => {
  await product?.kill();
  gate.close();
  await app.stop();
});
afterEach(async () => {
  await product.kill();
  await club.expectLedgerInOrder();
});

/** Starts a booking on the process that will be killed; the booking's response is expected to be lost. */
function startBooking(customer: Someone, slotId: string): Promise<unknown> {
  const input = { slotId, baseAmountCents: 5000 };
  return callEndpoint(product.url, customer, bookingsApi.book, input).catch(() => 'lost');
}

test('starts the server while another connection has locked the queued payment sweep', async () => {
  await app.db.transaction().execute(async (tx) => {
    await eventually(async () => {
      const held = await sql`
        select from graphile_worker._private_jobs where key = 'bookings.sweep' for update`.execute(tx);
      return held.rows.length === 1;
    });
    product = await startKillableProduct(app, gate.url);
  });
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
});

test('releases the seat when a process is killed before the charge [PAY-5]', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'before');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.lose();
  expect(await lost).toBe('lost');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await club.agePayment(slotId, 40);
  await club.sweep();
  await eventually(async () => (await club.readSlot(slotId)).bookedCount === 0);
  expect(await club.netCharges(slotId)).toEqual([]);
  expect((await club.book(customer, slotId)).body.outcome).toBe('booked');
});

test('continues the same booking when a process is killed before the charge [PAY-5]', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'before');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.lose();
  await lost;
  expect((await club.bookUntilDecided(customer, slotId)).body.outcome).toBe('booked');
  expect(await club.readBookings(slotId)).toHaveLength(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('confirms the booking in the sweep when a process is killed after the charge [PAY-5]', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.pass();
  await lost;
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('registers the sweep as a recurring job', async () => {
  product = await startKillableProduct(app, gate.url);
  const { rows } = await sql`
    select from graphile_worker._private_known_crontabs where identifier = 'bookings.sweep'`.execute(app.db);
  expect(rows).toHaveLength(1);
});

test('refunds once when the coach cancels after a crash following the charge [SLOT-9, PAY-5]', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.pass();
  await lost;
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId });
  // No browser asks about the payment and no webhook reports it.
  await eventually(async () => (await club.readBookings(slotId))[0]!.refundStatus === 'succeeded');
  expect(await club.readBookings(slotId)).toMatchObject([{ status: 'released', paymentStatus: 'succeeded' }]);
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('completes the booking after a crash during 3-D Secure [PAY-4, PAY-5]', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.pass();
  await lost;
  // The browser retries with another process, which finds the pending authentication.
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.authenticate(body.clientSecret, 'succeeded');
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('releases the seat when a process is killed while settling a decline [PAY-5]', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join(testCards.declinedOnPaying);
  const stop = gate.stopNext('POST /v1/payment_intents/', 'after');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.pass();
  await lost;
  await club.sweep();
  await eventually(async () => (await club.readSlot(slotId)).bookedCount === 0);
  const [booking] = await club.readBookings(slotId);
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: booking!.bookingId });
  expect(settled.error!.message).toMatch(/^Your bank declined the card\. You have not been charged\./);
});

test.each(['before', 'after'] as const)(
  'refunds once when a process is killed %s Stripe handles the refund [BOOK-3b, PAY-5]',
  async (side) => {
    product = await startKillableProduct(app, gate.url);
    const customer = await club.join();
    const stop = gate.stopNext('POST /v1/refunds', side);
    const stopped = stop.arrived.then(() => true);
    const bookingIds: string[] = [];
    let isStopped = false;
    // Either process may take the job, but only the process to be killed uses the gate. Repeats until that process
    // takes a job.
    while (!isStopped) {
      const slotId = await club.publish();
      const { bookingId } = (await club.book(customer, slotId)).body;
      bookingIds.push(bookingId);
      const input = { bookingId, expectedRefundCents: 5000 };
      await callEndpoint(product.url, customer, bookingsApi.cancel, input);
      const isRefunded = async () => (await club.readBookings(slotId))[0]!.status === 'refunded';
      isStopped = await Promise.race([stopped, eventually(isRefunded).then(() => false)]);
    }
    await product.kill();
    stop.lose();
    await club.sweep();
    await club.expectLedgerInOrder();
    for (const bookingId of bookingIds) expect(await club.refundsAtStripe(bookingId)).toEqual([5000]);
  },
);
