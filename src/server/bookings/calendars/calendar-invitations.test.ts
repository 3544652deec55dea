import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { Message } from '#domain/message.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { addInvitation } from '#server/bookings/calendars/add-invitation.ts';
import { expectFolded, readCalendar } from '#server/bookings/calendars/read-calendar.test-support.ts';
import { readBookingMessageData } from '#server/bookings/queries.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp({ env: { MAIL_FROM: 'Riverside Sports <no-reply@club.example>' } });
const club = beforeTests(() => openClub(app));

/** Waits for the nth email with this subject (`count`); returns its only event, or null if it has no calendar file. */
async function readInvitation(customer: Someone, subject: RegExp, count = 1) {
  const email = await eventually(async () => {
    const emails = await app.emailsTo(customer.email);
    return emails.filter((one) => subject.test(one.subject))[count - 1];
  });
  if (!email.calendar) return null;
  const { method, content } = email.calendar;
  expectFolded(content);
  const [event, ...others] = readCalendar(content);
  expect(others).toEqual([]);
  expect(event!.method).toBe(method);
  return { ...event!, content };
}

async function book(customer: Someone, slotId: string): Promise<string> {
  const { status, body } = await club.bookUntilDecided(customer, slotId);
  expect(status).toBe(200);
  return body.bookingId;
}

let days = 30;
/** Moves a lesson to noon on a day on which the coach has no other lesson; returns its new start. */
async function move(slotId: string): Promise<string> {
  days += 1;
  const date = addDays(wallTimeOf(Date.now()).date, days);
  const input = { slotId, date, hour: 12, minute: 0 };
  const { status, body } = await app.call(club.coach, lessonsApi.moveSlot, input);
  expect(status).toBe(200);
  return body.slot.startTime;
}

const cancel = async (customer: Someone, bookingId: string) =>
  expect(
    (await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 })).status,
  ).toBe(200);

test('keeps the UID and raises SEQUENCE on two moves and a cancellation [NOTE-9a, NOTE-9b, NOTE-10a]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  const bookingId = await book(customer, slotId);
  const invitation = await readInvitation(customer, /^Booked/);
  const { startTime } = await club.readSlot(slotId);
  expect(invitation).toMatchObject({
    ...{ uid: bookingId, method: 'REQUEST', status: 'CONFIRMED', sequence: 0, summary: 'Tennis basics' },
    ...{ organizer: 'no-reply@club.example', attendees: [`${customer.email} FALSE ACCEPTED`] },
    start: new Date(Math.floor(Date.parse(startTime) / 1000) * 1000).toISOString().replace('.000Z', 'Z'),
  });
  const starts = [];
  for (const count of [1, 2]) {
    starts.push(await move(slotId));
    const update = await readInvitation(customer, /^New time/, count);
    expect(update).toMatchObject({
      uid: bookingId,
      method: 'REQUEST',
      sequence: count,
      start: starts.at(-1),
    });
  }
  await cancel(customer, bookingId);
  expect(await readInvitation(customer, /^Cancelled/)).toMatchObject({
    ...{ uid: bookingId, method: 'CANCEL', status: 'CANCELLED', sequence: 3, start: starts.at(-1) },
    attendees: [`${customer.email} FALSE ACCEPTED`],
  });
});

test('sends the final time with the highest SEQUENCE when a lesson moves twice [NOTE-9b]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  const bookingId = await book(customer, slotId);
  await readInvitation(customer, /^Booked/);
  await move(slotId);
  const last = await move(slotId);
  const update = await eventually(async () => {
    const emails = (await app.emailsTo(customer.email)).filter(({ subject }) => /^New time/.test(subject));
    return emails.find(({ calendar }) => calendar && readCalendar(calendar.content)[0]!.start === last);
  });
  expect(readCalendar(update.calendar!.content)[0]).toMatchObject({ uid: bookingId, sequence: 2 });
  // If a message about the first move was sent between the two moves, its SEQUENCE is lower.
  for (const { subject, calendar } of await app.emailsTo(customer.email)) {
    if (!/^New time/.test(subject)) continue;
    const [event] = readCalendar(calendar!.content);
    expect(event!.sequence).toBe(event!.start === last ? 2 : 1);
  }
});

test('updates the event with a new location or title, and cancels it with the lesson [NOTE-9b, NOTE-10b]', async () => {
  const customer = await club.join();
  const [slotId, bystander] = [await club.publish(), await club.publish()];
  const bookingId = await book(customer, slotId);
  await book(await club.join(), bystander);
  await readInvitation(customer, /^Booked/);
  const { body: made } = await app.call(club.coach, catalogueApi.createLocation, {
    ...{ name: 'Court 3', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' },
  });
  const edit = {
    slotId,
    locationId: made.location.locationId,
    priceCents: 5000,
    minCapacity: 2,
    maxCapacity: 4,
  };
  expect((await app.call(club.coach, lessonsApi.editSlot, edit)).status).toBe(200);
  expect(await readInvitation(customer, /^New location/)).toMatchObject({
    ...{ uid: bookingId, method: 'REQUEST', sequence: 1 },
    location: 'Court 3, 14 Park Road, Leeds, LS6 3AA',
  });
  const { body: known } = await app.call(club.coach, catalogueApi.listTemplates, {});
  const { templateId, ...template } = known.templates[0]!;
  await app.call(club.coach, catalogueApi.updateTemplate, {
    ...template,
    templateId,
    title: 'Tennis, part two',
  });
  expect(await readInvitation(customer, /^Changed/)).toMatchObject({
    ...{ uid: bookingId, method: 'REQUEST', sequence: 2, summary: 'Tennis, part two' },
  });
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId, reason: 'Rain' });
  expect(await readInvitation(customer, /^Cancelled/)).toMatchObject({
    ...{ uid: bookingId, method: 'CANCEL', status: 'CANCELLED', sequence: 3 },
  });
});

test('raises SEQUENCE for moves and new locations, not for bookings; never lowers it [NOTE-10b]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  const bookingId = await book(customer, slotId);
  await move(slotId);
  const read = async () => {
    const [booking] = await club.readBookings(slotId);
    return [booking!.sequence, (await club.readSlot(slotId)).sequence];
  };
  expect(await read()).toEqual([1, 1]);
  const { body: made } = await app.call(club.coach, catalogueApi.createLocation, {
    ...{ name: 'Court 4', address: '41 Park Road', city: 'Leeds', postcode: 'LS6 3AA' },
  });
  const { locationId } = made.location;
  const edit = { slotId, locationId, priceCents: 5000, minCapacity: 2, maxCapacity: 4 };
  expect((await app.call(club.coach, lessonsApi.editSlot, edit)).status).toBe(200);
  // A job copies the new location to the bookings.
  await eventually(async () => (await read())[0] === 2);
  expect(await read()).toEqual([2, 2]);
  for (const [table, key, id] of [
    ['bookings', 'booking_id', bookingId],
    ['lesson_slots', 'slot_id', slotId],
  ] as const) {
    const lower = sql`update ${sql.table(table)} set sequence = 0 where ${sql.ref(key)} = ${id}::uuid`;
    await expect(lower.execute(app.db)).rejects.toThrow('the sequence of a calendar event only rises');
  }
  // Another customer's booking and cancellation change no event, except the number of seats in a coach's feed.
  const other = await club.join();
  const booked = await book(other, slotId);
  expect((await club.readSlot(slotId)).bookedCount).toBe(2);
  expect(await read()).toEqual([2, 2]);
  await cancel(other, booked);
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  expect(await read()).toEqual([2, 2]);
  // An attendance mark changes no event either.
  await club.putAt(slotId, -30);
  const before = await read();
  await app.call(club.coach, lessonsApi.markAttendance, { bookingId, attended: true });
  expect(await read()).toEqual(before);
});

test('sends no invitation to someone whose feed has been read in the last 7 days [NOTE-12c]', async () => {
  const customer = await club.join();
  const [before, after] = [await club.publish(), await club.publish()];
  const invited = await book(customer, before);
  expect(await readInvitation(customer, /^Booked/)).not.toBeNull();
  const { body } = await app.call(customer, calendarApi.createFeed, { scope: 'customer' });
  expect((await fetch(body.address)).status).toBe(200);
  const uninvited = await book(customer, after);
  expect(await readInvitation(customer, /^Booked/, 2)).toBeNull();
  await move(after);
  expect(await readInvitation(customer, /^New time/)).toBeNull();
  await cancel(customer, uninvited);
  expect(await readInvitation(customer, /^Cancelled/)).toBeNull();
  // An event emailed before the feed existed must still be updated.
  await move(before);
  expect(await readInvitation(customer, /^New time/, 2)).toMatchObject({ uid: invited, method: 'REQUEST' });
  await cancel(customer, invited);
  expect(await readInvitation(customer, /^Cancelled/, 2)).toMatchObject({ uid: invited, method: 'CANCEL' });

  const readDaysAgo = (count: number) =>
    app.db
      .updateTable('calendarFeeds')
      .set({ readAt: new Date(Date.now() - count * 24 * 3_600_000).toISOString() })
      .where('userId', '=', customer.userId)
      .execute();
  await readDaysAgo(6);
  await book(customer, await club.publish());
  expect(await readInvitation(customer, /^Booked/, 3)).toBeNull();
  await readDaysAgo(8);
  const again = await book(customer, await club.publish());
  expect(await readInvitation(customer, /^Booked/, 4)).toMatchObject({ uid: again });
});

test('adds no invitation to an email whose booking has been cancelled in the meantime [NOTE-9b]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  const bookingId = await book(customer, slotId);
  await readInvitation(customer, /^Booked/);
  // Simulates a cancellation whose job runs between the two steps of the booking's job.
  const invited = app.db.updateTable('bookings').set({ isInvited: false });
  await invited.where('bookingId', '=', bookingId).execute();
  const notice = (await readBookingMessageData(app.db, bookingId))!;
  await cancel(customer, bookingId);
  expect(await readInvitation(customer, /^Cancelled/)).toBeNull();
  const { calendar } = await addInvitation<Message>(app, notice, { subject: 'Late', body: [] });
  expect(calendar).toBeUndefined();
});

test('renews the calendar file of a delayed email, and drops an outdated email [NOTE-9b]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  const bookingId = await book(customer, slotId);
  await readInvitation(customer, /^Booked/);
  await move(slotId);
  const stale = (await readInvitation(customer, /^New time/))!;
  const start = await move(slotId);
  await readInvitation(customer, /^New time/, 2);
  const notifications = await app.db
    .selectFrom('notifications')
    .select(['notificationId', 'kind'])
    .where('userId', '=', customer.userId)
    .orderBy('createdAt')
    .execute();
  expect(notifications.map(({ kind }) => kind)).toEqual(['booked', 'lesson_moved', 'lesson_moved']);
  // Simulates a mail server that did not respond: the deliveries wait with the file of the first move.
  const message = { body: [], calendar: { method: 'REQUEST' as const, content: stale.content } };
  const subjects = ['Late booking', 'Late first move', 'Late second move'];
  for (const [index, { notificationId }] of notifications.entries()) {
    await sql`
      insert into deliveries (notification_id, channel) values (${notificationId}::uuid, 'email')
      on conflict (notification_id, channel) do update set status = 'queued', ended_at = null`.execute(
      app.db,
    );
    const queued = { ...message, subject: subjects[index]! };
    await enqueue(app.db, 'notifications.deliver', { notificationId, channel: 'email', message: queued });
  }
  for (const subject of [/^Late booking/, /^Late second/]) {
    expect(await readInvitation(customer, subject)).toMatchObject({ uid: bookingId, sequence: 2, start });
  }
  const [, first] = notifications;
  await eventually(async () => {
    const delivery = app.db.selectFrom('deliveries').select(['status', 'reason']);
    const found = await delivery.where('notificationId', '=', first!.notificationId).executeTakeFirst();
    return found?.status === 'skipped' && found.reason === 'no_longer_true';
  });
});
