import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

let started = 0;
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

/** Books a lesson and moves its start into the past, an hour earlier on each call. */
async function bookStarted() {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  started += 1;
  await club.putAt(slotId, -60 * started, 58);
  return { slotId, customer, bookingId };
}

const mark = (who: Someone, bookingId: string, attended: boolean | null) =>
  app.call(who, lessonsApi.markAttendance, { bookingId, attended });

test('marks customers as attended or absent once a lesson starts, and removes marks [LES-4]', async () => {
  const { slotId, customer, bookingId } = await bookStarted();
  const shown = async () => {
    const { body } = await app.call(club.coach, lessonsApi.listAttendees, { slotId });
    const [{ status, attended }] = body.attendees as [(typeof body.attendees)[number]];
    return { status, attended };
  };
  for (const [attended, status] of [
    [true, 'attended'],
    [true, 'attended'],
    [false, 'booked'],
    [true, 'attended'],
    [null, 'booked'],
  ] as const) {
    const answer = await mark(club.coach, bookingId, attended);
    expect([answer.status, answer.body]).toEqual([200, { status, attended }]);
    expect(await shown()).toEqual({ status, attended });
    expect((await club.readSlot(slotId)).bookedCount).toBe(1);
    const own = await app.call(customer, bookingsApi.getMine, { bookingId });
    expect(own.body.booking.status).toBe(status);
  }
  const audit = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId', 'before', 'after'])
    .where('subjectId', '=', bookingId)
    .orderBy('auditId')
    .execute();
  const marks = [null, true, false, true, null];
  expect(audit, 'each change once').toEqual(
    marks.slice(1).map((attended, index) => ({
      action: 'attendance.marked',
      actorUserId: club.coach.userId,
      before: { attended: marks[index] },
      after: { attended },
    })),
  );
});

test('refuses attendance marks before the start, on cancelled bookings and by others [LES-4]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const early = await mark(club.coach, bookingId, true);
  expect([early.status, early.error!.message]).toEqual([
    409,
    'You can record attendance once the lesson has started.',
  ]);
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const gone = await mark(club.coach, bookingId, false);
  expect([gone.status, gone.error!.message]).toEqual([
    409,
    "This booking was cancelled, so you can't record attendance.",
  ]);

  const running = await bookStarted();
  const stranger = await mark(await app.signIn('coach'), running.bookingId, true);
  expect([stranger.status, stranger.error!.message]).toEqual([404, 'Booking not found.']);
  expect((await mark(running.customer, running.bookingId, true)).status).toBe(403);
  expect((await club.readBookings(running.slotId))[0]).toMatchObject({ status: 'booked', attended: null });
});

test('keeps the status and attendance mark consistent after ten simultaneous requests [LES-4]', async () => {
  const { slotId, bookingId } = await bookStarted();
  const taps = await Promise.all(
    [true, false, null, true, false, null, true, false, true, false].map((attended) =>
      mark(club.coach, bookingId, attended),
    ),
  );
  expect(taps.map(({ status }) => status)).toEqual(taps.map(() => 200));
  const [booking] = await club.readBookings(slotId);
  expect(booking!.status === 'attended').toBe(booking!.attended === true);
});
