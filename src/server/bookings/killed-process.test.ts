import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { eventually, type Someone, startTestApp, type TestApp } from '#server/test-app.test-support.ts';
import { type Club, openClub, testCards } from './club.test-support.ts';
import { type KillableProduct, startKillableProduct } from './killed-process.test-support.ts';
import { openGate } from './network-gate.test-support.ts';

// The product that is killed reaches the card network through the gate; the one that lives on does not.
let app: TestApp;
let club: Club;
let gate: Awaited<ReturnType<typeof openGate>>;
let product: KillableProduct;
beforeAll(async () => {
  app = await startTestApp();
  club = await openClub(app);
  gate = await openGate();
  gate.connect(app.cardNetwork.url);
  // What the network tells by webhook must not be needed.
  await app.cardNetwork.control({ webhooksOff: true });
});
afterAll(async () => {
  await product?.kill();
  gate.close();
  await app.stop();
});
afterEach(async () => {
  await product.kill();
  await club.expectBooksInOrder();
});

const post = (customer: Someone, path: string, body: object) =>
  fetch(product.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Begins a booking at the product that will be killed; its answer is expected to be lost. */
function startBooking(customer: Someone, slotId: string): Promise<unknown> {
  return post(customer, bookingsApi.book.path, { slotId, baseAmountCents: 5000 }).catch(() => 'lost');
}

async function ageBooking(slotId: string, seconds: number) {
  const createdAt = new Date(Date.now() - seconds * 1000).toISOString();
  const [booking] = await club.readBookings(slotId);
  await app.db
    .updateTable('payments')
    .set({ createdAt })
    .where('paymentId', '=', booking!.paymentId)
    .execute();
}

test('starts while somebody else holds the queued payment sweep', async () => {
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

test('[PAY-5] killed before the charge reaches the card network: the place is let go, nothing is charged', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish({ places: 1 });
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'before');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.lose();
  expect(await lost).toBe('lost');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await ageBooking(slotId, 40);
  await club.sweep();
  await eventually(async () => (await club.readSlot(slotId)).bookedCount === 0);
  expect(await club.netCharges(slotId)).toEqual([]);
  expect((await club.book(customer, slotId)).body.outcome).toBe('booked');
});

test('[PAY-5] killed before the charge, and the customer tries again: the same booking goes on', async () => {
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

test('[PAY-5] killed after the charge, before its answer: the sweeper books it', async () => {
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

test('[PAY-5] killed as it began to sweep, with none queued to follow: the clock of any process queues one', async () => {
  product = await startKillableProduct(app, gate.url);
  const { rows } = await sql`
    select from graphile_worker._private_known_crontabs where identifier = 'bookings.sweep'`.execute(app.db);
  expect(rows).toHaveLength(1);
});

test('[SLOT-9] [PAY-5] killed after the charge, and the coach cancels the lesson meanwhile: paid back once', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.pass();
  await lost;
  await app.call(club.coach, bookingsApi.cancelSlot, { slotId });
  // Nobody comes back for it and no webhook tells of it.
  await eventually(async () => (await club.readBookings(slotId))[0]!.refundStatus === 'succeeded');
  expect(await club.readBookings(slotId)).toMatchObject([{ status: 'released', paymentStatus: 'succeeded' }]);
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('[PAY-4] [PAY-5] killed while the bank asks the customer, who answers meanwhile: booked', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish();
  const customer = await club.join(testCards.needsAuthentication);
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const lost = startBooking(customer, slotId);
  await stop.arrived;
  await product.kill();
  stop.pass();
  await lost;
  // The browser comes back to another process, which finds the open question.
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.authenticate(body.clientSecret, 'succeeded');
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] killed while a decline is being settled: the place is let go', async () => {
  product = await startKillableProduct(app, gate.url);
  const slotId = await club.publish({ places: 1 });
  const customer = await club.join(testCards.declined);
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
  '[BOOK-3] [PAY-5] killed %s the refund reaches the card: paid back once',
  async (side) => {
    product = await startKillableProduct(app, gate.url);
    const customer = await club.join();
    const stop = gate.stopNext('POST /v1/refunds', side);
    const stopped = stop.arrived.then(() => true);
    const bookingIds: string[] = [];
    let isStopped = false;
    // Either process may take the job; only the one to be killed goes through the gate, so try until it does.
    while (!isStopped) {
      const slotId = await club.publish();
      const { bookingId } = (await club.book(customer, slotId)).body;
      bookingIds.push(bookingId);
      const path = bookingsApi.cancel.path.replace(':bookingId', bookingId);
      await post(customer, path, { expectedRefundCents: 5000 });
      const isRefunded = async () => (await club.readBookings(slotId))[0]!.status === 'refunded';
      isStopped = await Promise.race([stopped, eventually(isRefunded).then(() => false)]);
    }
    await product.kill();
    stop.lose();
    await club.sweep();
    await club.expectBooksInOrder();
    const ledger = await app.cardNetwork.ledger();
    for (const bookingId of bookingIds) {
      const paid = ledger.find(({ metadata }) => metadata.booking_id === bookingId);
      expect(paid!.refunds.map(({ amount }) => amount)).toEqual([5000]);
    }
  },
);
