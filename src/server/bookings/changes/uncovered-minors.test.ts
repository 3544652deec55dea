import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { Nation } from '#domain/catalogue/nations.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import {
  beforeTests,
  eventually,
  isAwaitingLock,
  setUpTestApp,
  untilLockIsAwaited,
} from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { addDocument, askOfCoaches, dayIn } from '#server/verification/verification.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
beforeTests(async () => {
  // A missing check doesn't hide the coach. Otherwise, a location in Scotland would hide them, and nobody could book.
  const check = { askedOf: 'under_18s', effect: 'badge' } as const;
  await askOfCoaches(app, { ...defaultVerificationPolicy, criminal_record_check: check });
  await addDocument(app, club.coach.userId);
  for (const kind of ['safeguarding', 'criminal_record_check'] as const) {
    await addDocument(app, club.coach.userId, { kind, endsOn: dayIn(30) });
  }
  return {};
});

const addLocation = async (nation: Nation) => {
  const input = { name: 'Pitch', city: 'Berwick', nation };
  return (await app.call(club.coach, catalogueApi.createLocation, input)).body.location;
};
/** Publishes a lesson in 20 days, at its own location in England. */
async function publish() {
  const location = await addLocation('england');
  const slotId = await club.publish();
  await club.putOn(slotId, Date.parse(`${dayIn(20)}T${10 + (published++ % 10)}:00:00Z`), 15);
  await app.db
    .updateTable('lessonSlots')
    .set({ locationId: location.locationId })
    .where('slotId', '=', slotId)
    .execute();
  return { slotId, location };
}
let published = 0;
/** Returns a function that books this lesson for the child of a new customer. */
async function withChild(slotId: string, card: string = testCards.good) {
  const parent = await club.join(card);
  const participantId = await family.addReadyChild(parent);
  return () => app.call(parent, bookingsApi.book, { slotId, participantId, baseAmountCents: 5000 });
}
async function bookChild(slotId: string) {
  await (await withChild(slotId))();
  await eventually(async () => (await club.readBookings(slotId)).some(({ status }) => status === 'booked'));
}
let moves = 0;
const move = (slotId: string, day: number) =>
  app.call(club.coach, lessonsApi.moveSlot, { slotId, date: dayIn(day), hour: 9, minute: 5 * moves++ });
async function edit(slotId: string, locationId: string | null) {
  const { priceCents, maxCapacity } = await club.readSlot(slotId);
  const input = { slotId, locationId, priceCents, minCapacity: 2, maxCapacity };
  return app.call(club.coach, lessonsApi.editSlot, input);
}

test("refuses to move a child's lesson to a day that the coach's checks don't cover [VERIFY-11a]", async () => {
  const { slotId } = await publish();
  expect((await move(slotId, 31)).status).toBe(200);
  expect((await move(slotId, 20)).status).toBe(200);
  await bookChild(slotId);
  const before = await club.readSlot(slotId);
  const refused = await move(slotId, 31);
  expect([refused.status, refused.error?.code]).toEqual([409, 'conflict']);
  expect(refused.error!.fields).toEqual({
    date: "Someone under 18 has a place in this lesson, and your checks and documents don't cover that day. Choose another date, or cancel this lesson, which refunds everyone.",
  });
  expect((await club.readSlot(slotId)).startTime).toBe(before.startTime);
  expect((await club.readBookings(slotId))[0]!.movedFrom).toBeNull();
  expect((await move(slotId, 30)).status).toBe(200);
});

test("moves a child's lesson if the coach's checks already didn't cover it [VERIFY-11a]", async () => {
  const { slotId } = await publish();
  await bookChild(slotId);
  await club.putOn(slotId, Date.parse(`${dayIn(40)}T15:00:00Z`));
  expect((await move(slotId, 41)).status).toBe(200);
});

test("moves an adult's lesson to a day that the coach's checks don't cover [VERIFY-11a]", async () => {
  const { slotId } = await publish();
  await club.bookUntilDecided(await club.join(), slotId);
  expect((await move(slotId, 31)).status).toBe(200);
});

test("refuses to relocate a child's lesson to a nation that the checks don't cover [VERIFY-11a]", async () => {
  const { slotId, location } = await publish();
  const [scottish, welsh] = [await addLocation('scotland'), await addLocation('wales')];
  expect((await edit(slotId, scottish.locationId)).status).toBe(200);
  expect((await edit(slotId, location.locationId)).status).toBe(200);
  await bookChild(slotId);
  const refused = await edit(slotId, scottish.locationId);
  expect([refused.status, refused.error?.code]).toEqual([409, 'conflict']);
  expect(refused.error!.fields).toEqual({
    locationId:
      "Someone under 18 has a place in this lesson, and your checks and documents don't cover it at that location. Choose another location.",
  });
  expect((await club.readSlot(slotId)).locationId).toBe(location.locationId);
  expect((await edit(slotId, welsh.locationId)).status).toBe(200);
});

test("refuses to relocate a lesson to an uncovered nation if a child's seat is held [VERIFY-11a]", async () => {
  const { slotId } = await publish();
  const scottish = await addLocation('scotland');
  const book = await withChild(slotId, testCards.asksAlways);
  expect((await book()).body.outcome).toBe('requiresAction');
  expect((await edit(slotId, scottish.locationId)).error?.fields).toHaveProperty('locationId');
});

test("refuses a location's new nation if the checks don't cover a child's lesson there [VERIFY-11a]", async () => {
  const { slotId, location } = await publish();
  const update = (nation: Nation | null, name = 'Pitch') =>
    app.call(club.coach, catalogueApi.updateLocation, { ...location, nation, name });
  await club.bookUntilDecided(await club.join(), slotId);
  for (const nation of ['scotland', 'england'] as const) expect((await update(nation)).status).toBe(200);
  await bookChild(slotId);
  for (const nation of ['scotland', null] as const) {
    const refused = await update(nation);
    expect([refused.status, refused.error?.code]).toEqual([409, 'conflict']);
    expect(refused.error!.fields).toEqual({
      nation:
        "Someone under 18 has a place in a lesson at this location, and your checks and documents don't cover that nation. Keep the nation, or add another location.",
    });
  }
  expect((await update('wales', 'Field')).body.location).toMatchObject({ name: 'Field', nation: 'wales' });
});

test("refuses to book a child if the location's nation changes during the booking [VERIFY-11a]", async () => {
  const { slotId, location } = await publish();
  const book = await withChild(slotId);
  const { userId } = club.coach;
  const answers = await app.db.transaction().execute(async (tx) => {
    await sql`select from coaches where coach_id = ${userId}::uuid for no key update`.execute(tx);
    const change = app.call(club.coach, catalogueApi.updateLocation, { ...location, nation: 'scotland' });
    await untilLockIsAwaited(app.db);
    const booking = book();
    await untilLockIsAwaited(app.db, 2);
    return { change, booking };
  });
  expect((await answers.change).status).toBe(200);
  expect((await answers.booking).error?.code).toBe('age_range');
  expect(await club.readBookings(slotId)).toEqual([]);
});

test("refuses an admin's move if the coach's checks end during it [VERIFY-11]", async () => {
  const [{ slotId }, { slotId: later }] = [await publish(), await publish()];
  await bookChild(slotId);
  const { bookingId } = (await club.readBookings(slotId))[0]!;
  await club.putOn(later, Date.parse(`${dayIn(25)}T15:00:00Z`), 15);
  const admin = await app.signIn('admin');
  const moveBooking = () => app.call(admin, deskApi.move, { bookingId, slotId: later });
  const endTraining = (day: number) =>
    sql`update coach_documents set valid_until = ${dayIn(day)}::date
      where coach_id = ${club.coach.userId}::uuid and kind = 'safeguarding'`.execute(app.db);
  const moving = await app.db.transaction().execute(async (tx) => {
    // Rows of lessons can be locked, but not changed: the move has read the checks, and waits to take the seat.
    await sql`lock table lesson_slots in share mode`.execute(tx);
    const answer = moveBooking();
    const waiting = sql`
      select from pg_stat_activity where ${sql.raw(isAwaitingLock)} and query like '%booked_count - 1%'`;
    await eventually(async () => (await waiting.execute(app.db)).rows.length > 0);
    await endTraining(24);
    return { answer };
  });
  expect((await moving.answer).error).toMatchObject({
    ...{ code: 'conflict', message: 'That date has just changed. Please check it again.' },
  });
  expect((await club.readSlot(later)).bookedCount).toBe(0);
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await endTraining(30);
  expect((await moveBooking()).status).toBe(200);
});
