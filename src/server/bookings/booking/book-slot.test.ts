import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

/**
 * Formats an instant in London time. `dayOf` and `clockOf` below return days and times as emails show them:
 * "Sat 21 Nov" (with the year unless it is the current year) and "09:00".
 */
const inLondon = (at: string | number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options }).format(new Date(at));
const yearOf = (at: string | number) => inLondon(at, { year: 'numeric' });
const dayOf = (at: string | number) =>
  inLondon(at, {
    ...{ weekday: 'short', day: 'numeric', month: 'short' },
    ...(yearOf(at) !== yearOf(Date.now()) && { year: 'numeric' }),
  }).replaceAll(',', '');
const clockOf = (at: string | number) => inLondon(at, { hour: '2-digit', minute: '2-digit' });

test('takes one seat, charges the saved card once and records the fee [PAY-3, PAY-5, ADM-7]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const answer = await club.book(customer, slotId);
  expect(answer.error).toBeUndefined();
  expect(answer.body).toMatchObject({ outcome: 'booked' });
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
  const { bookingId } = answer.body;
  expect(await club.readLedger(bookingId)).toEqual([
    { kind: 'charged', amountCents: 5000 },
    { kind: 'fee', amountCents: 100 },
  ]);
});

test('emails a receipt with the amount, card, London time and cancellation terms [PAY-6a]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { body } = await club.book(customer, slotId);
  const [received] = await eventually(async () => {
    const emails = await app.emailsTo(customer.email);
    return emails.length > 0 ? emails : null;
  });
  const { startTime, endTime } = await club.readSlot(slotId);
  const lessonTime = `${dayOf(startTime)}, ${clockOf(startTime)}–${clockOf(endTime)}`;
  const deadline = Date.parse(startTime) - 24 * 3_600_000;
  expect(received!.subject).toBe(`Booked: Tennis basics, ${lessonTime}`);
  expect(received!.text).toContain('Paid: £50.00 with Visa ending 4242');
  expect(received!.text).toContain(`\n${lessonTime} (London time)\n`);
  expect(received!.text).toContain(
    `Cancel by ${dayOf(deadline)}, ${clockOf(deadline)} for a full refund of £50.00. After that, nothing is refunded.`,
  );
  const receipt = await app.call(customer, bookingsApi.getMine, { bookingId: body.bookingId });
  expect(receipt.body.booking).toMatchObject({
    status: 'booked',
    amountCents: 5000,
    title: 'Tennis basics',
    card: { brand: 'visa', lastFour: '4242' },
    refund: null,
  });
});

test('refuses an outdated price, states the current price and charges nothing [PAY-3]', async () => {
  const slotId = await club.publish({ priceCents: 5500 });
  const customer = await club.join();
  for (const amountCents of [5000, 5499, 5501, 6000]) {
    const answer = await club.book(customer, slotId, amountCents);
    expect(answer.status, `${amountCents} pence`).toBe(409);
    expect(answer.error).toMatchObject({ code: 'price_changed', details: { priceCents: 5500 } });
    expect(answer.error!.message).toBe('The price of this lesson is now £55.00. You have not been charged.');
  }
  expect(await club.readBookings(slotId)).toEqual([]);
  expect(await club.netCharges(slotId)).toEqual([]);
});

test("explains why past, cancelled and unknown lessons, and one's own, can't be booked", async () => {
  const customer = await club.join();
  const past = await club.publish({ startsInHours: -2 });
  const cancelled = await club.publish();
  await app.db
    .updateTable('lessonSlots')
    .set({ status: 'cancelled' })
    .where('slotId', '=', cancelled)
    .execute();
  const own = await club.publish();
  await club.saveCard(club.coach, testCards.good);
  const answers = [
    await club.book(customer, past),
    await club.book(customer, cancelled),
    await club.book(club.coach, own),
    await club.book(customer, randomUUID()),
  ];
  expect(answers.map(({ status, error }) => [status, error!.code, error!.message])).toEqual([
    [409, 'slot_unavailable', 'This lesson has already started. You have not been charged.'],
    [409, 'slot_unavailable', 'The coach has cancelled this lesson. You have not been charged.'],
    [409, 'conflict', "This is your own lesson, so you can't book it."],
    [404, 'not_found', 'Lesson not found.'],
  ]);
  for (const slotId of [past, cancelled, own]) expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('refuses bookings with a former coach', async () => {
  const gone = await app.signIn('coach');
  const slotId = await club.publish({ coachId: gone.userId });
  await app.db.updateTable('coaches').set({ isActive: false }).where('coachId', '=', gone.userId).execute();
  const answer = await club.book(await club.join(), slotId);
  expect([answer.status, answer.error!.code, answer.error!.message]).toEqual([
    409,
    'slot_unavailable',
    "This coach isn't taking bookings at the moment. You have not been charged.",
  ]);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('refuses customers without a card and signed-out visitors', async () => {
  const slotId = await club.publish();
  const without = await club.book(await club.join(null), slotId);
  expect([without.status, without.error!.code]).toEqual([409, 'no_card']);
  const signedOut = await club.book(null, slotId);
  expect([signedOut.status, signedOut.error!.code]).toEqual([401, 'unauthenticated']);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('books a free lesson without a card or a charge', async () => {
  const slotId = await club.publish({ priceCents: 0 });
  const customer = await club.join(null);
  const answer = await club.book(customer, slotId, 0);
  expect(answer.body).toMatchObject({ outcome: 'booked' });
  expect(await club.netCharges(slotId)).toEqual([]);
});

test('reports that a lesson is full and that nothing was charged', async () => {
  const slotId = await club.publish({ seats: 1 });
  await club.book(await club.join(), slotId);
  const late = await club.book(await club.join(), slotId);
  expect([late.status, late.error!.code, late.error!.message]).toEqual([
    409,
    'slot_full',
    'Sorry, the last place has just gone. You have not been charged.',
  ]);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('refuses a lesson that overlaps a booked lesson, and names the booked lesson', async () => {
  const otherCoach = await app.signIn('coach');
  const first = await club.publish({ startsInHours: 500 });
  const second = await club.publish({ startsInHours: 500.5, coachId: otherCoach.userId });
  const customer = await club.join();
  await club.book(customer, first);
  const answer = await club.book(customer, second);
  expect([answer.status, answer.error!.code]).toEqual([409, 'overlap']);
  expect(answer.error!.message).toMatch(
    /^You already have “Tennis basics” on .* \(London time\), which is at the same time/,
  );
  expect((await club.readSlot(second)).bookedCount).toBe(0);
});

test('books and charges only one of two overlapping lessons requested simultaneously [PAY-5]', async () => {
  const otherCoach = await app.signIn('coach');
  const first = await club.publish({ startsInHours: 520 });
  const second = await club.publish({ startsInHours: 520.5, coachId: otherCoach.userId });
  const customer = await club.join();
  const answers = await Promise.all([club.book(customer, first), club.book(customer, second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect([...(await club.netCharges(first)), ...(await club.netCharges(second))]).toEqual([5000]);
});

test('books and charges once when a customer sends six requests simultaneously [PAY-5]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const answers = await Promise.all(Array.from({ length: 6 }, () => club.bookUntilDecided(customer, slotId)));
  const bookingIds = answers.map(({ body, error }) => {
    if (!error) expect(body.outcome).toBe('booked');
    else expect(error.code).toBe('already_booked');
    return error ? error.details!.bookingId : body.bookingId;
  });
  expect(new Set(bookingIds).size).toBe(1);
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test.each([
  ['declined', 'pm_card_chargeDeclined', /^Your bank declined the card\. You have not been charged\./],
  ['with insufficient funds', 'pm_card_chargeDeclinedInsufficientFunds', /because of insufficient funds\./],
  ['expired since it was saved', 'pm_card_chargeDeclinedExpiredCard', /^Your card has expired\./],
  ['with a wrong security code', 'pm_card_chargeDeclinedIncorrectCvc', /security code is wrong/],
  ['that is no longer on file', 'pm_gone', /^Your saved card can no longer be used\./],
  ['reported lost', 'pm_card_visa_chargeDeclinedLostCard', /^Your bank declined the card\./],
])('explains a failed payment and releases the seat: card %s', async (_, card, sentence) => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join();
  // Stripe refuses to save this card, so the test stores the card directly, as if it had become invalid after it was
  // saved.
  await app.db
    .updateTable('profiles')
    .set({ stripePaymentMethodId: card })
    .where('userId', '=', customer.userId)
    .execute();
  const answer = await club.book(customer, slotId);
  expect([answer.status, answer.error!.code]).toEqual([402, 'payment_failed']);
  expect(answer.error!.message).toMatch(sentence);
  expect(answer.error!.message).toContain('You have not been charged.');
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);

  await club.saveCard(customer, testCards.good);
  expect((await club.book(customer, slotId)).body.outcome).toBe('booked');
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('confirms the booking after the bank has authenticated the customer [PAY-4]', async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  const again = await club.book(customer, slotId);
  expect(again.body).toEqual(body);
  await club.authenticate(body.clientSecret, 'succeeded');
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: body.bookingId });
  expect(settled.body).toEqual({ outcome: 'booked', bookingId: body.bookingId });
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('releases the seat after a failed authentication [PAY-4]', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.authenticate(body.clientSecret, 'failed');
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: body.bookingId });
  expect(settled.error!.message).toBe(
    "Your bank couldn't confirm that it was you. You have not been charged. Please try again.",
  );
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('releases the seat when the hold of an abandoned authentication expires [PAY-4]', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.sweep();
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await app.db
    .updateTable('bookings')
    .set({ holdExpiresAt: new Date().toISOString() })
    .where('bookingId', '=', body.bookingId)
    .execute();
  await club.sweep();
  await eventually(async () => (await club.readSlot(slotId)).bookedCount === 0);
  // Authenticating after the hold has expired must not charge the card.
  await club.authenticate(body.clientSecret, 'succeeded');
  expect(await club.netCharges(slotId)).toEqual([]);
  const settled = await app.call(customer, bookingsApi.settle, { bookingId: body.bookingId });
  expect(settled.error!.message).toBe(
    "You didn't finish paying in time, so we released your place. You have not been charged. Please try again.",
  );
  expect((await club.book(await club.join(), slotId)).body.outcome).toBe('booked');
});

test('releases the seat when a customer cancels before paying, and never charges them [PAY-4]', async () => {
  const slotId = await club.publish({ seats: 1 });
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  const stranger = await club.join(null);
  expect((await app.call(stranger, bookingsApi.release, { bookingId: body.bookingId })).status).toBe(404);
  const released = await app.call(customer, bookingsApi.release, { bookingId: body.bookingId });
  expect(released.status).toBe(200);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  await club.authenticate(body.clientSecret, 'succeeded');
  expect(await club.netCharges(slotId)).toEqual([]);
  expect((await app.call(customer, bookingsApi.release, { bookingId: body.bookingId })).status).toBe(200);
});

test('refuses to release a booking that has just been paid for [PAY-5]', async () => {
  const slotId = await club.publish();
  const customer = await club.join(testCards.asksAlways);
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(`expected a challenge, got ${body.outcome}`);
  await club.authenticate(body.clientSecret, 'succeeded');
  const released = await app.call(customer, bookingsApi.release, { bookingId: body.bookingId });
  expect(released.error!.message).toBe(
    "You've already paid for this booking. If you want to cancel it, go to My Bookings.",
  );
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
});

test('refuses a second booking of a lesson, and returns the id of the first booking [PAY-5]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const first = await club.book(customer, slotId);
  const second = await club.book(customer, slotId);
  expect(second.error).toMatchObject({
    code: 'already_booked',
    details: { bookingId: first.body.bookingId },
  });
});

test('shows the brand and last four digits of a saved card; replaces and removes it [PAY-4]', async () => {
  const customer = await club.join();
  expect((await app.call(customer, paymentsApi.getPaymentMethod, {})).body.card).toMatchObject({
    brand: 'visa',
    lastFour: '4242',
  });
  await club.saveCard(customer, testCards.mastercard);
  expect((await app.call(customer, paymentsApi.getPaymentMethod, {})).body.card).toMatchObject({
    brand: 'mastercard',
    lastFour: '4444',
  });
  const { stripeCustomerId } = await app.db
    .selectFrom('profiles')
    .select('stripeCustomerId')
    .where('userId', '=', customer.userId)
    .executeTakeFirstOrThrow();
  const countSaved = async () =>
    (await app.cards.customers.listPaymentMethods(stripeCustomerId!)).data.length;
  await eventually(async () => (await countSaved()) === 1);
  await app.call(customer, paymentsApi.removePaymentMethod, {});
  expect((await app.call(customer, paymentsApi.getPaymentMethod, {})).body.card).toBeNull();
  await eventually(async () => (await countSaved()) === 0);
});
