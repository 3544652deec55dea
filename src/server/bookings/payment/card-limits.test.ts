import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { keyOfCardTries } from '#server/payments/card-limits.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp, untilLockIsAwaited } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
beforeEach(async () => {
  await app.db.deleteFrom('rateLimits').execute();
});

const publishSome = (count: number, priceCents = 5000) =>
  Promise.all(Array.from({ length: count }, () => club.publish({ priceCents })));

test("pauses a customer's payments after ten declines, and says for how long", async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.declinedOnPaying);
  const codes: string[] = [];
  for (let count = 0; count < 11; count++) codes.push((await club.book(customer, slotId)).error!.code);
  expect(new Set(codes.slice(0, 10))).toEqual(new Set(['payment_failed']));
  expect(codes[10]).toBe('too_many_requests');

  const response = await fetch(app.url + bookingsApi.book.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slotId, baseAmountCents: 5000 }),
  });
  expect(response.status).toBe(429);
  const wait = Number(response.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(3500);
  expect(wait).toBeLessThanOrEqual(3600);
  expect((await response.json()).error.message).toBe(
    "Several payments didn't go through. You have not been charged. Check your card with your bank, or save another card. Please try again in 60 minutes.",
  );
  // Free lessons and other customers are not affected.
  expect((await club.book(customer, await club.publish({ priceCents: 0 }), 0)).status).toBe(200);
  expect((await club.book(await club.join(), slotId)).status).toBe(200);
});

test('attempts at most ten of a hundred simultaneous charges to a declined card', async () => {
  const customer = await club.join(testCards.declinedOnPaying);
  const slots = await publishSome(100);
  const before = (await app.stripeSimulator.ledger()).length;
  const answers = await Promise.all(slots.map((slotId) => club.book(customer, slotId)));
  const codes = answers.map(({ error }) => error!.code);
  const failed = codes.filter((code) => code === 'payment_failed').length;
  expect(failed).toBeGreaterThanOrEqual(3);
  expect(failed).toBeLessThanOrEqual(10);
  expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(100 - failed);
  expect((await app.stripeSimulator.ledger()).length).toBe(before);
  expect((await Promise.all(slots.map(club.readSlot))).every((slot) => slot.bookedCount === 0)).toBe(true);
});

test('never pauses payments of customers whose payments succeed', async () => {
  const customer = await club.join();
  for (const slotId of await publishSome(14)) expect((await club.book(customer, slotId)).status).toBe(200);
  const count = await app.db
    .selectFrom('rateLimits')
    .select('calls')
    .where('key', '=', keyOfCardTries(customer.userId))
    .executeTakeFirstOrThrow();
  expect(count.calls).toBe(0);
  // The lesson is full, so no card is charged and nothing is counted.
  const taken = await club.publish({ seats: 1 });
  await club.book(await club.join(), taken);
  for (let tries = 0; tries < 12; tries++) {
    expect((await club.book(customer, taken)).error!.code).toBe('slot_full');
  }
});

test('does not count a refused overlapping booking as a failed payment', async () => {
  const customer = await club.join(testCards.declinedOnPaying);
  const booked = await club.publish({ priceCents: 0, startsInHours: 900 });
  expect((await club.book(customer, booked, 0)).status).toBe(200);
  const { userId: coachId } = await app.signIn('coach');
  const overlapping = await club.publish({ coachId, startsInHours: 900 });
  const slotId = await club.publish();
  const codes: string[] = [];
  for (const target of [...Array(9).fill(slotId), ...Array(3).fill(overlapping), slotId, slotId]) {
    codes.push((await club.book(customer, target)).error!.code);
  }
  expect(codes.slice(9)).toEqual(['overlap', 'overlap', 'overlap', 'payment_failed', 'too_many_requests']);
});

test('locks the payment counter before the booking to prevent deadlocks', async () => {
  await app.stripeSimulator.control({ webhooksOff: true });
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, await club.publish());
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.authenticate(body.clientSecret, 'succeeded');
  const { bookingId } = body;
  let settling: Promise<{ body: { outcome?: string } }> | undefined;
  await app.db.transaction().execute(async (tx) => {
    await sql`select from rate_limits where key = ${keyOfCardTries(customer.userId)} for update`.execute(tx);
    settling = app.call(customer, bookingsApi.settle, { bookingId });
    await untilLockIsAwaited(app.db);
    await sql`select from bookings where booking_id = ${bookingId}::uuid for update nowait`.execute(tx);
  });
  expect((await settling!).body.outcome).toBe('booked');
  await app.stripeSimulator.control({ webhooksOff: false });
});

test('limits a customer to 60 bookings and 600 payment lookups in ten minutes', async () => {
  const customer = await club.join();
  const slots = await publishSome(61, 0);
  const codes: number[] = [];
  for (const slotId of slots) codes.push((await club.book(customer, slotId, 0)).status);
  expect(new Set(codes.slice(0, 60))).toEqual(new Set([200]));
  expect(codes[60]).toBe(429);

  const asking = await club.join(testCards.asksAlways);
  const { body } = await club.book(asking, await club.publish());
  expect(body.outcome).toBe('requiresAction');
  const settle = () => app.call(asking, bookingsApi.settle, { bookingId: body.bookingId });
  expect((await settle()).status).toBe(200);
  // Sets the count that a client reaches by polling every second for ten minutes.
  await app.db.updateTable('rateLimits').set({ calls: 600 }).where('key', 'like', '%card-lookups%').execute();
  const refused = [settle(), app.call(asking, bookingsApi.release, { bookingId: body.bookingId })];
  for (const { status, error } of await Promise.all(refused)) {
    expect(status).toBe(429);
    expect(error!.message).toBe("You've checked your payments too often. Please try again in 10 minutes.");
  }
});

test("refuses a customer's 21st card setup in an hour, and says how long to wait", async () => {
  const customer = await app.signIn('customer');
  for (let count = 0; count < 20; count++) {
    expect((await app.call(customer, paymentsApi.startCardSetup, {})).status).toBe(200);
  }
  const refused = await app.call(customer, paymentsApi.startCardSetup, {});
  expect([refused.status, refused.error!.message]).toEqual([
    429,
    "You've entered a lot of cards. Please try again in 60 minutes.",
  ]);
  const saving = await app.call(customer, paymentsApi.setupPaymentMethod, { paymentMethodId: 'pm_1234' });
  expect(saving.status).toBe(429);
});
