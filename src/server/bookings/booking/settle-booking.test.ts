import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { readPayment } from '../payment/payment-records.ts';
import { settleAnswer } from './settle-booking.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
const calm = {
  errorRate: 0,
  errorAfterChargeRate: 0,
  dropAfterChargeRate: 0,
  webhooksOff: false,
  webhookDuplicates: 0,
  webhookShuffle: false,
  webhookDelayMs: 0,
};
beforeEach(() => app.stripeSimulator.control(calm));
afterEach(async () => {
  await app.stripeSimulator.control(calm);
  await club.expectLedgerInOrder();
});

const charge = 'POST /v1/payment_intents';

test("books and charges once when the charge's response is lost [PAY-5]", async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'after');
  const answer = club.bookUntilDecided(customer, slotId);
  await stop.arrived;
  stop.lose();
  expect((await answer).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test("books and charges once when the charge's request is lost [PAY-5]", async () => {
  const slotId = await club.publish();
  const stop = gate.stopNext(charge, 'before');
  const answer = club.bookUntilDecided(await club.join(), slotId);
  await stop.arrived;
  stop.lose();
  expect((await answer).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('books and charges once when Stripe reports an error after every charge [PAY-5]', async () => {
  const slotId = await club.publish();
  await app.stripeSimulator.control({ errorAfterChargeRate: 1 });
  const answer = await club.bookUntilDecided(await club.join(), slotId);
  expect(answer.body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('releases the seat if the charge fails because Stripe is down [PAY-5]', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  await app.stripeSimulator.control({ errorRate: 1 });
  const answer = await club.book(customer, slotId);
  expect(answer.body.outcome).toBe('processing');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await app.stripeSimulator.control({ errorRate: 0 });
  await club.agePayment(slotId, 60);
  await club.sweep();
  await eventually(async () => (await club.readSlot(slotId)).bookedCount === 0);
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: answer.body.bookingId });
  expect(settled.status).toBe(402);
  expect(settled.error!.message).toBe(
    "Stripe didn't respond in time, so we released your place. You have not been charged. Please try again.",
  );
  expect(await club.netCharges(slotId)).toEqual([]);
});

test("continues the same booking after the customer's connection is lost [PAY-5]", async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'after');
  const gone = new AbortController();
  const input = { slotId, baseAmountCents: 5000 };
  const lost = app.call(customer, bookingsApi.book, input, { signal: gone.signal });
  await stop.arrived;
  gone.abort();
  await expect(lost).rejects.toThrow();
  const again = club.bookUntilDecided(customer, slotId);
  expect((await again).body.outcome).toBe('booked');
  stop.pass();
  const [booking, ...others] = await club.readBookings(slotId);
  expect(others).toEqual([]);
  expect((await again).body.bookingId).toBe(booking!.bookingId);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test("books and charges once when a charge's response arrives after its webhook [PAY-5]", async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'after');
  const answer = club.book(customer, slotId);
  await stop.arrived;
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  stop.pass();
  expect((await answer).body.outcome).toBe('booked');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('books and refunds once despite repeated, late and reordered webhooks [PAY-5]', async () => {
  await app.stripeSimulator.control({ webhookDuplicates: 2, webhookShuffle: true, webhookDelayMs: 100 });
  const paid = await club.publish();
  const walked = await club.publish();
  const cancelled = await club.publish();
  const customer = await club.join();
  await club.book(customer, paid);
  const { body } = await club.book(customer, cancelled);
  await app.call(customer, bookingsApi.cancel, { bookingId: body.bookingId, expectedRefundCents: 5000 });
  const careful = await club.join(testCards.asksAlways);
  const challenge = await club.book(careful, walked);
  if (challenge.body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await club.authenticate(challenge.body.clientSecret, 'succeeded');
  // No client requests settlement, so only the webhook can confirm the booking.
  await eventually(async () => (await club.readBookings(walked))[0]!.status === 'booked');
  await eventually(async () => (await club.readBookings(cancelled))[0]!.status === 'refunded');
  await eventually(async () => {
    const response = await fetch(`${app.stripeSimulator.url}/control`);
    return ((await response.json()) as { undeliveredWebhooks: number }).undeliveredWebhooks === 0;
  });
  await eventually(async () => {
    const open = app.db.selectFrom('webhookEvents').select('eventId').where('handledAt', 'is', null);
    return (await open.execute()).length === 0;
  });
  expect((await club.readBookings(paid)).map(({ status }) => status)).toEqual(['booked']);
  expect(await club.netCharges(paid)).toEqual([5000]);
  expect(await club.netCharges(walked)).toEqual([5000]);
  expect(await club.netCharges(cancelled)).toEqual([]);
});

test('keeps a booking pending while its charge is in progress, then confirms it [PAY-5]', async () => {
  const slotId = await club.publish();
  const message = 'There is currently another in-progress request using this Idempotent Key.';
  const error = { type: 'invalid_request_error', code: 'idempotency_key_in_use', message };
  // Refuses the first call and the SDK's two retries.
  for (let count = 0; count < 3; count++) gate.stopNext(charge, 'before').answer(409, { error });
  const customer = await club.join();
  const answer = await club.book(customer, slotId);
  expect(answer.body.outcome).toBe('processing');
  const { bookingId } = answer.body;
  expect((await app.call(customer, bookingsApi.settle, { bookingId })).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('releases a booking whose payment intent is unknown to Stripe [PAY-5]', async () => {
  await app.stripeSimulator.control({ webhooksOff: true });
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  expect(body.outcome).toBe('requiresAction');
  const booking = await club.agePayment(slotId, 60);
  await app.db
    .updateTable('payments')
    .set({ stripePaymentIntentId: `pi_unknown_${slotId}` })
    .where('paymentId', '=', booking.paymentId)
    .execute();
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'released');
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('refuses webhooks that are wrongly signed or too large, and stores none of them', async () => {
  const count = async () => (await app.db.selectFrom('webhookEvents').select('eventId').execute()).length;
  const before = await count();
  const send = (body: string, signature: string) =>
    fetch(`${app.url}/webhooks/stripe`, { method: 'POST', body, headers: { 'stripe-signature': signature } });
  const forged = JSON.stringify({ id: 'evt_forged', type: 'payment_intent.succeeded', data: { object: {} } });
  expect((await send(forged, 't=1,v1=00')).status).toBe(400);
  expect((await send(forged, '')).status).toBe(400);
  expect((await send('not json', 't=1,v1=00')).status).toBe(400);
  expect((await send('x'.repeat(2 * 1024 * 1024), 't=1,v1=00')).status).toBe(413);
  expect(await count()).toBe(before);
});

/** Books, and lets the sweep release the seat before Stripe gets the charge; `stop.pass()` sends the charge. */
async function releaseBeforeCharge<Answer>(slotId: string, book: () => Promise<Answer>) {
  const stop = gate.stopNext(charge, 'before');
  const answer = book();
  await stop.arrived;
  await club.agePayment(slotId, 60);
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'released');
  return { stop, answer };
}

test('confirms a booking whose charge arrives late if the seat is still free [PAY-5]', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  const { stop, answer } = await releaseBeforeCharge(slotId, () => club.book(customer, slotId));
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  stop.pass();
  expect((await answer).body.outcome).toBe('booked');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('refunds a late charge and emails the customer if the seat is taken [PAY-5]', async () => {
  const slotId = await club.publish({ seats: 1 });
  const [customer, other] = [await club.join(), await club.join()];
  const { stop, answer } = await releaseBeforeCharge(slotId, () => club.book(customer, slotId));
  expect((await club.book(other, slotId)).body.outcome).toBe('booked');
  stop.pass();
  const late = await answer;
  expect(late.status).toBe(402);
  expect(late.error!.message).toBe(
    "Your payment came through after your place was released. We're refunding it in full to your card.",
  );
  const received = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) =>
      subject.startsWith('Not booked, refunded in full'),
    ),
  );
  expect(received.text).toContain('£50.00 to Visa ending 4242');
  await eventually(async () => (await club.readBookings(slotId))[0]!.refundStatus === 'succeeded');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('refunds a charge that arrives after its dependant has been deleted', async () => {
  const slotId = await club.publish();
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent);
  const { stop, answer } = await releaseBeforeCharge(slotId, () =>
    family.bookFor(parent, slotId, participantId),
  );
  expect((await app.call(parent, participantDataApi.delete, { participantId })).status).toBe(200);
  stop.pass();
  expect((await answer).status).toBe(402);
  await eventually(async () => (await club.netCharges(slotId)).length === 0);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test("refunds a charge that arrives after its customer's account has been deleted [PAY-5]", async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { stop, answer } = await releaseBeforeCharge(slotId, () => club.book(customer, slotId));
  expect((await app.call(customer, ownAccountApi.deleteAccount, {})).status).toBe(200);
  stop.pass();
  await answer;
  await eventually(async () => (await club.netCharges(slotId)).length === 0);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test.each([
  ['no longer takes bookings', sql`listed_until = '2020-01-01'`],
  [
    'may no longer teach children',
    sql`minors_until = '2020-01-01', minors_until_dbs = '2020-01-01', minors_until_pvg = '2020-01-01',
      minors_until_access_ni = '2020-01-01'`,
  ],
])('refunds a charge that arrives late if the coach %s [VERIFY-11]', async (_, change) => {
  const { userId: coachId } = await app.signIn('coach');
  const slotId = await club.publish({ coachId });
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent);
  const { stop, answer } = await releaseBeforeCharge(slotId, () =>
    family.bookFor(parent, slotId, participantId),
  );
  await sql`update coaches set ${change} where coach_id = ${coachId}::uuid`.execute(app.db);
  stop.pass();
  expect((await answer).status).toBe(402);
  await eventually(async () => (await club.netCharges(slotId)).length === 0);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('refunds a charge that succeeds after the customer released the seat [PAY-5]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'before');
  const answer = club.book(customer, slotId);
  await stop.arrived;
  const [booking] = await club.readBookings(slotId);
  await app.call(customer, bookingsApi.release, { bookingId: booking!.bookingId });
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  stop.pass();
  expect((await answer).status).toBe(402);
  await eventually(async () => (await club.netCharges(slotId)).length === 0);
});

test("confirms a booking in the sweep if its payment's webhooks are lost [PAY-5]", async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  await app.stripeSimulator.control({ webhooksOff: true });
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await club.authenticate(body.clientSecret, 'succeeded');
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
});

test.each([{ amount: 4999 }, { currency: 'eur' }, { customer: 'cus_another' }, { metadata: {} }])(
  'refuses to confirm a booking if the payment intent differs from our charge: %j',
  async (difference) => {
    await app.stripeSimulator.control({ webhooksOff: true });
    const slotId = await club.publish();
    const customer = await club.join(testCards.asksAlways);
    const { bookingId } = (await club.book(customer, slotId)).body;
    const payment = (await readPayment(app.db, { bookingId }))!;
    const intent = await app.cards.paymentIntents.retrieve(payment.stripePaymentIntentId!);
    const parts = { db: app.db, cards: app.cards, log: createLog('silent') };
    const settle = (changes: object) =>
      settleAnswer(parts, payment, { kind: 'intent', intent: { ...intent, ...changes } });
    expect(await settle({})).toMatchObject({ outcome: 'requiresAction' });
    await expect(settle({ status: 'succeeded', ...difference })).rejects.toThrow(
      'Something is wrong with this payment.',
    );
    expect((await club.readBookings(slotId))[0]).toMatchObject({ status: 'pending' });
    expect((await app.call(customer, bookingsApi.release, { bookingId })).status).toBe(200);
  },
);

test("handles a webhook event in the sweep if the event's job was lost [PAY-5]", async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await app.stripeSimulator.control({ webhooksOff: true });
  await club.authenticate(body.clientSecret, 'succeeded');
  const [booking] = await club.readBookings(slotId);
  await app.db
    .insertInto('webhookEvents')
    .values({
      eventId: `evt_lost_${slotId}`,
      eventType: 'payment_intent.succeeded',
      objectId: booking!.stripePaymentIntentId!,
      receivedAt: new Date(Date.now() - 120_000).toISOString(),
    })
    .execute();
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  await eventually(() =>
    app.db
      .selectFrom('webhookEvents')
      .select('handledAt')
      .where('eventId', '=', `evt_lost_${slotId}`)
      .where('handledAt', 'is not', null)
      .executeTakeFirst(),
  );
});

test("records each status of a payment's dispute in the audit log once", async () => {
  const slotId = await club.publish();
  await club.book(await club.join(), slotId);
  const [booking] = await club.readBookings(slotId);
  await app.stripeSimulator.control({ webhookDuplicates: 2 });
  const { id } = await changeInStripe(app, 'disputes', { payment_intent: booking!.stripePaymentIntentId });
  const disputes = () =>
    app.db
      .selectFrom('auditLog')
      .select(['subjectId', 'after'])
      .where('action', '=', 'payment.disputed')
      .where('subjectId', '=', booking!.paymentId)
      .execute();
  await eventually(async () => (await disputes()).length > 0);
  expect((await disputes())[0]!.after).toMatchObject({ amountCents: 5000, reason: 'fraudulent' });
  await changeInStripe(app, `disputes/${id}`, { status: 'won' });
  await eventually(async () => (await disputes()).length === 2);
});
