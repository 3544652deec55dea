import { afterEach, expect, test } from 'vitest';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { addTemplate } from '#server/test-support/lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

/**
 * The hours used so far. `soon` returns a start, in minutes from now, at which these tests have no other lesson: the
 * coach gives one lesson at a time.
 */
let hours = 0;
const soon = () => {
  hours += 2;
  return 60 * hours;
};
const ago = () => -90 - soon();

async function sell(slot: Parameters<typeof club.publish>[0] = {}) {
  const slotId = await club.publish(slot);
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId, slot.priceCents)).body;
  return { slotId, customer, bookingId };
}

const move = (bookingId: string, slotId: string) => app.call(admin, deskApi.move, { bookingId, slotId });
const refusal = async (bookingId: string, slotId: string) => {
  const { status, error } = await move(bookingId, slotId);
  return [status, error?.code, error?.message];
};
const cancel = (bookingId: string, expectedRefundCents: number, reason = 'The pitch is closed') =>
  app.call(admin, deskApi.cancel, { bookingId, expectedRefundCents, reason });
const mark = (bookingId: string, attended: boolean | null) =>
  app.call(admin, deskApi.markAttendance, { bookingId, attended });
const readBooking = (bookingId: string) =>
  app.db.selectFrom('bookings').selectAll().where('bookingId', '=', bookingId).executeTakeFirstOrThrow();
const emailed = ({ email }: Pick<Someone, 'email'>, subject: string) =>
  eventually(async () => (await app.emailsTo(email)).find((sent) => sent.subject.startsWith(subject)));
const look = async (bookingId: string) => (await app.call(admin, deskApi.get, { bookingId })).body;
const actionsOf = async (bookingId: string) =>
  (await look(bookingId)).history.flatMap((entry) => (entry.kind === 'event' ? [entry.action] : []));

test('moves a booking to another date at the same price, and back [CONNECT-15b]', async () => {
  const { slotId, customer, bookingId } = await sell();
  const dearer = await club.publish({ priceCents: 8000 });
  const { dates } = (await app.call(admin, deskApi.listOtherDates, { bookingId })).body;
  expect(dates.map((date) => date.slotId)).toContain(dearer);
  expect(dates.map((date) => date.slotId)).not.toContain(slotId);
  const { sequence } = await readBooking(bookingId);
  expect((await move(bookingId, dearer)).status).toBe(200);
  expect(await readBooking(bookingId)).toMatchObject({ slotId: dearer, amountCents: 5000, movedFrom: null });
  expect((await readBooking(bookingId)).sequence).toBeGreaterThan(sequence);
  expect([(await club.readSlot(slotId)).bookedCount, (await club.readSlot(dearer)).bookedCount]).toEqual([
    0, 1,
  ]);
  const { booking } = (await app.call(customer, bookingsApi.getMine, { bookingId })).body;
  expect(booking).toMatchObject({ slotId: dearer, movedFrom: null });
  const sent = await emailed(customer, 'New date: Tennis basics');
  expect(sent!.text).toContain('The price stays the same.');
  await emailed(club.coach, 'Booking moved by an admin');
  expect((await move(bookingId, slotId)).status).toBe(200);
  expect(await actionsOf(bookingId)).toEqual(['booking.moved', 'booking.moved']);
});

test('refuses dates that are full, over, cancelled or of another lesson [CONNECT-15b]', async () => {
  const { slotId, customer, bookingId } = await sell();
  expect(await refusal(bookingId, slotId)).toEqual([
    409,
    'conflict',
    'This booking is already on that date.',
  ]);
  const full = await sell({ seats: 1 });
  expect(await refusal(bookingId, full.slotId)).toEqual([409, 'slot_full', 'That date is full.']);
  const past = await club.publish();
  await club.putAt(past, ago());
  const noLonger = [409, 'slot_unavailable', 'That date can no longer be booked.'];
  expect(await refusal(bookingId, past)).toEqual(noLonger);
  const gone = await club.publish();
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId: gone, reason: '' });
  expect(await refusal(bookingId, gone)).toEqual(noLonger);
  const other = await club.publish();
  const templateId = await addTemplate(app.db, club.coach.userId);
  await app.db.updateTable('lessonSlots').set({ templateId }).where('slotId', '=', other).execute();
  expect((await refusal(bookingId, other))[2]).toBe(
    'A booking can only move to another date of the same lesson.',
  );
  const theirs = await club.publish();
  await club.book(customer, theirs);
  expect(await refusal(bookingId, theirs)).toEqual([
    409,
    'already_booked',
    'This person already has a place on that date.',
  ]);
  expect((await refusal(bookingId, crypto.randomUUID())).slice(0, 2)).toEqual([404, 'not_found']);
  expect((await refusal(crypto.randomUUID(), slotId))[2]).toBe('Booking not found.');
});

test('refuses to move a booking whose lesson has started or that is in a payrun [CONNECT-15b]', async () => {
  const { slotId, bookingId } = await sell();
  const free = await club.publish();
  await club.putAt(slotId, ago());
  expect((await refusal(bookingId, free))[2]).toMatch(/^This lesson has already started/);
  await club.putAt(slotId, soon());
  await app.db.updateTable('bookings').set({ isInPayrun: true }).where('bookingId', '=', bookingId).execute();
  expect((await refusal(bookingId, free))[2]).toMatch(/^This booking is in a payrun/);
  await app.db
    .updateTable('bookings')
    .set({ isInPayrun: false })
    .where('bookingId', '=', bookingId)
    .execute();
});

test('gives the last seat to only one of ten bookings moved simultaneously [CONNECT-15b]', async () => {
  const sold = [];
  const slotId = await club.publish({ seats: 12 });
  for (let index = 0; index < 10; index += 1) {
    const customer = await club.join();
    sold.push((await club.book(customer, slotId)).body.bookingId);
  }
  const last = await club.publish({ seats: 1 });
  const moved = await Promise.all(sold.map((bookingId) => move(bookingId, last)));
  expect(moved.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect([(await club.readSlot(slotId)).bookedCount, (await club.readSlot(last)).bookedCount]).toEqual([
    9, 1,
  ]);
});

test('cancels a booking under its terms, and emails the reason [CONNECT-15a]', async () => {
  const { slotId, customer, bookingId } = await sell();
  expect((await look(bookingId)).booking.cancelRefundCents).toBe(5000);
  const wrong = await cancel(bookingId, 100);
  expect([wrong.status, wrong.error?.details]).toEqual([409, { refundCents: 5000 }]);
  expect((await cancel(bookingId, 5000)).status).toBe(200);
  expect(await readBooking(bookingId)).toMatchObject({ cancelledBy: 'platform', refundedCents: 5000 });
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  const sent = await emailed(customer, 'Cancelled: Tennis basics');
  expect(sent!.text).toContain("We've cancelled your booking.");
  expect(sent!.text).toContain('The pitch is closed');
  await emailed(club.coach, 'Booking cancelled by an admin');
  const [event] = (await look(bookingId)).history.filter((entry) => entry.kind === 'event');
  expect(event).toMatchObject({ action: 'booking.cancelled', reason: 'The pitch is closed' });
  expect((await cancel(bookingId, 0)).error?.message).toBe('This booking is already cancelled.');
  const late = await sell({ startsInHours: soon() / 60 });
  expect((await look(late.bookingId)).booking.cancelRefundCents).toBe(0);
  expect((await cancel(late.bookingId, 0)).status).toBe(200);
  expect(await readBooking(late.bookingId)).toMatchObject({ status: 'cancelled', refundedCents: 0 });
  const started = await sell();
  await club.putAt(started.slotId, ago());
  expect((await cancel(started.bookingId, 0)).error?.message).toMatch(/^This lesson has already started/);
  expect((await cancel(crypto.randomUUID(), 0)).status).toBe(404);
});

test('rebooks a late cancellation on the same or another date [CONNECT-15c]', async () => {
  const { slotId, customer, bookingId } = await sell({ startsInHours: soon() / 60, seats: 1 });
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
  // A cancellation that is undone before its email is composed sends none.
  await emailed(customer, 'Cancelled:');
  const { dates } = (await app.call(admin, deskApi.listOtherDates, { bookingId })).body;
  expect(dates).toContainEqual(expect.objectContaining({ slotId, seatsLeft: 1 }));
  expect((await move(bookingId, slotId)).status).toBe(200);
  expect(await readBooking(bookingId)).toMatchObject({
    status: 'booked',
    cancelledBy: null,
    cancelledAt: null,
  });
  const sent = await emailed(customer, 'Booked again: Tennis basics');
  expect(sent!.text).toContain("You don't need to pay again.");
  const coachEmail = await emailed(club.coach, 'Booked again by an admin');
  expect(coachEmail.text).toContain('An admin has booked it again.');
  expect(await actionsOf(bookingId)).toEqual(['booking.rebooked', 'booking.cancelled']);
  // A second cancellation sends the same notification as the first.
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
  await eventually(
    async () =>
      (await app.emailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Cancelled:'))
        .length === 2,
  );
  const later = await club.publish();
  expect((await move(bookingId, later)).status).toBe(200);
  expect(await club.netCharges(later)).toEqual([5000]);
});

test('refuses to rebook a booking that was refunded in full or whose seat is taken [CONNECT-15c]', async () => {
  const refunded = await sell();
  await app.call(refunded.customer, bookingsApi.cancel, {
    ...{ bookingId: refunded.bookingId, expectedRefundCents: 5000 },
  });
  expect((await refusal(refunded.bookingId, refunded.slotId))[2]).toBe(
    'This booking was refunded in full. Only the customer can book and pay again.',
  );
  const { slotId, customer, bookingId } = await sell({ startsInHours: soon() / 60, seats: 1 });
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
  await club.book(await club.join(), slotId);
  expect((await refusal(bookingId, slotId))[1]).toBe('slot_full');
});

test('refuses to rebook a participant whose details have been deleted', async () => {
  const family = openFamily(app);
  const slotId = await club.publish({ startsInHours: soon() / 60 });
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent);
  const { bookingId } = (await family.bookFor(parent, slotId, participantId)).body;
  await app.call(parent, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
  expect((await app.call(parent, participantDataApi.delete, { participantId })).status).toBe(200);
  expect(await refusal(bookingId, slotId)).toEqual([
    ...[409, 'conflict', "This person's details have been deleted, so they can't take part."],
  ]);
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  // The refusal names the deleted details rather than the full date, because no other date would help.
  const full = await sell({ seats: 1 });
  expect((await refusal(bookingId, full.slotId))[2]).toMatch(/^This person's details have been deleted/);
});

test('marks a no-show once the lesson has started, and removes the mark [CONNECT-15d]', async () => {
  const { slotId, bookingId } = await sell();
  const early = await mark(bookingId, false);
  expect([early.status, early.error?.message]).toEqual([
    409,
    'You can record attendance once the lesson has started.',
  ]);
  await club.putAt(slotId, ago());
  for (const attended of [false, null]) {
    expect((await mark(bookingId, attended)).status).toBe(200);
    expect((await readBooking(bookingId)).attended).toBe(attended);
  }
  // Repeating a mark changes nothing.
  await mark(bookingId, null);
  expect(await actionsOf(bookingId)).toEqual(['attendance.marked', 'attendance.marked']);
  await emailed(club.coach, 'Attendance changed by an admin');
  expect((await mark(crypto.randomUUID(), false)).status).toBe(404);
});
