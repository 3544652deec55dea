import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi, type Location } from '#domain/catalogue/contract.ts';
import type { LessonTemplate, TemplateInput } from '#domain/catalogue/template.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  setUpTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

const sold: TemplateInput = {
  title: 'Tennis basics',
  description: 'Forehand and serve.',
  sport: 'tennis',
  durationMinutes: 60,
  basePriceCents: 5000,
  lessonType: 'group',
  minCapacity: 2,
  maxCapacity: 20,
};
const court = { name: 'Old Court', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };

/** Publishes a lesson with its own template and location. */
async function publish(slot: Parameters<Club['publish']>[0] = {}) {
  const { template } = (await app.call(club.coach, catalogueApi.createTemplate, sold)).body;
  const { location } = (await app.call(club.coach, catalogueApi.createLocation, court)).body;
  const slotId = await club.publish(slot);
  const { templateId } = template;
  const of = { templateId, locationId: location.locationId };
  await app.db.updateTable('lessonSlots').set(of).where('slotId', '=', slotId).execute();
  return { slotId, template, location };
}
const change = ({ templateId }: LessonTemplate, changes: Partial<TemplateInput>) =>
  app.call(club.coach, catalogueApi.updateTemplate, { ...sold, ...changes, templateId });
const read = async (who: Someone, bookingId: string) =>
  (await app.call(who, bookingsApi.getMine, { bookingId })).body.booking;
const emailsAbout = async (who: Someone, subject: string) =>
  (await app.emailsTo(who.email)).filter((message) => message.subject.startsWith(subject));
const firstEmail = (who: Someone, subject: string) =>
  eventually(async () => (await emailsAbout(who, subject))[0]);

test('shows the original lesson details in the receipt, list, emails and export [TPL-5b]', async () => {
  const { slotId, template, location } = await publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const asSold = await read(customer, bookingId);
  expect(asSold).toMatchObject({
    ...{ title: sold.title, description: sold.description, sport: 'tennis', changedTo: null },
    ...{ coachName: expect.stringMatching(/^Person \d+$/), location, relocatedFrom: null },
  });
  const stored = app.db.selectFrom('bookings').select('location').where('bookingId', '=', bookingId);
  expect(await stored.executeTakeFirst()).toEqual({ location });
  await change(template, { title: 'Knitting', description: 'Wool.', sport: 'other' });
  const coach = app.db.updateTable('profiles').set({ fullName: 'Another Name' });
  await coach.where('userId', '=', club.coach.userId).execute();
  const renamed: Location = { ...location, name: 'Renamed Court' };
  await app.call(club.coach, catalogueApi.updateLocation, renamed);
  const { templateId } = template;
  expect((await app.call(club.coach, catalogueApi.deleteTemplate, { templateId })).status).toBe(200);
  await eventually(async () => (await emailsAbout(customer, 'Changed')).length > 0);
  const { attendees } = (await app.call(club.coach, lessonsApi.listAttendees, { slotId })).body;
  expect(attendees).toMatchObject([
    { bookingId, email: customer.email, status: 'booked', amountCents: 5000 },
  ]);
  const { changedTo: _, ...others } = asSold;
  // The link leads to the coach's current address.
  const kept = { ...others, coachAddress: 'another-name' };
  expect(await read(customer, bookingId)).toMatchObject(kept);
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  expect(bookings).toMatchObject([kept]);
  const { records } = (await app.call(customer, ownAccountApi.getOwnData, ownProof)).body;
  expect(records.find(({ table }) => table === 'bookings')?.rows).toMatchObject([
    {
      ...{ title: sold.title, description: sold.description, sport: 'tennis', coachName: asSold.coachName },
      location: { name: 'Old Court', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' },
      changedTo: { title: 'Knitting', description: 'Wool.', sport: 'other' },
    },
  ]);
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const cancelled = await firstEmail(customer, 'Cancelled: Tennis basics');
  expect(cancelled.text).toContain(`Tennis basics with ${asSold.coachName}`);
  const forged = app.db.updateTable('bookings').set({ title: 'Forged' }).where('bookingId', '=', bookingId);
  await expect(forged.execute()).rejects.toThrow('a sold lesson cannot be changed');
});

test('emails old and new lesson details, and lets the customer cancel free of charge [BOOK-3c]', async () => {
  const { slotId, template } = await publish();
  const [before, after] = [await club.join(), await club.join()];
  const { bookingId } = (await club.book(before, slotId)).body;
  // A new price or length does not affect existing bookings.
  await change(template, { basePriceCents: 6000, durationMinutes: 90 });
  await change(template, { title: 'Match play', sport: 'badminton' });
  const message = await firstEmail(before, 'Changed: Tennis basics');
  expect(message.text).toContain('New title: Match play\nOld title: Tennis basics');
  expect(message.text).toContain('New sport: Badminton\nOld sport: Tennis');
  expect(message.text).not.toContain('description');
  expect(message.text).toContain('you can cancel until the lesson starts and get your £50.00 back');
  expect((await read(before, bookingId)).changedTo).toMatchObject({
    title: 'Match play',
    sport: 'badminton',
  });
  // A change back to the original details is emailed as well. Cancelling stays free, because an earlier email promised
  // a full refund.
  await change(template, {});
  await eventually(async () => (await emailsAbout(before, 'Changed')).length === 2);
  const later = (await club.book(after, slotId)).body.bookingId;
  await club.putAt(slotId, 300);
  expect((await read(after, later)).changedTo).toBeNull();
  const cancel = (who: Someone, id: string) =>
    app.call(who, bookingsApi.cancel, { bookingId: id, expectedRefundCents: 5000 });
  expect((await cancel(after, later)).error!.details).toEqual({ refundCents: 0 });
  expect((await cancel(before, bookingId)).body.booking.refund!.amountCents).toBe(5000);
});

test('says in the receipt that cancelling a lesson in eight hours refunds nothing', async () => {
  const slotId = await club.publish({ startsInHours: 8 });
  const customer = await club.join();
  await club.book(customer, slotId);
  const message = await firstEmail(customer, 'Booked');
  expect(message.text).toContain(
    'This lesson starts in less than 24 hours, so nothing is refunded if you cancel.',
  );
});

test("keeps a booking's lesson details when the template changes after the start", async () => {
  const { slotId, template } = await publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  await club.putAt(slotId, -30);
  await change(template, { title: 'Knitting' });
  await eventually(async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'bookings.template-changed'`.execute(app.db);
    return rows.length === 0;
  });
  expect((await read(customer, bookingId)).changedTo).toBeNull();
  expect(await emailsAbout(customer, 'Changed')).toEqual([]);
});

async function holdSeat(customer: Someone, slotId: string) {
  const held = (await club.book(customer, slotId)).body;
  if (held.outcome !== 'requiresAction') throw new Error(held.outcome);
  return held;
}
async function pay(customer: Someone, held: Awaited<ReturnType<typeof holdSeat>>) {
  await club.authenticate(held.clientSecret, 'succeeded');
  await eventually(async () => {
    const { body } = await app.call(customer, bookingsApi.settle, { bookingId: held.bookingId });
    return body.outcome === 'booked';
  });
}

test('emails the changes made during 3-D Secure when the seat has been paid for', async () => {
  const { slotId, template, location } = await publish();
  const [payer, neighbour] = [await club.join(testCards.asksAlways), await club.join()];
  await club.bookUntilDecided(neighbour, slotId);
  const held = await holdSeat(payer, slotId);
  await change(template, { title: 'Knitting' });
  await app.call(club.coach, catalogueApi.updateLocation, { ...location, address: '1 Harbour Street' });
  // Once the neighbour has been emailed, the jobs for both changes are done.
  await firstEmail(neighbour, 'Changed: Tennis basics');
  await firstEmail(neighbour, 'New location: Tennis basics');
  await pay(payer, held);
  const moved = await firstEmail(payer, 'New location: Tennis basics');
  expect(moved.text).toContain('Old location: Old Court, 14 Park Road, Leeds, LS6 3AA');
  const changed = await firstEmail(payer, 'Changed: Tennis basics');
  expect(changed.text).toContain('Old title: Tennis basics');
  expect(await read(payer, held.bookingId)).toMatchObject({
    changedTo: { title: 'Knitting' },
    relocatedFrom: { location },
  });
});

test("emails a change whose job ran before the seat's hold was committed", async () => {
  const { slotId, template, location } = await publish();
  const customer = await club.join(testCards.asksAlways);
  const held = await holdSeat(customer, slotId);
  // Simulates a coach's change whose job ran just before the hold was committed.
  const { templateId } = template;
  await app.db
    .updateTable('lessonTemplates')
    .set({ title: 'Knitting' })
    .where('templateId', '=', templateId)
    .execute();
  const moved = { address: '1 Harbour Street', city: 'Dover' };
  const { locationId } = location;
  await app.db.updateTable('locations').set(moved).where('locationId', '=', locationId).execute();
  await pay(customer, held);
  await eventually(async () => (await emailsAbout(customer, 'Changed: Tennis basics')).length === 1);
  await eventually(async () => (await emailsAbout(customer, 'New location: Tennis basics')).length === 1);
  const booked = await firstEmail(customer, 'Booked: Tennis basics');
  expect(booked.text).toContain('Changed by the coach to: Knitting (Tennis)');
  expect(booked.text).toContain('Old Court, 1 Harbour Street, Dover, LS6 3AA');
  expect(await read(customer, held.bookingId)).toMatchObject({
    changedTo: { title: 'Knitting' },
    location: { city: 'Dover' },
    relocatedFrom: { location },
  });
});
