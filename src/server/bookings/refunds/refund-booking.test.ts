import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { bookTogether, topUp } from '../booking/checkouts.test-support.ts';
import { enterExternalRefund } from './enter-external-refund.ts';
import { refundBooking } from './refund-booking.ts';
import type { BorneBy } from './write-refunds.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

const refund = (bookingId: string, cents: number, borneBy: BorneBy = 'coach') =>
  app.db.transaction().execute((tx) => refundBooking(tx, { bookingId, cents, borneBy }));
const readBooking = (bookingId: string) =>
  app.db.selectFrom('bookings').selectAll().where('bookingId', '=', bookingId).executeTakeFirstOrThrow();
const linesOf = (bookingId: string) =>
  app.db
    .selectFrom('refundLines')
    .innerJoin('refunds', 'refunds.refundId', 'refundLines.refundId')
    .select(['refunds.paymentId', 'refundLines.amountCents', 'coachCents', 'feeCents'])
    .where('bookingId', '=', bookingId)
    .orderBy('refunds.createdAt')
    .orderBy('refundLines.amountCents')
    .execute();

async function sell(coach: Someone = club.coach, hoursAgo?: number) {
  const slotId = await club.publish({ coachId: coach.userId });
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  if (hoursAgo) await club.putAt(slotId, -60 * hoursAgo);
  return { slotId, customer, bookingId };
}

/** Puts the bookings into a payrun and marks it as paid; returns the payrun's total in minor units. */
async function payOut(...bookingIds: string[]): Promise<number> {
  const { body, error } = await app.call(admin, payoutsApi.createPayrun, { bookingIds });
  expect(error?.message).toBeUndefined();
  const { payrunId, totalAmountCents } = body.payrun;
  expect((await app.call(admin, payoutsApi.markPayrunPaid, { payrunId })).status).toBe(200);
  return totalAmountCents;
}

test('never refunds more than was charged, even in fifty simultaneous refunds [BASE-3]', async () => {
  const { bookingId } = await sell();
  const made = await Promise.allSettled(Array.from({ length: 50 }, () => refund(bookingId, 300)));
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refused).toHaveLength(50 - 16);
  expect(new Set(refused)).toEqual(new Set(['Only £2.00 of this booking can still be refunded.']));
  expect((await readBooking(bookingId)).refundedCents).toBe(16 * 300);
  await eventually(async () => (await club.refundsAtStripe(bookingId)).length === 16, 60_000);
}, 120_000);

test('makes two equal refunds of a booking if both were intended [BASE-4]', async () => {
  const { bookingId } = await sell();
  await refund(bookingId, 500);
  await refund(bookingId, 500);
  await eventually(async () => (await club.refundsAtStripe(bookingId)).length === 2);
  expect(await club.refundsAtStripe(bookingId)).toEqual([500, 500]);
  expect(await readBooking(bookingId)).toMatchObject({ status: 'booked', refundedCents: 1000 });
});

test("leaves the coach's share unchanged if the platform bears the refund [BASE-5]", async () => {
  const coach = await addPayableCoach(app);
  const { bookingId } = await sell(coach, 3);
  await refund(bookingId, 5000, 'platform');
  expect(await linesOf(bookingId)).toMatchObject([{ amountCents: 5000, coachCents: 0, feeCents: 5000 }]);
  expect(await payOut(bookingId)).toBe(4900);
  const { body } = await app.call(coach, earningsApi.getEarnings, {});
  expect(body).toMatchObject({ netCents: 4900, paidOutCents: 4900, toComeCents: 0, feeCents: 100 - 5000 });
});

test('returns the fee in proportion to several refunds, to the penny [BASE-5]', async () => {
  const { bookingId } = await sell();
  for (const cents of [1250, 1225, 2525]) await refund(bookingId, cents);
  expect((await linesOf(bookingId)).map(({ feeCents }) => feeCents)).toEqual([25, 25, 50]);
  expect(await readBooking(bookingId)).toMatchObject({ refundedCents: 5000, isOwed: false });
});

test('deducts each refund made after a payout once from a later payout [BASE-6]', async () => {
  const coach = await addPayableCoach(app);
  const [paid, later, last] = [await sell(coach, 20), await sell(coach, 18), await sell(coach, 16)];
  await refund(paid.bookingId, 1000);
  expect(await payOut(paid.bookingId)).toBe(3920);
  await refund(paid.bookingId, 500);
  await refund(paid.bookingId, 1500);
  expect(await payOut(later.bookingId)).toBe(4900 - 490 - 1470);
  const items = app.db
    .selectFrom('payrunItems')
    .select(['amountCents', 'refundId'])
    .where('bookingId', '=', paid.bookingId)
    .where('kind', '=', 'carried_forward')
    .orderBy('amountCents');
  const deducted = await items.execute();
  expect(deducted.map(({ amountCents }) => amountCents)).toEqual([-1470, -490]);
  expect(new Set(deducted.map(({ refundId }) => refundId)).size).toBe(2);
  await refund(paid.bookingId, 2000);
  expect(await payOut(last.bookingId)).toBe(4900 - 1960);
  expect((await app.call(coach, earningsApi.getEarnings, {})).body.toComeCents).toBe(0);
  // The database also refuses to deduct a refund twice.
  const again = sql`
    insert into payrun_items (payrun_id, coach_id, booking_id, kind, amount_cents, refund_id)
    select later.payrun_id, item.coach_id, item.booking_id, item.kind, item.amount_cents, item.refund_id
    from payrun_items item, payrun_items later
    where item.refund_id = ${deducted[0]!.refundId}::uuid and later.booking_id = ${last.bookingId}::uuid`;
  await expect(again.execute(app.db)).rejects.toThrow('payrun_items_one_live_deduction');
});

test('adds a line for each payment of a booking, and refunds the newest payment first [BASE-1, BASE-4]', async () => {
  const { bookingId, slotId, customer } = await sell();
  const { paymentId } = (await club.readBookings(slotId))[0]!;
  // The newest payment is also the largest, so the test fails if the oldest or the smallest is refunded first.
  const newest = await topUp(app, bookingId, 6000);
  const charged = await app.db
    .selectFrom('paymentLines')
    .select(['paymentId', 'amountCents'])
    .where('bookingId', '=', bookingId)
    .orderBy('amountCents', 'desc')
    .execute();
  expect(charged).toEqual([
    { paymentId: newest, amountCents: 6000 },
    { paymentId, amountCents: 5000 },
  ]);
  await refund(bookingId, 1000);
  await refund(bookingId, 5500);
  const lines = (await linesOf(bookingId)).map((line) => [line.paymentId === newest, line.amountCents]);
  expect(lines.slice(0, 1)).toEqual([[true, 1000]]);
  expect(lines.slice(1).sort()).toEqual([
    [false, 500],
    [true, 5000],
  ]);
  // The rest goes back to the first payment when the customer cancels.
  const answer = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 4500 });
  expect(answer.error?.message).toBeUndefined();
  await eventually(async () => (await readBooking(bookingId)).status === 'refunded');
  // Two jobs refund the two lines, in any order.
  expect((await club.refundsAtStripe(bookingId)).sort((a, b) => a - b)).toEqual([500, 4500]);
  const [topUpCharge] = (await app.stripeSimulator.ledger()).filter(
    ({ metadata }) => metadata.payment_id === newest,
  );
  expect(topUpCharge!.refunds.map(({ amount }) => amount).sort()).toEqual([1000, 5000]);
  expect(paymentId).not.toBe(newest);
});

test('refunds a cancelled lesson of a joint payment, but not the other lesson [BASE-3]', async () => {
  const slotIds = [await club.publish(), await club.publish({ startsInHours: 5 })];
  const customer = await club.join();
  const { bookings } = await bookTogether(app, customer, slotIds);
  const [early, late] = bookings.map(({ bookingId }) => bookingId);
  await app.call(customer, bookingsApi.cancel, { bookingId: late!, expectedRefundCents: 0 });
  await refund(late!, 2000, 'platform');
  await eventually(async () => (await readBooking(late!)).status === 'refunded');
  expect(await readBooking(early!)).toMatchObject({ status: 'booked', refundedCents: 0 });
  await expect(refund(late!, 3001)).rejects.toThrow('Only £30.00 of this booking can still be refunded.');
});

test('enters a refund made in Stripe for the lessons that an admin names [BASE-7b]', async () => {
  const slotIds = [await club.publish(), await club.publish()];
  const { bookings, paymentId } = await bookTogether(app, await club.join(), slotIds);
  const [first, second] = bookings.map(({ bookingId }) => bookingId);
  const { stripePaymentIntentId } = (await club.readBookings(slotIds[0]!))[0]!;
  const { id: stripeRefundId } = await app.cards.refunds.create({
    ...{ payment_intent: stripePaymentIntentId!, amount: 6000 },
  });
  await eventually(() =>
    app.db
      .selectFrom('externalRefunds')
      .select('refundId')
      .where('paymentId', '=', paymentId)
      .executeTakeFirst(),
  );
  const person = { userId: admin.userId, roles: ['admin' as const], sessionId: '' };
  const enter = (...cents: number[]) => {
    const lines = cents.map((part, index) => ({ bookingId: [first!, second!][index]!, cents: part }));
    return enterExternalRefund(app.db, person, { stripeRefundId, lines, borneBy: 'platform' });
  };
  await expect(enter(5000)).rejects.toThrow('The parts must add up to £60.00.');
  await expect(enter(5500, 500)).rejects.toThrow('That would refund more for a booking');
  const both = await Promise.allSettled([enter(5000, 1000), enter(4000, 2000)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const entered = (await Promise.all([first!, second!].map(readBooking))).map(
    ({ refundedCents }) => refundedCents,
  );
  expect(entered.reduce((sum, cents) => sum + cents, 0)).toBe(6000);
  // We can refund only what is left.
  await expect(refund(first!, 5000)).rejects.toThrow('can still be refunded');
});

test('enters the rest of a refund made in Stripe that partly covered ours [BASE-7b]', async () => {
  const { bookingId } = await sell();
  const { stripePaymentIntentId, paymentId } = await app.db
    .selectFrom('paymentLines')
    .innerJoin('payments', 'payments.paymentId', 'paymentLines.paymentId')
    .where('bookingId', '=', bookingId)
    .select(['stripePaymentIntentId', 'payments.paymentId'])
    .executeTakeFirstOrThrow();
  const { id: stripeRefundId } = await app.cards.refunds.create({
    ...{ payment_intent: stripePaymentIntentId!, amount: 4000 },
  });
  const [refundId] = await refund(bookingId, 3000);
  const external = () =>
    app.db.selectFrom('externalRefunds').selectAll().where('paymentId', '=', paymentId).executeTakeFirst();
  // Only £10 was left on the charge for our refund of £30.
  await eventually(async () => (await external())?.refundId === refundId);
  expect(await external()).toMatchObject({ amountCents: 4000, coversCents: 2000 });
  expect(await club.refundsAtStripe(bookingId)).toEqual([4000, 1000]);

  const person = { userId: admin.userId, roles: ['admin' as const], sessionId: '' };
  const enter = (cents: number) =>
    enterExternalRefund(app.db, person, { stripeRefundId, lines: [{ bookingId, cents }], borneBy: 'coach' });
  await expect(enter(4000)).rejects.toThrow('The parts must add up to £20.00.');
  const rest = await enter(2000);
  expect(await external()).toMatchObject({ refundId, enteredRefundId: rest, enteredCents: 2000 });
  expect(await readBooking(bookingId)).toMatchObject({ refundedCents: 5000, isOwed: false });
  await expect(enter(2000)).rejects.toThrow('This refund has nothing left to enter. Reload the page.');
});
