import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { CancellationPolicy } from '#domain/settings/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

async function bookOne(options: Parameters<Club['publish']>[0] = {}) {
  const slotId = await club.publish(options);
  const customer = await club.join();
  const { body } = await club.book(customer, slotId, options.priceCents ?? 5000);
  return { slotId, customer, bookingId: body.bookingId };
}

const setPolicy = (policy: CancellationPolicy) => storeSetting(app, 'cancellationPolicy', policy);
const cancel = (customer: Someone, bookingId: string, expectedRefundCents: number) =>
  app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents });

/** The status of a booking that was just cancelled: the job may already have made the refund. */
const cancelledStatus = expect.stringMatching(/^(cancelled|refunded)$/);

test('releases the seat and refunds in full when a booking is cancelled in time [BOOK-2, BOOK-3b]', async () => {
  const { slotId, customer, bookingId } = await bookOne({ seats: 1 });
  const answer = await cancel(customer, bookingId, 5000);
  expect(answer.status).toBe(200);
  expect(answer.body.booking).toMatchObject({ status: cancelledStatus, refund: { amountCents: 5000 } });
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
  expect(await club.netCharges(slotId)).toEqual([]);
  const received = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) =>
      subject.startsWith('Cancelled: Tennis basics'),
    ),
  );
  expect(received.text).toContain(
    "We're refunding £50.00 to Visa ending 4242. The money arrives in 5 to 10 days.",
  );
  const shown = await app.call(customer, bookingsApi.getMine, { bookingId });
  expect(shown.body.booking).toMatchObject({
    status: 'refunded',
    refund: { amountCents: 5000, status: 'succeeded' },
  });
  expect((await club.book(await club.join(), slotId)).body.outcome).toBe('booked');
});

test('refunds to the penny under the policy at purchase, and returns part of the fee [BOOK-3a, BOOK-3b]', async () => {
  await setPolicy({ freeUntilHours: 48, lateRefundPercent: 33, refundsEnabled: true });
  const { slotId, customer, bookingId } = await bookOne({ startsInHours: 30, priceCents: 4999 });
  await setPolicy({ freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true });
  // The cancellation dialog states the refund according to the booking's own policy.
  const { body } = await app.call(customer, bookingsApi.getMine, { bookingId });
  expect(body.booking).toMatchObject({ freeUntilHours: 48, lateRefundPercent: 33, refundsEnabled: true });
  const wrong = await cancel(customer, bookingId, 4999);
  expect(wrong.error).toMatchObject({ code: 'conflict', details: { refundCents: 1650 } });
  expect(wrong.error!.message).toBe(
    'Under the terms of this booking, the refund is now £16.50. Do you still want to cancel?',
  );
  expect((await cancel(customer, bookingId, 1650)).status).toBe(200);
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
  expect(await club.netCharges(slotId)).toEqual([4999 - 1650]);
  expect(await club.readLedger(bookingId)).toEqual([
    { kind: 'charged', amountCents: 4999 },
    { kind: 'fee', amountCents: 100 },
    { kind: 'refunded', amountCents: -1650 },
    { kind: 'fee_refunded', amountCents: -33 },
  ]);
});

test('refunds nothing after the free period or if refunds were off at purchase [BOOK-3c]', async () => {
  const late = await bookOne({ startsInHours: 5 });
  expect((await cancel(late.customer, late.bookingId, 0)).body.booking).toMatchObject({
    status: 'cancelled',
    refund: null,
  });
  expect(await club.netCharges(late.slotId)).toEqual([5000]);
  expect((await club.readSlot(late.slotId)).bookedCount).toBe(0);

  const policy = { freeUntilHours: 24, lateRefundPercent: 0 };
  await setPolicy({ ...policy, refundsEnabled: false });
  const early = await bookOne({ startsInHours: 500 });
  await setPolicy({ ...policy, refundsEnabled: true });
  expect((await cancel(early.customer, early.bookingId, 5000)).error!.details).toEqual({ refundCents: 0 });
  expect((await cancel(early.customer, early.bookingId, 0)).body.booking).toMatchObject({
    ...{ status: 'cancelled', refund: null },
  });
  expect(await club.netCharges(early.slotId)).toEqual([5000]);
  expect((await club.readSlot(early.slotId)).bookedCount).toBe(0);
});

test('refunds a lesson in full if its coach has changed it, even if refunds are off [BOOK-3c]', async () => {
  const policy = { freeUntilHours: 24, lateRefundPercent: 0 };
  await setPolicy({ ...policy, refundsEnabled: false });
  const location = { name: 'New Court', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
  const { locationId } = (await app.call(club.coach, catalogueApi.createLocation, location)).body.location;
  const capacity = { minCapacity: 2, maxCapacity: 4 };
  const changes = [
    (slotId: string) =>
      app.call(club.coach, lessonsApi.moveSlot, { slotId, ...wallTimeOf(Date.now() + 700 * 3_600_000) }),
    (slotId: string) =>
      app.call(club.coach, lessonsApi.editSlot, { slotId, locationId, priceCents: 5000, ...capacity }),
  ];
  for (const [index, change] of changes.entries()) {
    const { slotId, customer, bookingId } = await bookOne({ startsInHours: 600 + 10 * index });
    expect((await cancel(customer, bookingId, 5000)).error!.details).toEqual({ refundCents: 0 });
    expect((await change(slotId)).error?.message).toBeUndefined();
    const answer = await cancel(customer, bookingId, 5000);
    expect(answer.body.booking).toMatchObject({ status: cancelledStatus, refund: { amountCents: 5000 } });
    await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
    expect(await club.netCharges(slotId)).toEqual([]);
  }
  await setPolicy({ ...policy, refundsEnabled: true });
});

test('refuses to cancel a booking twice, after the start or for a stranger [BOOK-2]', async () => {
  const { slotId, customer, bookingId } = await bookOne();
  const stranger = await club.join(null);
  const foreign = await cancel(stranger, bookingId, 5000);
  expect([foreign.status, foreign.error!.message]).toEqual([404, 'Booking not found.']);
  await cancel(customer, bookingId, 5000);
  const twice = await cancel(customer, bookingId, 5000);
  expect([twice.status, twice.error!.message]).toEqual([409, 'This booking is already cancelled.']);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);

  const running = await bookOne();
  await club.putAt(running.slotId, -1);
  const started = await cancel(running.customer, running.bookingId, 0);
  expect(started.error!.message).toBe('This lesson has already started, so it can no longer be cancelled.');
  expect((await club.readSlot(running.slotId)).bookedCount).toBe(1);
  await app.db
    .updateTable('lessonSlots')
    .set({ status: 'completed' })
    .where('slotId', '=', running.slotId)
    .execute();
});

test('cancels and refunds a booking once when requested five times simultaneously [BOOK-2, PAY-5]', async () => {
  const { slotId, customer, bookingId } = await bookOne();
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(customer, bookingId, 5000)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
  expect(await club.netCharges(slotId)).toEqual([]);
});

test("sends a refund only once if Stripe's response is lost [BOOK-3b, PAY-5]", async () => {
  const { slotId, customer, bookingId } = await bookOne();
  const stop = gate.stopNext('POST /v1/refunds', 'after');
  await cancel(customer, bookingId, 5000);
  await stop.arrived;
  stop.lose();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
  expect(await club.refundsAtStripe(bookingId)).toEqual([5000]);
});

test('sends a refund when Stripe is available again [BOOK-3b]', async () => {
  const { slotId, customer, bookingId } = await bookOne();
  await app.stripeSimulator.control({ errorRate: 1 });
  const answer = await cancel(customer, bookingId, 5000);
  expect(answer.body.booking.refund).toEqual({ amountCents: 5000, status: 'pending' });
  await eventually(async () => {
    const refund = await app.db
      .selectFrom('refunds')
      .innerJoin('refundLines', 'refundLines.refundId', 'refunds.refundId')
      .select('attempts')
      .where('bookingId', '=', bookingId)
      .executeTakeFirstOrThrow();
    return refund.attempts > 0;
  });
  await app.stripeSimulator.control({ errorRate: 0 });
  await club.sweep();
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('shows the status of refunds that are slow or returned by the bank [BOOK-3b]', async () => {
  await app.stripeSimulator.control({ refundsPending: true });
  const slow = await bookOne();
  await cancel(slow.customer, slow.bookingId, 5000);
  const finish = async (bookingId: string, status: 'succeeded' | 'failed') => {
    const { id } = await eventually(async () => {
      const row = await app.db
        .selectFrom('refunds')
        .innerJoin('refundLines', 'refundLines.refundId', 'refunds.refundId')
        .select('stripeRefundId as id')
        .where('bookingId', '=', bookingId)
        .executeTakeFirst();
      return row?.id ? { id: row.id } : null;
    });
    await changeInStripe(app, `refunds/${id}`, { status });
  };
  await finish(slow.bookingId, 'succeeded');
  await eventually(async () => (await club.readBookings(slow.slotId))[0]!.status === 'refunded');

  const bounced = await bookOne();
  await cancel(bounced.customer, bounced.bookingId, 5000);
  await finish(bounced.bookingId, 'failed');
  const shown = await eventually(async () => {
    const { body } = await app.call(bounced.customer, bookingsApi.getMine, { bookingId: bounced.bookingId });
    return body.booking.refund?.status === 'failed' ? body.booking : null;
  });
  expect(shown.status).toBe('cancelled');
  await app.stripeSimulator.control({ refundsPending: false });
  const noted = await app.db
    .selectFrom('auditLog')
    .select('action')
    .where('action', '=', 'refund.failed')
    .execute();
  expect(noted).toHaveLength(1);

  // After a manual refund in Stripe, an admin records that it was for this booking.
  const [booking] = await club.readBookings(bounced.slotId);
  await app.cards.refunds.create({ payment_intent: booking!.stripePaymentIntentId! });
  const admin = await app.signIn('admin');
  const [given] = (await app.call(admin, refundsApi.listFailed, {})).body.refunds;
  await app.call(admin, refundsApi.settle, {
    refundId: given!.refundId,
    reason: 'Refunded by hand',
    isRefundedInStripe: true,
  });
  expect((await club.readBookings(bounced.slotId))[0]).toMatchObject({
    status: 'refunded',
    refundStatus: 'settled',
  });
});
