import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

test("lists only the customer's own bookings, newest first, paged without gaps [BOOK-1a, ROLE-2]", async () => {
  const customer = await club.join();
  const other = await club.join();
  const booked: string[] = [];
  for (let count = 0; count < 5; count++) {
    const slotId = await club.publish();
    booked.unshift((await club.book(customer, slotId)).body.bookingId);
    if (count === 0) await club.book(other, slotId);
  }
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await app.call(customer, bookingsApi.listMine, { limit: 2, ...(cursor && { cursor }) });
    expect(page.body.bookings.length).toBeLessThanOrEqual(2);
    seen.push(...page.body.bookings.map(({ bookingId }) => bookingId));
    cursor = page.body.nextCursor;
  } while (cursor);
  expect(seen).toEqual(booked);
  const bad = await app.call(customer, bookingsApi.listMine, { cursor: "x' or 1=1" });
  expect([bad.status, Object.keys(bad.error!.fields ?? {})]).toEqual([422, ['cursor']]);
  const foreign = await app.call(other, bookingsApi.getMine, { bookingId: booked[0]! });
  expect(foreign.status).toBe(404);
});

test('pages upcoming lessons soonest first and past lessons latest first [BOOK-1a]', async () => {
  const customer = await club.join();
  // Keys are start times in hours from now, deliberately out of order.
  const lessons = new Map<number, string>();
  for (const inHours of [30, -50, 20, -20, 40, -30]) {
    const slotId = await club.publish();
    lessons.set(inHours, (await club.book(customer, slotId)).body.bookingId);
    await club.putAt(slotId, inHours * 60);
  }
  const read = async (view: 'upcoming' | 'past') => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const input = { view, limit: 2, ...(cursor && { cursor }) };
      const { body } = await app.call(customer, bookingsApi.listMine, input);
      expect(body.bookings.length).toBeLessThanOrEqual(2);
      seen.push(...body.bookings.map(({ bookingId }) => bookingId));
      cursor = body.nextCursor;
    } while (cursor);
    return seen;
  };
  expect(await read('upcoming')).toEqual([20, 30, 40].map((inHours) => lessons.get(inHours)));
  expect(await read('past')).toEqual([-20, -30, -50].map((inHours) => lessons.get(inHours)));
  const all = (await app.call(customer, bookingsApi.listMine, {})).body.bookings;
  expect(all.map(({ bookingId }) => bookingId)).toEqual([...lessons.values()].reverse());
});

test('lists a booking as pending during authentication, and hides it after its release', async () => {
  const waiting = await club.join(testCards.asksAlways);
  const { body } = await club.book(waiting, await club.publish());
  const list = async () => (await app.call(waiting, bookingsApi.listMine, {})).body.bookings;
  expect((await list()).map(({ status }) => status)).toEqual(['pending']);
  await app.call(waiting, bookingsApi.release, { bookingId: body.bookingId });
  expect(await list()).toEqual([]);
});

test('counts booked lessons, upcoming lessons and completed minutes [DASH-2b, DASH-4]', async () => {
  const customer = await club.join();
  for (let count = 0; count < 4; count++) await club.book(customer, await club.publish());
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  await club.putAt(bookings[0]!.slotId, -90);
  const stats = await app.call(customer, bookingsApi.getMyStats, {});
  expect(stats.body).toMatchObject({ lessonsBooked: 4, upcoming: 3, totalMinutes: 60 });
  // A 45-minute lesson adds 45 minutes to the total, and a cancelled booking no longer counts.
  await club.putAt(bookings[1]!.slotId, -300, 45);
  // A lesson whose attendance is marked still counts.
  const attended = { bookingId: bookings[1]!.bookingId, attended: true };
  expect((await app.call(club.coach, lessonsApi.markAttendance, attended)).body.status).toBe('attended');
  const { bookingId } = bookings[2]!;
  const cancelled = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  expect(cancelled.status).toBe(200);
  const later = await app.call(customer, bookingsApi.getMyStats, {});
  expect(later.body).toMatchObject({ lessonsBooked: 3, upcoming: 1, totalMinutes: 105 });
  expect(stats.body.recent.map(({ bookingId }) => bookingId)).toEqual(
    bookings.slice(0, 3).map(({ bookingId }) => bookingId),
  );
  const nobody = await app.call(await club.join(null), bookingsApi.getMyStats, {});
  expect(nobody.body).toMatchObject({ lessonsBooked: 0, upcoming: 0, totalMinutes: 0, recent: [] });
});

test("lists a lesson's attendees only for its coach [LES-2a, LES-3, ROLE-2]", async () => {
  const slotId = await club.publish();
  const [first, second] = [await club.join(), await club.join()];
  await club.book(first, slotId);
  await club.book(second, slotId);
  const answer = await app.call(club.coach, lessonsApi.listAttendees, { slotId });
  expect(answer.body.attendees).toMatchObject([
    {
      ...{ email: first.email, status: 'booked', amountCents: 5000, attended: null },
      ...{ fullName: expect.stringMatching(/^Person \d+$/), bookedAt: expect.any(String) },
    },
    { email: second.email, status: 'booked', amountCents: 5000, attended: null },
  ]);
  expect(answer.body.attendees.map(({ bookedAt }) => bookedAt)).toEqual(
    (await club.readBookings(slotId)).map(({ bookedAt }) => bookedAt),
  );
  const empty = await app.call(club.coach, lessonsApi.listAttendees, { slotId: await club.publish() });
  expect(empty.body.attendees).toEqual([]);
  const other = await app.call(await app.signIn('coach'), lessonsApi.listAttendees, { slotId });
  expect([other.status, other.error!.message]).toEqual([404, 'Lesson not found.']);
  const customer = await app.call(first, lessonsApi.listAttendees, { slotId });
  expect(customer.status).toBe(403);
});
