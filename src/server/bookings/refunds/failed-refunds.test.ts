import { afterEach, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { defaultSettings } from '#domain/settings/contract.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';
import { checkOut } from '../booking/checkouts.test-support.ts';
import { auditLedger } from '../checks/audit-ledger.ts';
import { readBacklog } from '../checks/read-backlog.ts';
import { maxRefusals } from './send-refund.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

const setLateRefund = (lateRefundPercent: number) =>
  storeSetting(app, 'cancellationPolicy', { ...defaultSettings.cancellationPolicy, lateRefundPercent });

async function bookOne(options: Parameters<Club['publish']>[0] = {}) {
  const slotId = await club.publish(options);
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const { stripePaymentIntentId: intentId } = (await club.readBookings(slotId))[0]!;
  return { slotId, customer, bookingId, intentId: intentId! };
}

const cancel = (
  { customer, bookingId }: { customer: Someone; bookingId: string },
  expectedRefundCents: number,
) => app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents });
const statusOf = async (slotId: string) => (await club.readBookings(slotId))[0]!.status;
const listFailed = async () => (await app.call(admin, refundsApi.listFailed, {})).body.refunds;
const refundsOf = (bookingId: string) => club.refundsAtStripe(bookingId);
const emailTo = (email: string, subject: string) =>
  eventually(async () =>
    (await app.emailsTo(email)).find((received) => received.subject.startsWith(subject)),
  );

/** Sweeps until this booking's refund has failed, and returns the refund. Stripe must be refusing refunds. */
async function refuseUntilFailed(bookingId: string) {
  for (let refusals = 1; refusals <= maxRefusals; refusals += 1) {
    await eventually(async () => (await readRefund(bookingId)).refusals >= refusals);
    await club.sweep();
  }
  return eventually(async () => (await listFailed()).find((refund) => refund.bookingId === bookingId));
}

function readRefund(bookingId: string) {
  return app.db
    .selectFrom('refunds')
    .innerJoin('refundLines', 'refundLines.refundId', 'refunds.refundId')
    .select(['attempts', 'refusals'])
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
}

test('retries a refused refund under a new idempotency key, and pays it once [PAY-5]', async () => {
  const booked = await bookOne();
  await app.stripeSimulator.control({ refundsRefused: true });
  await cancel(booked, 5000);
  await eventually(async () => (await readRefund(booked.bookingId)).refusals === 1);
  await app.stripeSimulator.control({ refundsRefused: false });
  const stop = gate.stopNext('POST /v1/refunds', 'after');
  await club.sweep();
  await stop.arrived;
  // The response is lost after the Stripe simulator has made the refund, so the same key finds that refund again.
  stop.lose();
  await club.sweep();
  await eventually(async () => (await statusOf(booked.slotId)) === 'refunded');
  expect(await refundsOf(booked.bookingId)).toEqual([5000]);
  expect(await listFailed()).toEqual([]);
});

test('uses a new idempotency key after Stripe has stored a failure under the old key [PAY-5]', async () => {
  const booked = await bookOne();
  await app.stripeSimulator.control({ refundsRefused: true, errorAfterChargeRate: 1 });
  await cancel(booked, 5000);
  await eventually(async () => (await readRefund(booked.bookingId)).attempts === 1);
  await app.stripeSimulator.control({ refundsRefused: false, errorAfterChargeRate: 0 });
  await club.sweep();
  await eventually(async () => (await readRefund(booked.bookingId)).refusals === 1);
  expect(await refundsOf(booked.bookingId)).toEqual([]);
  await club.sweep();
  await eventually(async () => (await statusOf(booked.slotId)) === 'refunded');
  expect(await refundsOf(booked.bookingId)).toEqual([5000]);
});

test('shows a failed refund to admins until it is settled another way [BOOK-3b, ROLE-6b, NOTE-1b]', async () => {
  const booked = await bookOne();
  const { customer, bookingId, slotId } = booked;
  await app.stripeSimulator.control({ refundsRefused: true });
  await cancel(booked, 5000);
  const given = await refuseUntilFailed(bookingId);
  await app.stripeSimulator.control({ refundsRefused: false });
  expect(given).toMatchObject({ amountCents: 5000, customerEmail: customer.email, refundedInStripeCents: 0 });
  expect(given.message).toContain('The issuer refuses refunds');
  expect((await emailTo(customer.email, 'Your refund is delayed')).text).toContain(
    "We couldn't refund £50.00",
  );
  const alert = await emailTo(admin.email, 'A refund of £50.00 needs attention');
  expect(alert.text).toContain('/admin/panel?tab=payouts');
  const inApp = async (who: Someone) =>
    (await app.call(who, notificationsApi.listNotifications, {})).body.notifications;
  expect(await inApp(customer)).toContainEqual(expect.objectContaining({ kind: 'refund', readAt: null }));
  expect(await inApp(admin)).toContainEqual(
    expect.objectContaining({ kind: 'refund_failed', path: '/admin/panel?tab=payouts' }),
  );
  const findings = async () => (await auditLedger(app.db)).map(({ rule }) => rule);
  const failedRefunds = async () =>
    (await readBacklog(app.db)).find(({ name }) => name === 'app_failed_refunds')!.value;
  const blockers = async () => (await app.call(customer, ownAccountApi.getDeletion, {})).body.blockers;
  expect(await findings()).toEqual(['No failed refund waits for an admin']);
  expect([await failedRefunds(), await blockers()]).toEqual([1, [expect.stringContaining('£50.00')]]);
  expect((await app.call(customer, ownAccountApi.deleteAccount, {})).status).toBe(409);

  const { refundId } = given;
  const settle = (reason: string, isRefundedInStripe = false) =>
    app.call(admin, refundsApi.settle, { refundId, reason, isRefundedInStripe });
  expect((await settle(' ')).error!.fields).toEqual({ reason: 'Enter how the customer was paid.' });
  expect((await settle('In Stripe', true)).error!.message).toBe(
    "The refunds made in Stripe don't cover this refund.",
  );
  const both = await Promise.all([settle('Bank transfer of 3 March'), settle('Cash')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await app.call(admin, refundsApi.retry, { refundId })).error!.message).toBe(
    'This refund has already been settled.',
  );
  expect([await findings(), await failedRefunds(), await blockers(), await listFailed()]).toEqual([
    [],
    0,
    [],
    [],
  ]);
  expect(await statusOf(slotId)).toBe('refunded');
  const shown = await app.call(customer, bookingsApi.getMine, { bookingId });
  expect(shown.body.booking.refund).toEqual({ amountCents: 5000, status: 'settled' });
  expect((await emailTo(customer.email, 'Your refund is settled')).text).toMatch(
    /“(Bank transfer of 3 March|Cash)”/,
  );
  const noted = await app.db.selectFrom('auditLog').selectAll().where('subjectId', '=', refundId).execute();
  expect(noted).toMatchObject([
    { action: 'refund.failed', actorSystem: 'Stripe' },
    { action: 'refund.settled', actorUserId: admin.userId, after: { amountCents: 5000 } },
  ]);
});

test('pays a failed refund once when an admin retries it twice simultaneously [BOOK-3b]', async () => {
  const booked = await bookOne();
  await app.stripeSimulator.control({ refundsRefused: true });
  await cancel(booked, 5000);
  const { refundId } = await refuseUntilFailed(booked.bookingId);
  await app.stripeSimulator.control({ refundsRefused: false });
  const answers = await Promise.all([1, 2].map(() => app.call(admin, refundsApi.retry, { refundId })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  await club.sweep();
  await eventually(async () => (await statusOf(booked.slotId)) === 'refunded');
  expect(await refundsOf(booked.bookingId)).toEqual([5000]);
  const received = await emailTo(booked.customer.email, 'Your refund is settled');
  expect(received.text).toContain('Your refund of £50.00 is on its way to your card after all.');
});

test('names every lesson of a failed refund that covers several bookings', async () => {
  const customer = await club.join();
  const slotId = await club.publish({ seats: 2 });
  const children = [
    await family.addReadyChild(customer, { fullName: 'Mia Morgan' }),
    await family.addReadyChild(customer, { fullName: 'Leo Morgan' }),
  ];
  const seats = children.map((participantId) => ({ slotId, participantId }));
  expect((await checkOut(app, customer, seats)).body.outcome).toBe('booked');
  await app.stripeSimulator.control({ refundsRefused: true });
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId, reason: '' });
  // The list names a refund by the first of its bookings.
  const [bookingId] = (await club.readBookings(slotId)).map((booking) => booking.bookingId).sort();
  const { refundId } = await refuseUntilFailed(bookingId!);
  await app.stripeSimulator.control({ refundsRefused: false });
  const reason = 'Bank transfer';
  await app.call(admin, refundsApi.settle, { refundId, reason, isRefundedInStripe: false });
  for (const subject of ['Your refund is delayed', 'Your refund is settled']) {
    const received = await emailTo(customer.email, subject);
    expect(received.subject).toMatch(/ and 1 more$/);
    expect(received.text).toContain('£100.00');
    for (const name of ['Mia', 'Leo']) {
      expect(received.text).toMatch(new RegExp(`${name} Morgan: Tennis basics, .+, £50\\.00`));
    }
  }
});

test('refunds only the remainder after refunds made directly in Stripe [PAY-5]', async () => {
  const [part, whole] = [await bookOne(), await bookOne()];
  await app.cards.refunds.create({ payment_intent: part.intentId, amount: 2000 });
  await app.cards.refunds.create({ payment_intent: whole.intentId });
  for (const booked of [part, whole]) {
    await cancel(booked, 5000);
    await eventually(async () => (await statusOf(booked.slotId)) === 'refunded');
    expect(await club.netCharges(booked.slotId)).toEqual([]);
  }
  expect(await refundsOf(part.bookingId)).toEqual([2000, 3000]);
  expect(await refundsOf(whole.bookingId)).toEqual([5000]);
});

test('keeps a refund made in Stripe apart from an equal pending refund of ours [BASE-7, CONNECT-1b]', async () => {
  const { bookingId, intentId, slotId } = await bookOne();
  const stop = gate.stopNext('POST /v1/refunds', 'before');
  const part = { bookingId, amountCents: 2500, expectedLeftCents: 5000, borneBy: 'platform' } as const;
  const made = await app.call(admin, deskApi.refund, { ...part, reason: 'The lesson ended early' });
  expect(made.body.outcome).toBe('made');
  await stop.arrived;
  const { id: stripeRefundId } = await app.cards.refunds.create({ payment_intent: intentId, amount: 2500 });
  stop.pass();
  await eventually(async () => (await refundsOf(bookingId)).length === 2);
  expect(await club.netCharges(slotId)).toEqual([]);
  const look = async () => (await app.call(admin, deskApi.get, { bookingId })).body.booking;
  await eventually(async () => (await look()).unentered[0]?.stripeRefundId === stripeRefundId);
  expect(await look()).toMatchObject({ refundedCents: 2500, leftCents: 2500 });
  const lines = [{ bookingId, cents: 2500 }];
  const entered = await app.call(admin, deskApi.enterRefund, { stripeRefundId, lines, borneBy: 'coach' });
  expect(entered.error?.message).toBeUndefined();
  expect(await look()).toMatchObject({ refundedCents: 5000, leftCents: 0, unentered: [] });
});

test('leaves a failed refund to an admin despite an equal refund made in Stripe', async () => {
  await setLateRefund(50);
  const booked = await bookOne({ startsInHours: 5 });
  await setLateRefund(0);
  await app.stripeSimulator.control({ refundsRefused: true });
  await cancel(booked, 2500);
  const { refundId } = await refuseUntilFailed(booked.bookingId);
  await app.stripeSimulator.control({ refundsRefused: false });
  await app.cards.refunds.create({ payment_intent: booked.intentId, amount: 2500 });
  const given = await eventually(async () =>
    (await listFailed()).find((one) => one.refundedInStripeCents > 0),
  );
  expect(given).toMatchObject({ refundId, amountCents: 2500, refundedInStripeCents: 2500 });
  expect(await statusOf(booked.slotId)).toBe('cancelled');
  const reason = 'Refunded in the dashboard';
  const settled = await app.call(admin, refundsApi.settle, { refundId, reason, isRefundedInStripe: true });
  expect(settled.status).toBe(200);
  expect(await statusOf(booked.slotId)).toBe('refunded');
});

test('pays two equal refunds of one payment even if a response is lost [PAY-5]', async () => {
  await setLateRefund(50);
  const booked = await bookOne({ startsInHours: 8 });
  await setLateRefund(0);
  await cancel(booked, 2500);
  await eventually(async () => (await statusOf(booked.slotId)) === 'refunded');
  const stop = gate.stopNext('POST /v1/refunds', 'after');
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId: booked.slotId, reason: '' });
  await stop.arrived;
  expect(await statusOf(booked.slotId)).toBe('cancelled');
  stop.lose();
  await club.sweep();
  await eventually(async () => (await statusOf(booked.slotId)) === 'refunded');
  expect(await refundsOf(booked.bookingId)).toEqual([2500, 2500]);
});

test('refuses unknown refunds, and anyone who is not an admin [ROLE-5]', async () => {
  const refundId = '00000000-0000-4000-8000-000000000000';
  for (const answer of [
    await app.call(admin, refundsApi.retry, { refundId }),
    await app.call(admin, refundsApi.settle, { refundId, reason: 'Cash', isRefundedInStripe: false }),
  ]) {
    expect([answer.status, answer.error!.message]).toEqual([404, 'Refund not found.']);
  }
  const odd = await app.call(admin, refundsApi.listFailed, { cursor: 'odd' });
  expect(odd.status).toBe(422);
  for (const who of [club.coach, await club.join(), null]) {
    const answers = [
      await app.call(who, refundsApi.listFailed, {}),
      await app.call(who, refundsApi.retry, { refundId }),
      await app.call(who, refundsApi.settle, { refundId, reason: 'Cash', isRefundedInStripe: false }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(who ? 403 : 401));
  }
});
