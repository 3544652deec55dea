import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi, type Location } from '#domain/catalogue/contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import {
  beforeTests,
  eventually,
  setUpTestApp,
  untilLockIsAwaited,
} from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

type Edit = Pick<CoachSlot, 'priceCents' | 'minCapacity' | 'maxCapacity'> & { locationId: string | null };
const usual: Edit = { locationId: null, priceCents: 5000, minCapacity: 2, maxCapacity: 4 };
const edit = (slotId: string, change: Partial<Edit>, coach = club.coach) =>
  app.call(coach, lessonsApi.editSlot, { slotId, ...usual, ...change });
async function addLocation(name: string, coach = club.coach): Promise<Location> {
  const venue = { name, address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
  return (await app.call(coach, catalogueApi.createLocation, venue)).body.location;
}

test('applies a new price only to new bookings, and refuses the old price [SLOT-9a]', async () => {
  const slotId = await club.publish();
  const [first, second] = [await club.join(), await club.join()];
  const { bookingId } = (await club.book(first, slotId)).body;
  expect((await edit(slotId, { priceCents: 1234 })).body.slot.priceCents).toBe(1234);
  const refused = await club.book(second, slotId);
  expect(refused.error).toMatchObject({ code: 'price_changed', details: { priceCents: 1234 } });
  expect((await club.book(second, slotId, 1234)).body.outcome).toBe('booked');
  const kept = await app.call(first, bookingsApi.getMine, { bookingId });
  expect(kept.body.booking.amountCents).toBe(5000);
  // Discover lists the lesson at a price that its template never had, in both sort orders.
  for (const sort of ['price_low', 'price_high'] as const) {
    const { body } = await app.call(null, discoverApi.discoverSlots, { coachId: club.coach.userId, sort });
    expect(body.slots.find((slot) => slot.slotId === slotId)?.priceCents).toBe(1234);
  }
  const cancelled = await app.call(club.coach, lessonsApi.cancelSlot, { slotId });
  expect(cancelled.body).toMatchObject({ people: 2, refundCents: 6234 });
});

test('removes former prices that no lesson has, and refuses a 201st price', async () => {
  const readTemplate = (slotId: string) =>
    app.db
      .selectFrom('lessonSlots')
      .innerJoin('lessonTemplates', 'lessonTemplates.templateId', 'lessonSlots.templateId')
      .selectAll('lessonTemplates')
      .where('slotId', '=', slotId)
      .executeTakeFirstOrThrow();
  const slotId = await club.publish();
  for (const priceCents of [1300, 1400, 1500]) await edit(slotId, { priceCents });
  expect((await readTemplate(slotId)).formerPricesCents).not.toContain(1300);
  const { templateId } = await readTemplate(slotId);
  const change = (basePriceCents: number) =>
    app.call(club.coach, catalogueApi.updateTemplate, {
      ...{ templateId, title: 'Tennis basics', sport: 'tennis', durationMinutes: 60, basePriceCents },
      ...{ lessonType: 'group', minCapacity: 2, maxCapacity: 20 },
    });
  for (const basePriceCents of [6000, 7000, 8000, 5000])
    expect((await change(basePriceCents)).status).toBe(200);
  const kept = (await readTemplate(slotId)).formerPricesCents;
  expect(kept).toContain(1500);
  expect(kept).not.toContain(6000);
  // A template that has reached its limit of 200 different prices refuses a new price.
  const [first] = await Promise.all([club.publish(), club.publish()]);
  await sql`
    insert into lesson_slots (template_id, coach_id, start_time, end_time, lesson_type, min_capacity, max_capacity, price_cents)
    select template_id, coach_id, start_time + (365 + day) * interval '24 hours', end_time + (365 + day) * interval '24 hours',
      lesson_type, min_capacity, max_capacity, 20000 + day
    from lesson_slots, generate_series(1, 200) day where slot_id = ${first}::uuid`.execute(app.db);
  const refused = await edit(first, { priceCents: 999 });
  expect(refused.status).toBe(422);
  expect(refused.error!.fields!.priceCents).toContain('at 200 different prices');
  expect((await change(9000)).error!.fields).toHaveProperty('basePriceCents');
  await sql`delete from lesson_slots where price_cents > 20000`.execute(app.db);
});

test("reduces a group's capacity to the number of seats taken, but no further [SLOT-9a]", async () => {
  const slotId = await club.publish();
  for (const customer of [await club.join(), await club.join()]) await club.book(customer, slotId);
  const { body } = await edit(slotId, { maxCapacity: 2 });
  expect(body.slot).toMatchObject({ maxCapacity: 2, bookedCount: 2 });
  expect((await club.book(await club.join(), slotId)).error!.code).toBe('slot_full');
  await edit(slotId, { maxCapacity: 3 });
  expect((await club.book(await club.join(), slotId)).body.outcome).toBe('booked');
  const refused = await edit(slotId, { maxCapacity: 2 });
  expect([refused.status, refused.error!.fields]).toEqual([
    422,
    { maxCapacity: "3 places are already taken, so the group can't be smaller than that." },
  ]);
  expect((await edit(slotId, { maxCapacity: 21 })).error!.fields).toHaveProperty('maxCapacity');
  const single = await club.publish({ seats: 1 });
  expect((await edit(single, { minCapacity: 1, maxCapacity: 2 })).error!.fields).toEqual({
    maxCapacity: 'An individual lesson has one place.',
  });
  expect((await edit(single, { minCapacity: 1, maxCapacity: 1 })).status).toBe(200);
});

test('never oversells a group whose capacity is reduced during a booking [SLOT-9]', async () => {
  const slotId = await club.publish({ seats: 4 });
  for (const customer of [await club.join(), await club.join()]) await club.book(customer, slotId);
  const third = await club.join();
  const [edited, booked] = await Promise.all([edit(slotId, { maxCapacity: 2 }), club.book(third, slotId)]);
  expect([edited.status === 200, booked.status === 200].filter(Boolean)).toHaveLength(1);
});

test('emails a customer once about a new location, and names the old location [SLOT-9]', async () => {
  const [old, next] = [await addLocation('Old Court'), await addLocation('New Court')];
  const slotId = await club.publish();
  await edit(slotId, { locationId: old.locationId });
  const customer = await club.join();
  await club.book(customer, slotId);
  expect((await edit(slotId, { locationId: next.locationId })).body.slot.location).toEqual(next);
  await edit(slotId, { locationId: next.locationId, priceCents: 6000 });
  const emails = () =>
    app
      .emailsTo(customer.email)
      .then((all) => all.filter(({ subject }) => subject.startsWith('New location')));
  await eventually(async () => (await emails()).length > 0);
  const [received] = await emails();
  expect(received!.text).toContain('New location: New Court, 14 Park Road, Leeds, LS6 3AA');
  expect(received!.text).toContain('Old location: Old Court, 14 Park Road, Leeds, LS6 3AA');
  expect(await emails()).toHaveLength(1);
  // A deleted location stays on its lessons but can't be chosen again.
  await app.call(club.coach, catalogueApi.deleteLocation, { locationId: next.locationId });
  expect((await edit(slotId, { locationId: next.locationId })).status).toBe(200);
  expect((await edit(await club.publish(), { locationId: next.locationId })).status).toBe(404);
  const foreign = await addLocation('Elsewhere', await app.signIn('coach'));
  expect((await edit(slotId, { locationId: foreign.locationId })).status).toBe(404);
});

test('shows both locations to people who booked earlier, and refunds them in full', async () => {
  const [old, next] = [await addLocation('Old Court'), await addLocation('New Court')];
  const slotId = await club.publish({ startsInHours: 30 });
  await edit(slotId, { locationId: old.locationId });
  const [before, after] = [await club.join(), await club.join()];
  const { bookingId } = (await club.book(before, slotId)).body;
  await edit(slotId, { locationId: next.locationId });
  const later = (await club.book(after, slotId)).body.bookingId;
  // Five hours before the start, the policy would otherwise refund nothing.
  await club.putAt(slotId, 300);
  const read = async (who: Someone, id: string) =>
    (await app.call(who, bookingsApi.getMine, { bookingId: id })).body.booking;
  expect(await read(before, bookingId)).toMatchObject({ relocatedFrom: { location: old }, location: next });
  expect((await read(after, later)).relocatedFrom).toBeNull();
  const received = await eventually(async () =>
    (await app.emailsTo(before.email)).find(({ subject }) => subject.startsWith('New location')),
  );
  expect(received.text).toContain('you can cancel until the lesson starts and get your £50.00 back');
  const cancel = (who: Someone, id: string, expectedRefundCents: number) =>
    app.call(who, bookingsApi.cancel, { bookingId: id, expectedRefundCents });
  expect((await cancel(after, later, 5000)).error!.details).toEqual({ refundCents: 0 });
  expect((await cancel(before, bookingId, 5000)).body.booking.refund!.amountCents).toBe(5000);
});

test('treats a new address as a new location, but not a new name or spelling', async () => {
  const venue = await addLocation('Hall');
  const slotId = await club.publish();
  await edit(slotId, { locationId: venue.locationId });
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  const read = async () => (await app.call(customer, bookingsApi.getMine, { bookingId })).body.booking;
  const change = (changes: Partial<Location>) =>
    app.call(club.coach, catalogueApi.updateLocation, { ...venue, ...changes });
  await change({ name: 'The Hall', address: '14, Park road' });
  await edit(slotId, { locationId: venue.locationId, priceCents: 5500 });
  await change({ name: 'The Hall', address: '1 Harbour Street', city: 'Dover', postcode: 'CT16 1LA' });
  const received = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('New location')),
  );
  expect(received.text).toContain('New location: The Hall, 1 Harbour Street, Dover, CT16 1LA');
  expect(received.text).toContain('Old location: Hall, 14 Park Road, Leeds, LS6 3AA');
  expect((await read()).relocatedFrom).toEqual({ location: venue });
  // Customers who book now have seen the new address.
  const second = await club.join();
  const seen = (await club.book(second, slotId, 5500)).body.bookingId;
  const shown = await app.call(second, bookingsApi.getMine, { bookingId: seen });
  expect(shown.body.booking.relocatedFrom).toBeNull();
});

test('refuses to book for a customer who was shown the old location [SLOT-9]', async () => {
  const [old, next] = [await addLocation('Old Court'), await addLocation('New Court')];
  const slotId = await club.publish();
  const customer = await club.join();
  const book = (location?: Location | null) =>
    app.call(customer, bookingsApi.book, { slotId, baseAmountCents: 5000, location });
  const refusalOf = async (shown: Location | null) => (await book(shown)).error;
  await edit(slotId, { locationId: old.locationId });
  expect(await refusalOf(null)).toMatchObject({ code: 'location_changed' });
  await edit(slotId, { locationId: next.locationId });
  expect(await refusalOf(old)).toEqual(
    expect.objectContaining({
      code: 'location_changed',
      message:
        'The coach has changed the location of this lesson. New location: New Court, 14 Park Road, Leeds, LS6 3AA. You have not been charged.',
      details: { location: next },
    }),
  );
  // A lesson has a new location if the address changes, but not if only the name changes.
  const moved = { ...next, address: '1 Harbour Street', city: 'Dover', postcode: 'CT16 1LA' };
  await app.call(club.coach, catalogueApi.updateLocation, moved);
  expect(await refusalOf(next)).toMatchObject({ code: 'location_changed', details: { location: moved } });
  await edit(slotId, { locationId: null });
  expect((await refusalOf(moved))!.message).toContain('New location: To be agreed with the coach.');
  await edit(slotId, { locationId: moved.locationId });
  await app.call(club.coach, catalogueApi.updateLocation, { ...moved, name: 'Harbour Court' });
  expect(await club.readBookings(slotId)).toEqual([]);
  expect((await book(moved)).body.outcome).toBe('booked');
});

test('refuses to book if the location changes just before the seat is taken [SLOT-9]', async () => {
  const [old, next] = [await addLocation('Old Court'), await addLocation('New Court')];
  const slotId = await club.publish();
  await edit(slotId, { locationId: old.locationId });
  const customer = await club.join();
  const input = { slotId, baseAmountCents: 5000, location: old };
  const booking = await app.db.transaction().execute(async (tx) => {
    const change = tx.updateTable('lessonSlots').set({ locationId: next.locationId });
    await change.where('slotId', '=', slotId).execute();
    const answer = app.call(customer, bookingsApi.book, input);
    await untilLockIsAwaited(app.db);
    return { answer };
  });
  expect((await booking.answer).error).toMatchObject({
    code: 'location_changed',
    details: { location: next },
  });
  expect(await club.readBookings(slotId)).toEqual([]);
});

test('completes a lesson that has started, but refuses to edit it [SLOT-9a, SLOT-9c]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const complete = () => app.call(club.coach, lessonsApi.completeSlot, { slotId });
  expect((await complete()).error!.message).toBe('You can mark a lesson as completed once it has started.');
  await club.putAt(slotId, -20);
  expect((await edit(slotId, {})).error!.message).toBe(
    'This lesson has already started, so it can no longer be changed.',
  );
  expect((await complete()).body.slot.status).toBe('completed');
  expect((await complete()).status).toBe(200);
  const marked = await app.call(club.coach, lessonsApi.markAttendance, { bookingId, attended: true });
  expect(marked.body.status).toBe('attended');
  const cancelled = await app.call(club.coach, lessonsApi.cancelSlot, { slotId });
  expect(cancelled.error!.message).toBe('This lesson is over, so it can no longer be cancelled.');
  const audit = await app.db
    .selectFrom('auditLog')
    .select('action')
    .where('subjectId', '=', slotId)
    .execute();
  expect(audit).toEqual([{ action: 'slot.completed' }]);
});
