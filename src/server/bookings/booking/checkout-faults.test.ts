import { afterEach, expect, test } from 'vitest';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { callEndpoint } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { startKillableProduct } from '#server/test-support/killed-process.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { checkOut } from './checkouts.test-support.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
afterEach(() => club.expectLedgerInOrder());

/** Adds a parent and a child, and prepares a checkout for both of them in two lessons. */
async function openCheckout(card: string = testCards.good) {
  const parent = await club.join(card);
  const mia = await family.addReadyChild(parent, { fullName: 'Mia Morgan' });
  const slotIds = [await club.publish(), await club.publish()];
  const seats = slotIds.flatMap((slotId) => [
    { slotId, participantId: mia, baseAmountCents: 5000 },
    { slotId, participantId: parent.userId, baseAmountCents: 5000 },
  ]);
  const read = async () => (await Promise.all(slotIds.map(club.readBookings))).flat();
  return { parent, mia, slotIds, seats, read };
}

const isAll = async ({ read }: Awaited<ReturnType<typeof openCheckout>>, status: string) => {
  const bookings = await read();
  return bookings.length === 4 && bookings.every((booking) => booking.status === status);
};

test.each(['before', 'after'] as const)(
  'continues a checkout and charges once if the server is killed %s the charge [PART-10a, BASE-2a]',
  async (side) => {
    const product = await startKillableProduct(app, gate.url);
    const checkout = await openCheckout();
    const { parent, seats, slotIds } = checkout;
    const stop = gate.stopNext('POST /v1/payment_intents', side);
    const lost = callEndpoint(product.url, parent, checkoutApi.book, { seats }).catch(() => 'lost');
    await stop.arrived;
    await product.kill();
    stop.lose();
    expect(await lost).toBe('lost');
    expect(await isAll(checkout, 'pending')).toBe(true);
    expect((await checkOut(app, parent, seats)).body.outcome).toBe('booked');
    expect(await isAll(checkout, 'booked')).toBe(true);
    expect(await club.netCharges(slotIds[0]!)).toEqual([20_000]);
  },
);

test.each([
  ['before', 'released'],
  ['after', 'booked'],
] as const)(
  'settles an abandoned checkout if the server is killed %s the charge [PART-10a, BASE-2a]',
  async (side, status) => {
    const product = await startKillableProduct(app, gate.url);
    const checkout = await openCheckout();
    const stop = gate.stopNext('POST /v1/payment_intents', side);
    const { parent, seats, slotIds } = checkout;
    const lost = callEndpoint(product.url, parent, checkoutApi.book, { seats }).catch(() => 'lost');
    await stop.arrived;
    await product.kill();
    stop.lose();
    await lost;
    await club.agePayment(slotIds[0]!, 60);
    await club.sweep();
    await eventually(() => isAll(checkout, status));
    expect(await club.netCharges(slotIds[1]!)).toEqual(status === 'booked' ? [20_000] : []);
  },
);

test('books all seats if the server is killed during 3-D Secure [PART-10a, BASE-2a]', async () => {
  const product = await startKillableProduct(app, gate.url);
  const checkout = await openCheckout(testCards.asksAlways);
  const { body } = await callEndpoint(product.url, checkout.parent, checkoutApi.book, {
    seats: checkout.seats,
  });
  if (body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await product.kill();
  await club.authenticate(body.clientSecret, 'succeeded');
  await eventually(() => isAll(checkout, 'booked'));
});

test('refunds a payment that arrives late, and lists all its bookings in one email [BASE-2c]', async () => {
  const checkout = await openCheckout();
  const { parent, seats, slotIds } = checkout;
  const others = await Promise.all(Array.from({ length: 3 }, () => club.join()));
  const stop = gate.stopNext('POST /v1/payment_intents', 'before');
  const answer = checkOut(app, parent, seats);
  await stop.arrived;
  await club.agePayment(slotIds[0]!, 60);
  await club.sweep();
  await eventually(() => isAll(checkout, 'released'));
  for (const other of others) expect((await club.book(other, slotIds[1]!)).status).toBe(200);
  stop.pass();
  expect((await answer).status).toBe(402);
  const messages = await eventually(async () => {
    const found = (await app.emailsTo(parent.email)).filter(({ subject }) =>
      subject.startsWith('Not booked'),
    );
    return found.length > 0 && found;
  });
  expect(messages).toHaveLength(1);
  const { subject, text } = (messages as { subject: string; text: string }[])[0]!;
  expect(subject).toMatch(/^Not booked, refunded in full: Tennis basics, .+ and 3 more$/);
  expect(text.match(/Mia Morgan: Tennis basics, .+, £50\.00/g)).toHaveLength(2);
  expect(text).toContain("We're refunding your payment in full: £200.00");
  await eventually(async () => (await club.netCharges(slotIds[0]!)).length === 0);
  // Nothing remains of the attempt, so the family can book the other lesson.
  expect((await checkOut(app, parent, seats.slice(0, 2))).body.outcome).toBe('booked');
  const { bookingId } = (await club.readBookings(slotIds[0]!)).find(({ status }) => status === 'booked')!;
  expect((await app.call(parent, bookingsApi.getMine, { bookingId })).body.paidTogether).toHaveLength(2);
});
