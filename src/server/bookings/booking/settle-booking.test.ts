import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { type Club, openClub, testCards } from '#server/test-support/club.test-support.ts';
import { openGate } from '#server/test-support/network-gate.test-support.ts';
import { eventually, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';

let app: TestApp;
let club: Club;
let gate: Awaited<ReturnType<typeof openGate>>;
beforeAll(async () => {
  gate = await openGate();
  app = await startTestApp({ env: { STRIPE_API_BASE: gate.url } });
  gate.connect(app.cardNetwork.url);
  club = await openClub(app);
});
afterAll(async () => {
  await app.stop();
  gate.close();
});
const calm = {
  errorRate: 0,
  errorAfterChargeRate: 0,
  dropAfterChargeRate: 0,
  webhooksOff: false,
  webhookDuplicates: 0,
  webhookShuffle: false,
  webhookDelayMs: 0,
};
beforeEach(() => app.cardNetwork.control(calm));
afterEach(async () => {
  await app.cardNetwork.control(calm);
  await club.expectBooksInOrder();
});

const charge = 'POST /v1/payment_intents';

/** As if this much time had gone by since the booking began. */
async function age(slotId: string, seconds: number) {
  const createdAt = new Date(Date.now() - seconds * 1000).toISOString();
  const [booking] = await club.readBookings(slotId);
  await app.db
    .updateTable('payments')
    .set({ createdAt })
    .where('paymentId', '=', booking!.paymentId)
    .execute();
  return booking!;
}

test('[PAY-5] an answer lost after the charge is asked for again: booked, charged once', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'after');
  const answer = club.bookUntilDecided(customer, slotId);
  await stop.arrived;
  stop.lose();
  expect((await answer).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] a call lost before the charge is made again: booked, charged once', async () => {
  const slotId = await club.publish();
  const stop = gate.stopNext(charge, 'before');
  const answer = club.bookUntilDecided(await club.join(), slotId);
  await stop.arrived;
  stop.lose();
  expect((await answer).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] a card network that fails after every charge and keeps repeating its failure', async () => {
  const slotId = await club.publish();
  await app.cardNetwork.control({ errorAfterChargeRate: 1 });
  const answer = await club.bookUntilDecided(await club.join(), slotId);
  expect(answer.body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] a card network that is down: the booking waits, then the place is let go, nothing charged', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  await app.cardNetwork.control({ errorRate: 1 });
  const answer = await club.book(customer, slotId);
  expect(answer.body.outcome).toBe('processing');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await app.cardNetwork.control({ errorRate: 0 });
  await age(slotId, 60);
  await club.sweep();
  await eventually(async () => (await club.readSlot(slotId)).bookedCount === 0);
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: answer.body.bookingId });
  expect(settled.status).toBe(402);
  expect(settled.error!.message).toBe(
    'The card network did not answer in time, so your place was let go. You have not been charged. Please try again.',
  );
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('[PAY-5] a connection lost right after "Confirm Booking": booking again finds the same booking', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'after');
  const gone = new AbortController();
  const lost = fetch(app.url + bookingsApi.book.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slotId, baseAmountCents: 5000 }),
    signal: gone.signal,
  });
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

test('[PAY-5] the webhook comes before the answer, and the answer changes nothing any more', async () => {
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

test('[PAY-5] webhooks that come three times, late and out of order change nothing', async () => {
  await app.cardNetwork.control({ webhookDuplicates: 2, webhookShuffle: true, webhookDelayMs: 100 });
  const paid = await club.publish();
  const walked = await club.publish();
  const cancelled = await club.publish();
  const customer = await club.join();
  await club.book(customer, paid);
  const { body } = await club.book(customer, cancelled);
  await app.call(customer, bookingsApi.cancel, { bookingId: body.bookingId, expectedRefundCents: 5000 });
  const careful = await club.join(testCards.needsAuthentication);
  const challenge = await club.book(careful, walked);
  if (challenge.body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await club.authenticate(challenge.body.clientSecret, 'succeeded');
  // Nobody asks for settlement: the webhook alone books it.
  await eventually(async () => (await club.readBookings(walked))[0]!.status === 'booked');
  await eventually(async () => (await club.readBookings(cancelled))[0]!.status === 'refunded');
  await eventually(async () => {
    const response = await fetch(`${app.cardNetwork.url}/control`);
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

test('[PAY-5] the same charge under way elsewhere is waited for, not taken for refused', async () => {
  const slotId = await club.publish();
  const message = 'There is currently another in-progress request using this Idempotent Key.';
  const error = { type: 'invalid_request_error', code: 'idempotency_key_in_use', message };
  // The first call and both that the SDK makes after it.
  for (let count = 0; count < 3; count++) gate.stopNext(charge, 'before').answer(409, { error });
  const customer = await club.join();
  const answer = await club.book(customer, slotId);
  expect(answer.body.outcome).toBe('processing');
  const { bookingId } = answer.body;
  expect((await app.call(customer, bookingsApi.settle, { bookingId })).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] a payment intent that the card network does not know ends the booking, charged nothing', async () => {
  await app.cardNetwork.control({ webhooksOff: true });
  const slotId = await club.publish();
  const customer = await club.join(testCards.needsAuthentication);
  const { body } = await club.book(customer, slotId);
  expect(body.outcome).toBe('requiresAction');
  const booking = await age(slotId, 60);
  await app.db
    .updateTable('payments')
    .set({ stripePaymentIntentId: `pi_unknown_${slotId}` })
    .where('paymentId', '=', booking.paymentId)
    .execute();
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'released');
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('a webhook without a right signature, or too large, is refused and nothing is stored', async () => {
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

test('[PAY-5] a charge that turns up after the place was let go books it after all while it is still free', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'before');
  const answer = club.book(customer, slotId);
  await stop.arrived;
  await age(slotId, 60);
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'released');
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  stop.pass();
  expect((await answer).body.outcome).toBe('booked');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] a charge that turns up after the place went to somebody else is refunded in full, and said by mail', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  const stop = gate.stopNext(charge, 'before');
  const answer = club.book(customer, slotId);
  await stop.arrived;
  await age(slotId, 60);
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'released');
  expect((await club.book(await club.join(), slotId)).body.outcome).toBe('booked');
  stop.pass();
  const late = await answer;
  expect(late.status).toBe(402);
  expect(late.error!.message).toBe(
    'Your payment came through after your place was let go. All of it is on its way back to your card.',
  );
  const received = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) =>
      subject.startsWith('Not booked, refunded in full'),
    ),
  );
  expect(received.text).toContain('£50.00, to Visa ending 4242');
  await eventually(async () => (await club.readBookings(slotId))[0]!.refundStatus === 'succeeded');
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('[PAY-5] given up while the charge is on its way: the charge goes back instead of booking', async () => {
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

test('[PAY-5] lost answer and lost webhooks: the sweeper finds the charge and books it', async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.needsAuthentication);
  await app.cardNetwork.control({ webhooksOff: true });
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await club.authenticate(body.clientSecret, 'succeeded');
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
});

test('[PAY-5] an event whose job was lost with its process is taken up again', async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.needsAuthentication);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await app.cardNetwork.control({ webhooksOff: true });
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

test('a disputed payment is in the audit log, once', async () => {
  const slotId = await club.publish();
  await club.book(await club.join(), slotId);
  const [booking] = await club.readBookings(slotId);
  await app.cardNetwork.control({ webhookDuplicates: 2 });
  const askBank = async (path: string, body: object): Promise<{ id: string }> =>
    (
      await fetch(`${app.cardNetwork.url}/control/disputes${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
    ).json();
  const { id } = await askBank('', { payment_intent: booking!.stripePaymentIntentId });
  const disputes = () =>
    app.db
      .selectFrom('auditLog')
      .select(['subjectId', 'after'])
      .where('action', '=', 'payment.disputed')
      .where('subjectId', '=', booking!.paymentId)
      .execute();
  await eventually(async () => (await disputes()).length > 0);
  expect((await disputes())[0]!.after).toMatchObject({ amountCents: 5000, reason: 'fraudulent' });
  await askBank(`/${id}`, { status: 'won' });
  await eventually(async () => (await disputes()).length === 2);
});
