import { afterEach, expect, test } from 'vitest';
import { deskApi } from '#domain/desk/contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { bookTogether } from '#server/bookings/booking/checkouts.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
const second = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

async function sell(coach: Someone = club.coach, hoursAgo?: number) {
  const slotId = await club.publish({ coachId: coach.userId });
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  if (hoursAgo) await club.putAt(slotId, -60 * hoursAgo);
  return { slotId, customer, bookingId };
}

const reason = 'The lesson ended early';
type Part = Partial<InputOf<typeof deskApi.refund>> & { bookingId: string };
const refund = (part: Part, who: Someone = admin) =>
  app.call(who, deskApi.refund, {
    ...{ amountCents: 2500, borneBy: 'platform', reason, expectedLeftCents: 5000, ...part },
  });
const look = async (bookingId: string) => (await app.call(admin, deskApi.get, { bookingId })).body;
const setLimit = (secondAdminAboveCents: number | null) =>
  app.call(admin, settingsApi.updateRefundControl, { secondAdminAboveCents });
const decide = (who: Someone, refundRequestId: string, decision: 'approve' | 'decline') =>
  app.call(who, deskApi.decideRequest, { refundRequestId, decision });
const emailed = ({ email }: Pick<Someone, 'email'>, subject: string) =>
  eventually(async () => (await app.emailsTo(email)).find((sent) => sent.subject.startsWith(subject)));
const waitingOf = async (bookingId: string) => (await look(bookingId)).booking.requests[0]!.refundRequestId;

test('refunds half of a finished lesson, and emails the customer the reason [CONNECT-1a, CONNECT-1f]', async () => {
  const { bookingId, customer, slotId } = await sell(club.coach, 3);
  expect((await refund({ bookingId })).body).toEqual({ outcome: 'made' });
  const { booking, history } = await look(bookingId);
  expect(booking).toMatchObject({ status: 'booked', refundedCents: 2500, leftCents: 2500, shareCents: 4900 });
  expect(history.find(({ kind }) => kind === 'refund')).toMatchObject({ amountCents: 2500, coachCents: 0 });
  expect(history.find(({ kind }) => kind === 'refundRequest')).toMatchObject({ reason, status: 'made' });
  await eventually(async () => (await club.refundsAtStripe(bookingId)).length === 1);
  expect(await club.netCharges(slotId)).toEqual([2500]);
  const sent = await emailed(customer, 'Refund of £25.00');
  expect(sent!.text).toContain(reason);
  expect(sent!.text).toContain('Your booking stays as it is.');
  // The platform bears the refund, so the coach loses nothing and isn't notified.
  const coachs = app.db.selectFrom('notifications').where('kind', '=', 'booking_refunded').select('userId');
  expect(await coachs.where('userId', '=', club.coach.userId).execute()).toEqual([]);
});

test('deducts refunds borne by the coach after a payout from the next payout [CONNECT-1d, CONNECT-1e, CONNECT-1f]', async () => {
  const coach = await addPayableCoach(app);
  const [paid, later] = [await sell(coach, 20), await sell(coach, 18)];
  const payOut = async (bookingId: string) => {
    const { payrun } = (await app.call(admin, payoutsApi.createPayrun, { bookingIds: [bookingId] })).body;
    await app.call(admin, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId });
    return payrun.totalAmountCents;
  };
  expect(await payOut(paid.bookingId)).toBe(4900);
  const part = { bookingId: paid.bookingId, amountCents: 1000, borneBy: 'coach' as const };
  expect((await refund(part)).status).toBe(200);
  expect((await refund({ ...part, amountCents: 500, expectedLeftCents: 4000 })).status).toBe(200);
  // A refund of the same booking that the platform bears changes nothing for the coach.
  const ours = { ...part, borneBy: 'platform' as const, expectedLeftCents: 3500 };
  expect((await refund(ours)).status).toBe(200);
  const sent = await emailed(coach, 'Refund of £10.00');
  expect(sent!.text).toContain('£9.80 lower');
  expect(await payOut(later.bookingId)).toBe(4900 - 980 - 490);
  expect((await app.call(coach, earningsApi.getEarnings, {})).body.toComeCents).toBe(0);
  const { history } = await look(paid.bookingId);
  expect(history.flatMap((entry) => (entry.kind === 'payrun' ? [entry.amountCents] : [])).sort()).toEqual([
    -490, -980, 4900,
  ]);
});

test('never refunds more than was charged, even in fifty simultaneous calls [CONNECT-1b]', async () => {
  const { bookingId } = await sell();
  const admins = [admin, second];
  let leftCents = 5000;
  const outcomes: number[] = [];
  // Each call is repeated with the remaining amount, as an admin who confirms again would do.
  const refundOnce = async (index: number): Promise<void> => {
    const made = await refund(
      { bookingId, amountCents: 300, expectedLeftCents: leftCents },
      admins[index % 2],
    );
    const left = made.error?.details?.leftCents as number | undefined;
    if (made.status === 409 && left !== undefined && left !== leftCents && left >= 300) {
      leftCents = left;
      return refundOnce(index);
    }
    if (made.status === 409 && left !== undefined && left >= 300) return refundOnce(index);
    outcomes.push(made.status);
  };
  await Promise.all(Array.from({ length: 50 }, (_, index) => refundOnce(index)));
  expect(outcomes.filter((status) => status === 200)).toHaveLength(16);
  expect(outcomes.filter((status) => status === 409)).toHaveLength(34);
  expect((await look(bookingId)).booking).toMatchObject({ refundedCents: 4800, leftCents: 200 });
  await eventually(async () => (await club.refundsAtStripe(bookingId)).length === 16, 60_000);
}, 120_000);

test('refuses a refund above the remainder or based on an outdated amount [CONNECT-1b]', async () => {
  const { bookingId } = await sell();
  const tooMuch = await refund({ bookingId, amountCents: 5001 });
  expect([tooMuch.status, tooMuch.error?.message]).toEqual([
    409,
    'At most £50.00 of this booking can still be refunded.',
  ]);
  expect(tooMuch.error?.details).toEqual({ leftCents: 5000 });
  await refund({ bookingId });
  const twice = await refund({ bookingId });
  expect(twice.error?.message).toMatch(/^This booking has changed since you opened it: £25\.00 can/);
  expect((await refund({ bookingId, expectedLeftCents: 2500 })).status).toBe(200);
  const none = await refund({ bookingId, expectedLeftCents: 0 });
  expect(none.error?.message).toBe('This booking has already been refunded in full.');
  for (const [bad, field] of [
    [{ amountCents: 0 }, 'amountCents'],
    [{ reason: ' ' }, 'reason'],
  ] as const) {
    const { status, error } = await refund({ bookingId, ...bad });
    expect([status, Object.keys(error?.fields ?? {})]).toEqual([422, [field]]);
  }
});

test('refuses to refund a free, unpaid, disputed or unknown booking [CONNECT-1a]', async () => {
  const message = async (bookingId: string) => (await refund({ bookingId })).error?.message;
  const free = (await club.book(await club.join(), await club.publish({ priceCents: 0 }), 0)).body.bookingId;
  expect(await message(free)).toBe('This lesson was free.');
  const released = await sell();
  await app.db
    .updateTable('bookings')
    .set({ status: 'released' })
    .where('bookingId', '=', released.bookingId)
    .execute();
  expect(await message(released.bookingId)).toBe("This booking isn't paid, so there is nothing to refund.");
  await app.db
    .updateTable('bookings')
    .set({ status: 'booked' })
    .where('bookingId', '=', released.bookingId)
    .execute();
  const disputed = await sell();
  const { paymentId } = (await club.readBookings(disputed.slotId))[0]!;
  const dispute = { disputeId: 'dp_desk', paymentId, amountCents: 5000 };
  await app.db
    .insertInto('disputes')
    .values({ ...dispute, status: 'needs_response' })
    .execute();
  expect(await message(disputed.bookingId)).toMatch(/^The customer disputes this payment/);
  const { history } = await look(disputed.bookingId);
  expect(history).toContainEqual(expect.objectContaining({ kind: 'dispute', disputeId: 'dp_desk' }));
  await app.db.updateTable('disputes').set({ status: 'won' }).where('disputeId', '=', 'dp_desk').execute();
  const unknown = await refund({ bookingId: crypto.randomUUID() });
  expect([unknown.status, unknown.error?.message]).toEqual([404, 'Booking not found.']);
});

test('requires a second admin above the limit, even if the refund is split [CONNECT-1c]', async () => {
  expect((await setLimit(2000)).status).toBe(200);
  await emailed(second, 'Refunds above £20.00');
  const { bookingId, customer } = await sell();
  // The amount that the other admin refunded alone counts towards the limit as well.
  expect((await refund({ bookingId, amountCents: 1500 }, second)).body.outcome).toBe('made');
  expect((await look(bookingId)).booking.singleAdminCents).toBe(500);
  const asked = await refund({ bookingId, amountCents: 600, expectedLeftCents: 3500 });
  expect(asked.body.outcome).toBe('waiting');
  expect((await look(bookingId)).booking).toMatchObject({
    refundedCents: 1500,
    requests: [{ amountCents: 600 }],
  });
  await emailed(second, 'A refund of £6.00 needs a second admin');
  const more = await refund({ bookingId, amountCents: 100, expectedLeftCents: 3500 });
  expect(more.error?.message).toBe('A refund of this booking is already waiting for a second admin.');

  const refundRequestId = await waitingOf(bookingId);
  const own = await decide(admin, refundRequestId, 'approve');
  expect([own.status, own.error?.message]).toEqual([
    409,
    'You asked for this refund. Another admin has to approve it.',
  ]);
  const queue = await app.call(second, deskApi.listRequests, {});
  expect(queue.body.requests).toContainEqual(expect.objectContaining({ refundRequestId, reason }));
  const both = await Promise.all([1, 2].map(() => decide(second, refundRequestId, 'approve')));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(both.map(({ error }) => error?.message)).toContain('This refund has already been approved.');
  // A refund that two admins made doesn't count towards the limit.
  expect((await look(bookingId)).booking).toMatchObject({
    ...{ refundedCents: 2100, singleAdminCents: 500, requests: [] },
  });
  await emailed(customer, 'Refund of £6.00');
  // The database also refuses an approval by the admin who asked.
  const forged = app.db
    .updateTable('refundRequests')
    .set({ decidedBy: admin.userId })
    .where('refundRequestId', '=', refundRequestId);
  await expect(forged.execute()).rejects.toThrow('refund_requests_made_by_second_admin');
  await setLimit(null);
});

test('lets the admin who asked for a refund withdraw it, and another admin decline it [CONNECT-1c]', async () => {
  await setLimit(0);
  const { bookingId } = await sell();
  for (const [who, action] of [
    [admin, 'refund.withdrawn'],
    [second, 'refund.declined'],
  ] as const) {
    await refund({ bookingId });
    const refundRequestId = await waitingOf(bookingId);
    expect((await decide(who, refundRequestId, 'decline')).status).toBe(200);
    const log = app.db.selectFrom('auditLog').select(['action', 'actorUserId']);
    const [last] = await log.where('subjectId', '=', refundRequestId).orderBy('auditId', 'desc').execute();
    expect(last).toEqual({ action, actorUserId: who.userId });
  }
  expect((await look(bookingId)).booking).toMatchObject({ refundedCents: 0, leftCents: 5000, requests: [] });
  const unknown = await decide(second, crypto.randomUUID(), 'approve');
  expect([unknown.status, unknown.error?.message]).toEqual([404, 'Refund not found.']);
  await setLimit(null);
});

test('refuses to approve a refund whose payment has since been disputed [CONNECT-1a]', async () => {
  await setLimit(0);
  const { bookingId, slotId } = await sell();
  await refund({ bookingId });
  const refundRequestId = await waitingOf(bookingId);
  const { paymentId } = (await club.readBookings(slotId))[0]!;
  const dispute = { disputeId: 'dp_waiting', paymentId, amountCents: 5000, status: 'needs_response' };
  await app.db.insertInto('disputes').values(dispute).execute();
  const disputed = await decide(second, refundRequestId, 'approve');
  expect([disputed.status, disputed.error?.message]).toEqual([
    409,
    expect.stringMatching(/^The customer disputes this payment/),
  ]);
  expect((await look(bookingId)).booking).toMatchObject({
    refundedCents: 0,
    requests: [{ refundRequestId }],
  });
  await app.db.updateTable('disputes').set({ status: 'won' }).where('paymentId', '=', paymentId).execute();
  expect((await decide(second, refundRequestId, 'approve')).status).toBe(200);
  await setLimit(null);
});

test('refuses a limit for second approval while there is only one admin [CONNECT-1c]', async () => {
  const ofSecond = app.db.updateTable('profiles').where('userId', '=', second.userId);
  await ofSecond.set({ roles: ['customer'] }).execute();
  const { status, error } = await setLimit(2000);
  expect([status, Object.keys(error?.fields ?? {})]).toEqual([409, ['secondAdminAboveCents']]);
  await ofSecond.set({ roles: ['customer', 'admin'] }).execute();
});

test('enters a refund made in Stripe against the lessons that it was for [BASE-7b, CONNECT-1g]', async () => {
  const slotIds = [await club.publish(), await club.publish()];
  const customer = await club.join();
  const { bookings } = await bookTogether(app, customer, slotIds);
  const [first, other] = bookings.map(({ bookingId }) => bookingId) as [string, string];
  const { stripePaymentIntentId } = (await club.readBookings(slotIds[0]!))[0]!;
  await app.cards.refunds.create({ payment_intent: stripePaymentIntentId!, amount: 6000 });
  const unentered = await eventually(async () => (await look(first)).booking.unentered[0]);
  expect(unentered.bookings.map(({ leftCents }) => leftCents)).toEqual([5000, 5000]);
  expect((await refund({ bookingId: first })).error?.message).toBe(
    '£60.00 of this payment was refunded in Stripe. Enter that refund first.',
  );
  const { stripeRefundId } = unentered;
  const enter = (cents: number[], bookingIds = [first, other]) =>
    app.call(admin, deskApi.enterRefund, {
      stripeRefundId,
      lines: cents.map((part, index) => ({ bookingId: bookingIds[index]!, cents: part })),
      borneBy: 'coach',
    });
  expect((await enter([5000])).error?.message).toBe('The parts must add up to £60.00.');
  const foreign = await sell();
  expect((await enter([1000, 5000], [first, foreign.bookingId])).status).toBe(409);
  for (const bookingId of [first, foreign.bookingId]) {
    expect((await look(bookingId)).booking.refundedCents).toBe(0);
  }
  expect((await enter([1000, 5000])).status).toBe(200);
  expect((await enter([1000, 5000])).status).toBe(404);
  expect((await look(other)).booking).toMatchObject({ refundedCents: 5000, unentered: [] });
  await emailed(customer, 'Refund of £10.00');
  await emailed(club.coach, 'Refund of £50.00');
});
