import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { recurringJobs } from '#domain/jobs.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { personalDataJobs } from '#server/account/jobs.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const listOf = async (who: Someone) =>
  (await app.call(who, notificationsApi.listNotifications, {})).body.notifications;
const kindsOf = async (who: Someone) => (await listOf(who)).map(({ kind }) => kind);
const untilKinds = (who: Someone, count: number) =>
  eventually(async () => {
    const kinds = await kindsOf(who);
    return kinds.length >= count ? kinds : null;
  });

test('notifies customers and coaches of bookings and changes, in the app and by email [NOTE-1a]', async () => {
  const coach = await app.signIn('coach');
  const [slotId, other] = [
    await club.publish({ coachId: coach.userId }),
    await club.publish({ coachId: coach.userId }),
  ];
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await club.bookUntilDecided(customer, other);
  await untilKinds(customer, 2);
  const to = wallTimeOf((Math.ceil(Date.now() / 60_000) + 5) * 60_000 + 60 * 86_400_000);
  await app.call(coach, lessonsApi.moveSlot, { slotId, ...to });
  await untilKinds(customer, 3);
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  await untilKinds(customer, 4);
  await app.call(coach, lessonsApi.cancelSlot, { slotId: other, reason: '' });
  expect(await untilKinds(customer, 5)).toEqual([
    ...['lesson_cancelled', 'lesson_cancelled', 'lesson_moved', 'booked', 'booked'],
  ]);
  const [cancelled] = await listOf(customer);
  expect(cancelled!.summary).toMatch(
    /has cancelled this lesson\. We're refunding £50\.00 to Visa ending 4242\./,
  );
  expect(await kindsOf(coach)).toEqual(['customer_cancelled', 'new_booking', 'new_booking']);
  const [gone, ...bookings] = await listOf(coach);
  for (const made of bookings) expect(made.title).toMatch(/^Person \d+ booked Tennis basics, /);
  expect(gone).toMatchObject({
    title: expect.stringMatching(/^Person \d+ cancelled Tennis basics, /),
    path: `/coach/lesson/${slotId}`,
  });
  const emails = await eventually(async () => {
    const received = await app.emailsTo(customer.email);
    return received.length >= 5 ? received : null;
  });
  expect(emails.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
    ...['Booked', 'Booked', 'Cancelled', 'Cancelled', 'New time'],
  ]);
  // By default, a coach is emailed about cancellations but not about new bookings.
  const toCoach = await eventually(async () => {
    const received = await app.emailsTo(coach.email);
    return received.length > 0 ? received : null;
  });
  expect(toCoach.map(({ subject }) => subject)).toEqual([gone!.title]);
  const choice = { kind: 'new_booking', channel: 'email', isOn: true } as const;
  expect((await app.call(coach, notificationsApi.savePreference, choice)).error).toBeUndefined();
  await club.bookUntilDecided(await club.join(), await club.publish({ coachId: coach.userId }));
  await eventually(async () =>
    (await app.emailsTo(coach.email)).some(({ subject }) => / booked Tennis basics, /.test(subject)),
  );
});

test('notifies nobody twice if a job is repeated or a button is pressed twice [NOTE-1d, NOTE-4a]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await untilKinds(customer, 1);
  for (let n = 0; n < 3; n += 1) await enqueue(app.db, 'bookings.booked', { bookingId });
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier in ('bookings.booked', 'notifications.deliver')`.execute(app.db);
    return rows.length === 0;
  });
  expect(await kindsOf(customer)).toEqual(['booked']);
  expect(await app.emailsTo(customer.email)).toHaveLength(1);
  const coach = async (kind: string) => (await kindsOf(club.coach)).filter((one) => one === kind).length;
  expect(await coach('new_booking')).toBe(1);
  // Pressing the button to cancel twice also sends each notification once.
  const cancel = () => app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const pressed = await Promise.all([cancel(), cancel()]);
  expect(pressed.map(({ status }) => status)).toContain(200);
  await eventually(async () => (await app.emailsTo(customer.email)).length > 1);
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier in ('bookings.cancelled', 'notifications.deliver')`.execute(app.db);
    return rows.length === 0;
  });
  expect(await kindsOf(customer)).toEqual(['lesson_cancelled', 'booked']);
  expect(await app.emailsTo(customer.email)).toHaveLength(2);
  expect(await coach('customer_cancelled')).toBe(1);
});

test('emails the receipt even if the process is killed after writing the notification', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await eventually(async () => (await app.emailsTo(customer.email))[0]);
  // Without the record that the email was sent, the repeated job sends it again.
  await eventually(async () => {
    const deleted = await sql`delete from deliveries using notifications
      where deliveries.notification_id = notifications.notification_id and subject_id = ${bookingId}::uuid
        and channel = 'email' and kind = 'booked'`.execute(app.db);
    return Number(deleted.numAffectedRows) === 1;
  });
  await enqueue(app.db, 'bookings.booked', { bookingId });
  await eventually(async () => (await app.emailsTo(customer.email)).length === 2);
  expect(await kindsOf(customer)).toEqual(['booked']);
});

test("shows the coach's picture in lesson emails only if visitors can see the picture [NOTE-5d]", async () => {
  const coach = await app.signIn('coach');
  await storageOf(app.url, coach)
    .from('avatars')
    .upload(`${coach.userId}/avatar`, await makePicture());
  const [slotId, other] = [
    await club.publish({ coachId: coach.userId }),
    await club.publish({ coachId: coach.userId }),
  ];
  const customer = await club.join();
  const pictureOf = (html: string) => /<img [^>]*src="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const emails = (count: number) =>
    eventually(async () => {
      const received = await app.emailsTo(customer.email);
      return received.length >= count ? received : null;
    });
  await club.bookUntilDecided(customer, slotId);
  const url = pictureOf((await emails(1))[0]!.html);
  // The URL is the same for everyone, so that a request for it does not reveal who has read an email.
  const another = await club.join();
  await club.bookUntilDecided(another, slotId);
  const [received] = await eventually(async () => {
    const found = await app.emailsTo(another.email);
    return found.length > 0 ? found : null;
  });
  expect(pictureOf(received!.html)).toBe(url);
  expect(url).toMatch(new RegExp(`^${app.config.publicUrl}/storage/v1/object/public/avatars/`));
  const shown = await fetch(url!.replace(app.config.publicUrl, app.url));
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);

  await club.bookUntilDecided(customer, other);
  await app.db.updateTable('coaches').set({ isActive: false }).where('coachId', '=', coach.userId).execute();
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  const { bookingId } = bookings.find((booking) => booking.slotId === other)!;
  await emails(2);
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const cancelled = (await emails(3)).find(({ subject }) => subject.startsWith('Cancelled'))!;
  expect(pictureOf(cancelled.html)).toBeUndefined();
  expect((await fetch(url!.replace(app.config.publicUrl, app.url))).status).toBe(404);
});

test('deletes notifications and their deliveries after 12 months [NOTE-4b]', async () => {
  const customer = await club.join();
  await club.bookUntilDecided(customer, await club.publish());
  await club.bookUntilDecided(customer, await club.publish());
  await untilKinds(customer, 2);
  const [newer, older] = await listOf(customer);
  const age = (notificationId: string, days: number) =>
    sql`update notifications set created_at = now() - ${days} * interval '1 day'
      where notification_id = ${notificationId}::uuid`.execute(app.db);
  await age(newer!.notificationId, 364);
  await age(older!.notificationId, 367);
  expect(recurringJobs['account.cleanup'], 'every hour').toBe('27 * * * *');
  await personalDataJobs(app)['account.cleanup']();
  expect((await listOf(customer)).map(({ notificationId }) => notificationId)).toEqual([
    newer!.notificationId,
  ]);
  const { rows } = await sql`
    select from deliveries where notification_id = ${older!.notificationId}::uuid`.execute(app.db);
  expect(rows).toEqual([]);
});
