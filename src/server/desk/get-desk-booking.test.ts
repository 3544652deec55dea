import { expect, test } from 'vitest';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { HistoryEntry } from '#domain/desk/history.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { bookTogether } from '#server/bookings/booking/checkouts.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

const inFiveDays = { date: addDays(wallTimeOf(Date.now()).date, 5), hour: 10, minute: 0 };
const look = async (bookingId: string) => {
  const { body, error } = await app.call(admin, deskApi.get, { bookingId });
  expect(error?.message).toBeUndefined();
  return body;
};
const ofKind = <K extends HistoryEntry['kind']>(history: HistoryEntry[], kind: K) =>
  history.filter((entry): entry is Extract<HistoryEntry, { kind: K }> => entry.kind === kind);

test("shows a booking's holds, charges, moves, refunds, payruns, messages and events [CONNECT-14a]", async () => {
  const coach = await addPayableCoach(app);
  const customer = await club.join();
  const slotId = await club.publish({ coachId: coach.userId });
  const { bookingId } = (await club.book(customer, slotId)).body;
  await app.call(coach, lessonsApi.moveSlot, { slotId, ...inFiveDays });
  await club.putAt(slotId, -300);
  await app.call(coach, lessonsApi.markAttendance, { bookingId, attended: true });
  const { payrun } = (await app.call(admin, payoutsApi.createPayrun, { bookingIds: [bookingId] })).body;
  await app.call(admin, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId });
  await app.call(admin, deskApi.refund, {
    ...{ bookingId, amountCents: 1000, borneBy: 'coach', reason: 'Sorry', expectedLeftCents: 5000 },
  });
  const delivered = await eventually(async () => {
    const { history } = await look(bookingId);
    const messages = ofKind(history, 'notification');
    return messages.some(({ notificationKind }) => notificationKind === 'booking_refunded') &&
      messages.every(({ deliveries }) => deliveries.every(({ status }) => status === 'sent'))
      ? history
      : null;
  });
  const times = delivered.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(ofKind(delivered, 'held')).toHaveLength(1);
  expect(ofKind(delivered, 'charged')).toMatchObject([
    { amountCents: 5000, card: { brand: 'visa', lastFour: '4242' } },
  ]);
  expect(ofKind(delivered, 'refund')).toMatchObject([
    { amountCents: 1000, coachCents: 980, reason: 'admin' },
  ]);
  const kinds = delivered.map(({ kind }) => kind);
  expect(kinds.indexOf('refund')).toBeLessThan(kinds.indexOf('refundRequest'));
  expect(ofKind(delivered, 'payrun')).toMatchObject([{ amountCents: 4900, status: 'paid' }]);
  const events = ofKind(delivered, 'event').map(({ action }) => action);
  expect(events).toEqual(expect.arrayContaining(['slot.moved', 'attendance.marked']));
  const messages = ofKind(delivered, 'notification').map((one) => `${one.recipient} ${one.notificationKind}`);
  expect(messages).toEqual(
    expect.arrayContaining([
      'customer booked',
      'coach new_booking',
      'customer refund',
      'coach booking_refunded',
    ]),
  );
  const booked = ofKind(delivered, 'notification').find((one) => one.notificationKind === 'booked')!;
  expect(booked.deliveries).toContainEqual({ channel: 'email', status: 'sent' });
});

test('lists bookings that were paid for together, each with its refundable amount [CONNECT-14b]', async () => {
  const slotIds = [await club.publish(), await club.publish({ priceCents: 3000 })];
  const { bookings } = await bookTogether(app, await club.join(), slotIds);
  const [first, other] = bookings.map(({ bookingId }) => bookingId) as [string, string];
  const { booking } = await look(first);
  expect(booking).toMatchObject({ amountCents: 5000, leftCents: 5000, isInPayrun: false, isPaidOut: false });
  expect(booking.together).toMatchObject([{ bookingId: other, amountCents: 3000, leftCents: 3000 }]);
  expect(booking.unentered).toEqual([]);
});

test('shows a lost dispute and allows refunds once the loss is recorded [CONNECT-14a, CONNECT-1a]', async () => {
  const slotIds = [await club.publish(), await club.publish()];
  const { bookings } = await bookTogether(app, await club.join(), slotIds);
  const [first, other] = bookings.map(({ bookingId }) => bookingId) as [string, string];
  const { stripePaymentIntentId } = (await club.readBookings(slotIds[0]!))[0]!;
  const { id } = await changeInStripe(app, 'disputes', { payment_intent: stripePaymentIntentId });
  await eventually(async () => (await look(first)).booking.disputeId === id);
  expect((await look(other)).booking).toMatchObject({ disputeId: id, disputedCents: 10_000 });
  const refund = () =>
    app.call(admin, deskApi.refund, {
      ...{ bookingId: other, amountCents: 1000, borneBy: 'platform', reason: 'Sorry' },
      expectedLeftCents: 5000,
    });
  // The bank takes back the money for one of the two lessons.
  const lost = { status: 'lost', amountCents: 5000 };
  await app.db.updateTable('disputes').set(lost).where('disputeId', '=', id).execute();
  expect((await refund()).error?.message).toMatch(/^The customer disputes this payment/);
  const lines = [
    { bookingId: first, cents: 5000 },
    { bookingId: other, cents: 0 },
  ];
  await outputOf(app.call(admin, disputesApi.recordLoss, { disputeId: id, borneBy: 'platform', lines }));
  const { booking, history } = await look(first);
  expect(booking).toMatchObject({ disputeId: null, disputedCents: 0, leftCents: 0 });
  expect(ofKind(history, 'refund')).toMatchObject([{ amountCents: 5000, reason: 'dispute' }]);
  expect(ofKind(history, 'dispute')).toMatchObject([{ disputeId: id, status: 'lost' }]);
  expect((await outputOf(refund())).outcome).toBe('made');
});

test("shows a dependant's name, and an unpaid hold that was released [CONNECT-14a]", async () => {
  const family = openFamily(app);
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent, { fullName: 'Ottoline Reed' });
  const { bookingId } = (await family.bookFor(parent, await club.publish(), participantId)).body;
  const { booking } = await look(bookingId);
  expect(booking.participantName).toBe('Ottoline Reed');
  const { status } = await app.call(admin, deskApi.get, { bookingId: crypto.randomUUID() });
  expect(status).toBe(404);
  const declined = await club.join('4000000000000341');
  const answer = await club.bookUntilDecided(declined, await club.publish());
  expect(answer.status).toBe(402);
  const { bookingId: unpaid } = await app.db
    .selectFrom('bookings')
    .select('bookingId')
    .where('customerUserId', '=', declined.userId)
    .executeTakeFirstOrThrow();
  const seen = await look(unpaid);
  expect(seen.booking).toMatchObject({ status: 'released', leftCents: 0 });
  expect(ofKind(seen.history, 'released')).toMatchObject([{ message: expect.any(String) }]);
});
