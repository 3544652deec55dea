import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import type { CancellationPolicy } from '#domain/settings/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { beforeTests, eventually, untilLockIsAwaited } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { confirmBookings, readPayment } from '../payment/payment-records.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

const cancelSlot = (slotId: string, reason?: string, coach: Someone = club.coach) =>
  app.call(coach, lessonsApi.cancelSlot, { slotId, reason });
const statusesOf = async (slotId: string) => (await club.readBookings(slotId)).map(({ status }) => status);
const isPaidBack = async (slotId: string) =>
  (await statusesOf(slotId)).every((status) => status === 'refunded');
const emailTo = ({ email }: Someone, subject: string) =>
  eventually(async () =>
    (await app.emailsTo(email)).find((received) => received.subject.startsWith(subject)),
  );
const setPolicy = (policy: CancellationPolicy) => storeSetting(app, 'cancellationPolicy', policy);

test("emails everyone the coach's reason, and refunds them in full despite the policy [SLOT-9d, SLOT-9e]", async () => {
  const standard = { freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true };
  const slotId = await club.publish({ startsInHours: 5 });
  const [late, never, early] = [await club.join(), await club.join(testCards.mastercard), await club.join()];
  const first = (await club.book(late, slotId)).body.bookingId;
  await setPolicy({ ...standard, refundsEnabled: false });
  await club.book(never, slotId);
  await setPolicy(standard);
  // This customer cancels too late for a refund under the policy.
  const gone = (await club.book(early, slotId)).body.bookingId;
  await app.call(early, bookingsApi.cancel, { bookingId: gone, expectedRefundCents: 0 });

  const answer = await cancelSlot(slotId, '  Rain ');
  expect(answer.error?.message).toBeUndefined();
  expect(answer.body).toMatchObject({
    people: 2,
    lateCancellers: 1,
    refundCents: 15_000,
    slot: { status: 'cancelled', bookedCount: 0, cancellationReason: 'Rain' },
  });
  await eventually(
    async () => (await statusesOf(slotId)).filter((status) => status === 'refunded').length === 3,
  );
  expect(await club.netCharges(slotId)).toEqual([]);
  const lateEmail = await emailTo(early, 'Refunded in full: Tennis basics');
  expect(lateEmail.text).toContain('has cancelled a lesson that you had already cancelled.\n\n“Rain”');
  expect(lateEmail.text).toContain('refunding the rest of what you paid: £50.00 to Visa ending 4242.');
  const received = await emailTo(late, 'Cancelled: Tennis basics');
  expect(received.text).toContain("has cancelled this lesson. We're sorry.\n\n“Rain”");
  expect(received.text).toContain(
    "We're refunding £50.00 to Visa ending 4242. The money arrives in 5 to 10 days.",
  );
  expect((await emailTo(never, 'Cancelled: Tennis basics')).text).toContain(
    '£50.00 to Mastercard ending 4444',
  );
  const { body } = await app.call(late, bookingsApi.getMine, { bookingId: first });
  expect(body.booking).toMatchObject({
    status: 'refunded',
    cancelledBy: 'coach',
    cancellationReason: 'Rain',
    slotStatus: 'cancelled',
    refund: { amountCents: 5000, status: 'succeeded' },
  });
  expect(await club.readLedger(first)).toEqual([
    { kind: 'charged', amountCents: 5000 },
    { kind: 'fee', amountCents: 100 },
    { kind: 'refunded', amountCents: -5000 },
    { kind: 'fee_refunded', amountCents: -100 },
  ]);
  const shown = await app.call(null, discoverApi.discoverSlots, { coachId: club.coach.userId });
  expect(shown.body.slots.map((slot) => slot.slotId)).not.toContain(slotId);
  const refused = await club.book(await club.join(), slotId);
  expect(refused.error).toMatchObject({
    code: 'slot_unavailable',
    message: 'The coach has cancelled this lesson. You have not been charged.',
  });
  const audit = await app.db.selectFrom('auditLog').selectAll().where('subjectId', '=', slotId).execute();
  expect(audit).toMatchObject([
    {
      action: 'slot.cancelled',
      actorUserId: club.coach.userId,
      after: { people: 2, lateCancellers: 1, refundCents: 15_000 },
    },
  ]);
});

test('refunds late cancellers the rest of the price when the coach cancels [EARN-1b, SLOT-9e]', async () => {
  await setPolicy({ freeUntilHours: 24, lateRefundPercent: 33, refundsEnabled: true });
  const coach = await app.signIn('coach');
  const slotId = await club.publish({ startsInHours: 6, priceCents: 4999, coachId: coach.userId });
  const [late, kept] = [await club.join(), await club.join()];
  const { bookingId } = (await club.book(late, slotId, 4999)).body;
  await club.book(kept, slotId, 4999);
  await setPolicy({ freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true });
  await app.call(late, bookingsApi.cancel, { bookingId, expectedRefundCents: 1650 });
  await eventually(async () => (await statusesOf(slotId)).includes('refunded'));
  const earnings = async () => (await app.call(coach, earningsApi.getEarnings, {})).body;
  expect(await earnings()).toMatchObject({ refundedCents: 1650, toComeCents: 4899 + 3349 - 67 });

  const day = wallTimeOf((await club.readSlot(slotId)).startTime).date;
  const preview = await app.call(coach, lessonsApi.previewCancelDay, { date: day });
  expect(preview.body.lessons).toMatchObject([{ people: 1, lateCancellers: 1, refundCents: 4999 + 3349 }]);
  const { body } = await app.call(coach, lessonsApi.cancelDay, { date: day, reason: '' });
  expect(body.lessons).toMatchObject([{ people: 1, lateCancellers: 1, refundCents: 4999 + 3349 }]);
  await eventually(async () => (await statusesOf(slotId)).every((status) => status === 'refunded'));
  expect(await club.netCharges(slotId)).toEqual([]);
  const shown = await app.call(late, bookingsApi.getMine, { bookingId });
  expect(shown.body.booking).toMatchObject({
    status: 'refunded',
    cancelledBy: 'customer',
    refund: { amountCents: 4999, status: 'succeeded' },
  });
  expect((await app.call(late, bookingsApi.listMine, {})).body.bookings).toHaveLength(1);
  expect((await emailTo(late, 'Refunded in full')).text).toContain('£33.49 to Visa ending 4242');
  expect(await earnings()).toMatchObject({
    refundedCents: 2 * 4999,
    feeCents: 0,
    toComeCents: 0,
    readyCents: 0,
  });
  // None of these bookings is payable, even after the scheduled end of the lesson.
  await club.putAt(slotId, -90);
  const admin = await app.signIn('admin');
  const payable = await app.call(admin, payoutsApi.listPayableBookings, {});
  expect(payable.body.bookings.filter(({ coachId }) => coachId === coach.userId)).toEqual([]);
});

test('refuses ledger entries that refund more than was charged', async () => {
  const slotId = await club.publish();
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  const enter = (cents: number) =>
    sql`insert into ledger_entries (booking_id, kind, amount_cents, source_id)
      values (${bookingId}::uuid, 'refunded', ${-cents}, gen_random_uuid())`.execute(app.db);
  const tries = await app.db.transaction().execute(async (tx) => {
    await sql`savepoint before`.execute(tx);
    for (const cents of [3000, 2000]) {
      await sql`insert into ledger_entries (booking_id, kind, amount_cents, source_id)
          values (${bookingId}::uuid, 'refunded', ${-cents}, gen_random_uuid())`.execute(tx);
    }
    const left = await sql<{ isOwed: boolean; refundedCents: number }>`
        select is_owed, refunded_cents from bookings where booking_id = ${bookingId}::uuid`.execute(tx);
    await sql`rollback to before`.execute(tx);
    return left.rows[0];
  });
  expect(tries).toEqual({ isOwed: false, refundedCents: 5000 });
  await expect(enter(5001)).rejects.toThrow('bookings_refunded_within_charged');
});

test('cancels free and empty lessons without a refund [SLOT-9]', async () => {
  const free = await club.publish({ priceCents: 0 });
  const customer = await club.join(null);
  await club.book(customer, free, 0);
  expect((await cancelSlot(free)).body).toMatchObject({ people: 1, refundCents: 0 });
  const received = await emailTo(customer, 'Cancelled: Tennis basics');
  expect(received.text).toContain("You weren't charged for this lesson.");
  expect(await statusesOf(free)).toEqual(['cancelled']);
  expect((await cancelSlot(await club.publish())).body).toMatchObject({ people: 0, refundCents: 0 });
});

test("refuses to cancel cancelled, past and other coaches' lessons [SLOT-9]", async () => {
  const slotId = await club.publish();
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancelSlot(slotId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(answers.find(({ error }) => error)!.error!.message).toBe('This lesson is already cancelled.');
  const over = await club.publish();
  await club.putAt(over, -90);
  expect((await cancelSlot(over)).error).toMatchObject({
    code: 'conflict',
    message: 'This lesson is over, so it can no longer be cancelled.',
  });
  const foreign = await app.signIn('coach');
  const open = await club.publish();
  expect((await cancelSlot(open, '', foreign)).status).toBe(404);
  const long = await cancelSlot(open, 'x'.repeat(201));
  expect(long.error!.fields).toEqual({ reason: "The reason can't be longer than 200 characters." });
  expect((await club.readSlot(open)).status).toBe('scheduled');
});

test('refunds customers marked as attended when the coach cancels during the lesson [SLOT-9]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  await club.putAt(slotId, -10);
  await app.call(club.coach, lessonsApi.markAttendance, { bookingId, attended: true });
  expect((await cancelSlot(slotId)).body).toMatchObject({ people: 1, refundCents: 5000 });
  await eventually(() => isPaidBack(slotId));
  expect((await club.readBookings(slotId))[0]!.attended).toBeNull();
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('releases pending holds when the coach cancels, and refunds a later charge [SLOT-9]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const booking = club.book(customer, slotId);
  await stop.arrived;
  expect((await cancelSlot(slotId)).body).toMatchObject({
    people: 0,
    refundCents: 0,
    slot: { bookedCount: 0 },
  });
  expect(await statusesOf(slotId)).toEqual(['released']);
  stop.pass();
  const answer = await booking;
  expect(answer.error!.message).toBe(
    "Your payment came through after your place was released. We're refunding it in full to your card.",
  );
  await eventually(async () => (await club.netCharges(slotId)).length === 0);
  const received = await emailTo(customer, 'Not booked, refunded in full');
  expect(received.text).toContain('The coach has cancelled this lesson.');
});

test('cancels an unfinished payment when the coach cancels the lesson [SLOT-9]', async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await cancelSlot(slotId);
  const intentId = body.clientSecret.split('_secret')[0]!;
  await eventually(async () => (await app.cards.paymentIntents.retrieve(intentId)).status === 'canceled');
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: body.bookingId });
  expect(settled.error).toMatchObject({
    code: 'payment_failed',
    message: 'The coach has just cancelled this lesson. You have not been charged. Choose another lesson.',
  });
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('refunds a payment that is confirmed while the coach cancels the lesson [SLOT-9, PAY-5]', async () => {
  await app.stripeSimulator.control({ webhooksOff: true });
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.authenticate(body.clientSecret, 'succeeded');
  let cancelling: ReturnType<typeof cancelSlot> | undefined;
  await app.db.transaction().execute(async (tx) => {
    const payment = (await readPayment(tx, { bookingId: body.bookingId }))!;
    await confirmBookings(tx, payment, body.clientSecret.split('_secret')[0]!);
    cancelling = cancelSlot(slotId);
    await untilLockIsAwaited(app.db);
  });
  expect((await cancelling!).body).toMatchObject({ people: 1, refundCents: 5000 });
  await app.stripeSimulator.control({ webhooksOff: false });
  await eventually(() => isPaidBack(slotId));
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('refunds everyone when a lesson is cancelled twice while 20 people book [SLOT-9, PAY-5]', async () => {
  const slotId = await club.publish({ seats: 20 });
  const customers = await Promise.all(Array.from({ length: 20 }, () => club.join()));
  await app.stripeSimulator.control({
    latencyMs: 40,
    jitterMs: 120,
    dropAfterChargeRate: 0.2,
    webhookDropRate: 0.3,
  });
  const race = customers.map((customer) => club.bookUntilDecided(customer, slotId));
  await eventually(async () => (await club.readSlot(slotId)).bookedCount >= 5);
  const answers = await Promise.all([cancelSlot(slotId), cancelSlot(slotId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  await Promise.all(race);
  await app.stripeSimulator.control({
    latencyMs: 0,
    jitterMs: 0,
    dropAfterChargeRate: 0,
    webhookDropRate: 0,
  });
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  await eventually(async () => {
    const bookings = await club.readBookings(slotId);
    return bookings.every(({ status, refundStatus }) => status !== 'cancelled' && refundStatus !== 'pending');
  }, 60_000);
  await eventually(async () => (await club.netCharges(slotId)).length === 0, 60_000);
}, 180_000);
