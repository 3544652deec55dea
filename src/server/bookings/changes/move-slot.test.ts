import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { formatLessonTime, type WallTime, wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

/**
 * The London local time this many days and hours from now, plus five minutes so that it is still in the future after a
 * slow call.
 */
const inDays = (days: number, hours = 0): WallTime =>
  wallTimeOf((Math.ceil(Date.now() / 60_000) + 5) * 60_000 + days * 86_400_000 + hours * 3_600_000);
const move = (slotId: string, to: WallTime & { durationMinutes?: number }, coach: Someone = club.coach) =>
  app.call(coach, lessonsApi.moveSlot, { slotId, ...to });
const emailsAbout = async ({ email }: Someone, subject: string) =>
  (await app.emailsTo(email)).filter((received) => received.subject.startsWith(subject));

test('moves bookings, emails the old and new time, and refunds in full until the start [SLOT-9b]', async () => {
  const slotId = await club.publish({ startsInHours: 5 });
  const [staying, leaving] = [await club.join(), await club.join()];
  await club.book(staying, slotId);
  const { bookingId } = (await club.book(leaving, slotId)).body;
  const before = await club.readSlot(slotId);

  const { body, error } = await move(slotId, { ...inDays(30), durationMinutes: 90 });
  expect(error?.message).toBeUndefined();
  expect(Date.parse(body.slot.endTime) - Date.parse(body.slot.startTime)).toBe(90 * 60_000);
  expect(body.slot).toMatchObject({ bookedCount: 2, status: 'scheduled' });
  // After a second move, the booking still shows the original time, while the email names the time that the customer
  // was last notified of.
  const again = (await move(slotId, inDays(31))).body.slot;
  const mine = await app.call(leaving, bookingsApi.getMine, { bookingId });
  expect(mine.body.booking).toMatchObject({
    status: 'booked',
    startTime: again.startTime,
    endTime: again.endTime,
    movedFrom: { startTime: before.startTime, endTime: before.endTime },
  });
  const received = await eventually(async () =>
    (await emailsAbout(leaving, 'New time: Tennis basics')).find(({ text }) =>
      text.includes(
        `New time: ${formatLessonTime(again.startTime, again.endTime, Date.now())} (London time)`,
      ),
    ),
  );
  expect(received.text).toContain(
    "If it doesn't, you can cancel until the lesson starts and get your £50.00 back.",
  );
  expect(received.text).toMatch(/Old time: \w{3} \d/);
  const notice = await eventually(async () => (await emailsAbout(staying, 'New time: Tennis basics'))[0]);
  expect(notice.text).toContain('you can cancel until the lesson starts and get your £50.00 back.');

  // Five hours before the start, the policy would otherwise refund nothing.
  await club.putAt(slotId, 300);
  const cancelled = await app.call(leaving, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  expect(cancelled.error?.message).toBeUndefined();
  await eventually(async () => (await club.readBookings(slotId)).some(({ status }) => status === 'refunded'));
  expect(await club.netCharges(slotId)).toEqual([5000]);
  // Customers who book now know the new time, so the policy applies to them.
  const late = await club.join();
  const lateId = (await club.book(late, slotId)).body.bookingId;
  const refused = await app.call(late, bookingsApi.cancel, { bookingId: lateId, expectedRefundCents: 5000 });
  expect(refused.error).toMatchObject({ details: { refundCents: 0 } });
});

test('changes and emails nothing when a lesson is moved to the same time [SLOT-9]', async () => {
  const slotId = await club.publish();
  const [customer, gone] = [await club.join(), await club.join()];
  await club.book(customer, slotId);
  const goneId = (await club.book(gone, slotId)).body.bookingId;
  await app.call(gone, bookingsApi.cancel, { bookingId: goneId, expectedRefundCents: 5000 });
  const bought = await club.readSlot(slotId);
  const to = inDays(40);
  expect((await move(slotId, to)).status).toBe(200);
  await eventually(async () => (await emailsAbout(customer, 'New time')).length === 1);
  const answers = await Promise.all([move(slotId, to), move(slotId, to)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const audit = await app.db
    .selectFrom('auditLog')
    .select('action')
    .where('subjectId', '=', slotId)
    .execute();
  expect(audit).toEqual([{ action: 'slot.moved' }]);
  const shown = await app.call(gone, bookingsApi.getMine, { bookingId: goneId });
  expect(shown.body.booking).toMatchObject({ startTime: bought.startTime, movedFrom: null });
  expect(await emailsAbout(gone, 'New time')).toEqual([]);
  expect(await emailsAbout(customer, 'New time')).toHaveLength(1);
});

test('refuses moves onto other lessons, into the past and by other coaches [SLOT-9]', async () => {
  const slotId = await club.publish();
  const other = await club.publish();
  const { startTime, endTime } = await club.readSlot(other);
  const onto = await move(slotId, wallTimeOf(Date.parse(startTime) + 30 * 60_000));
  expect(onto.error).toMatchObject({
    code: 'overlap',
    fields: {
      hour: `This overlaps “Tennis basics” (${formatLessonTime(startTime, endTime, Date.now())}) in your calendar. Choose another time.`,
    },
  });
  const past = await move(slotId, inDays(-1));
  expect(past.status).toBe(422);
  expect(past.error!.fields!.date).toMatch(/has already begun\. Choose a later date or time\.$/);
  expect((await move(slotId, inDays(50), await app.signIn('coach'))).status).toBe(404);
  await club.putAt(slotId, -5);
  expect((await move(slotId, inDays(50))).error!.message).toBe(
    'This lesson has already started, so it can no longer be changed.',
  );
  await app.db.updateTable('lessonSlots').set({ status: 'completed' }).where('slotId', '=', slotId).execute();
});

test('refuses to move a booked lesson earlier at short notice or to shorten it [SLOT-9]', async () => {
  const slotId = await club.publish({ startsInHours: 500 });
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const bought = await club.readSlot(slotId);
  const soon = await move(slotId, { ...inDays(0), durationMinutes: 15 });
  expect(soon.status).toBe(409);
  expect(soon.error!.fields!.date).toContain("needs at least 24 hours' notice of an earlier start.");
  expect((await move(slotId, inDays(0, 23))).status).toBe(409);
  const shorter = await move(slotId, { ...inDays(130), durationMinutes: 15 });
  expect(shorter.error!.fields!.durationMinutes).toContain('Someone has booked this as a 60-minute lesson');
  expect(await club.readSlot(slotId)).toEqual(bought);
  // The booked lesson may move earlier with a day's notice, and later without notice.
  expect((await move(slotId, inDays(1, 1))).status).toBe(200);
  await club.putAt(slotId, 60);
  expect((await move(slotId, inDays(0, 2))).status).toBe(200);
  const cancelled = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  expect(cancelled.error?.message).toBeUndefined();
  // Without bookings, no notice is needed.
  expect((await move(slotId, { ...inDays(0, 1), durationMinutes: 15 })).status).toBe(200);
});

test("refuses a move that clashes with customers' other lessons, naming nobody [SLOT-9]", async () => {
  const slotId = await club.publish();
  const elsewhere = await app.signIn('coach');
  const busy = [await club.join(), await club.join()];
  const to = inDays(60);
  const away = await club.publish({ coachId: elsewhere.userId });
  await club.putAt(away, 60 * 24 * 60);
  for (const customer of busy) {
    await club.book(customer, away);
    await club.book(customer, slotId);
  }
  await club.book(await club.join(), slotId);
  const answer = await move(slotId, to);
  expect(answer.status).toBe(409);
  expect(answer.error!.fields!.hour).toBe(
    '2 people who booked have another lesson at that time. Choose another time, or cancel this lesson and publish a new one.',
  );
  expect((await club.readBookings(slotId)).every(({ movedFrom }) => movedFrom === null)).toBe(true);
});

test('refuses to book for a customer who was shown the old time [SLOT-9]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { startTime } = await club.readSlot(slotId);
  const { slot } = (await move(slotId, inDays(70))).body;
  const book = (shown: string) =>
    app.call(customer, bookingsApi.book, { slotId, baseAmountCents: 5000, startTime: shown });
  const refused = await book(startTime);
  expect(refused.status).toBe(409);
  expect(refused.error).toMatchObject({
    code: 'time_changed',
    message: `The coach has moved this lesson to ${formatLessonTime(slot.startTime, slot.endTime, Date.now())} (London time). You have not been charged.`,
    details: { startTime: slot.startTime, endTime: slot.endTime },
  });
  expect((await book(slot.startTime)).body.outcome).toBe('booked');
  const found = await app.call(null, slotsApi.getOpenSlot, { slotId });
  expect(found.body.slot.startTime).toBe(slot.startTime);
});

test('releases holds for the old time, and refunds a charge that arrives late [SLOT-9]', async () => {
  const slotId = await club.publish({ seats: 2 });
  const [paying, asked] = [await club.join(), await club.join(testCards.asksAlways)];
  const challenge = await club.book(asked, slotId);
  if (challenge.body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  const stop = gate.stopNext('POST /v1/payment_intents', 'after');
  const booking = club.book(paying, slotId);
  await stop.arrived;
  const { slot } = (await move(slotId, inDays(80))).body;
  expect(slot.bookedCount).toBe(0);
  stop.pass();
  expect((await booking).error!.message).toContain("We're refunding it in full to your card.");
  const settled = await app.call(asked, bookingsApi.settle, { bookingId: challenge.body.bookingId });
  expect(settled.error!.message).toBe(
    'The coach has just moved this lesson to another time, so we released your place. You have not been charged. Check the new time and book again if it suits you.',
  );
  await eventually(async () => (await club.netCharges(slotId)).length === 0);
  expect((await club.book(paying, slotId)).body.outcome).toBe('booked');
});

test("keeps bookings at their lesson's time during simultaneous moves and bookings [SLOT-9, PAY-5]", async () => {
  const slotId = await club.publish({ seats: 12 });
  const customers = await Promise.all(Array.from({ length: 12 }, () => club.join()));
  const moves = (async () => {
    for (let day = 90; day < 98; day += 1) expect((await move(slotId, inDays(day))).status).toBe(200);
  })();
  const race = customers.map(async (customer, index) => {
    const { status, body } = await club.bookUntilDecided(customer, slotId);
    if (status === 200 && index % 3 === 0) {
      const { bookingId } = body;
      await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
    }
  });
  await Promise.all([moves, ...race]);
  await eventually(async () =>
    (await club.readBookings(slotId)).every(
      ({ status, refundStatus }) => status !== 'pending' && refundStatus !== 'pending',
    ),
  );
  const { startTime, bookedCount } = await club.readSlot(slotId);
  const kept = (await club.readBookings(slotId)).filter(({ isActive }) => isActive);
  expect(kept).toHaveLength(bookedCount);
  for (const { customerUserId, bookingId } of kept) {
    const customer = customers.find(({ userId }) => userId === customerUserId)!;
    const { body } = await app.call(customer, bookingsApi.getMine, { bookingId });
    expect(body.booking.startTime).toBe(startTime);
  }
});

test('never gives a customer overlapping lessons when a move and a booking coincide [SLOT-9]', async () => {
  const slotId = await club.publish();
  const other = await app.signIn('coach');
  const customer = await club.join();
  await club.book(customer, slotId);
  for (let round = 0; round < 4; round += 1) {
    const days = 110 + round;
    const elsewhere = await club.publish({ coachId: other.userId });
    await club.putAt(elsewhere, days * 24 * 60);
    const [moved, booked] = await Promise.all([move(slotId, inDays(days)), club.book(customer, elsewhere)]);
    // The later of the two requests was refused.
    expect([moved.status, booked.status].sort()).toEqual([200, 409]);
  }
});
