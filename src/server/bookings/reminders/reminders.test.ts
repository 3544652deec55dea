import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { recurringJobs } from '#domain/jobs.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { addDays, instantOf, wallTimeOf } from '#domain/time.ts';
import { bookingJobs } from '#server/bookings/jobs.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { addTemplate } from '#server/test-support/lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { pickDigests } from './pick-digests.ts';
import { pickReminders } from './pick-reminders.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
const dayMs = 86_400_000;

const subjectsTo = async ({ email }: Someone) => (await app.emailsTo(email)).map(({ subject }) => subject);
const titlesOf = async (who: Someone) =>
  (await app.call(who, notificationsApi.listNotifications, {})).body.notifications.map(({ title }) => title);
const remindersOf = async (who: Someone) =>
  (await titlesOf(who)).filter((title) => title.startsWith('Reminder')).length;
/** Sets the time of the last run to this many minutes ago, as if the process had been stopped since then. */
const stoppedFor = (minutes: number) =>
  sql`update reminder_progress set picked_until = now() - ${minutes} * interval '1 minute'`.execute(app.db);
const bookedAgo = (slotId: string, hours: number) =>
  sql`update bookings set booked_at = now() - ${hours} * interval '1 hour',
    created_at = now() - ${hours} * interval '1 hour' where slot_id = ${slotId}::uuid`.execute(app.db);

async function bookOne() {
  const coach = await app.signIn('coach');
  const slotId = await club.publish({ coachId: coach.userId });
  const customer = await club.join();
  const { body } = await club.bookUntilDecided(customer, slotId);
  await bookedAgo(slotId, 48);
  return { slotId, coach, customer, bookingId: body.bookingId };
}

test('reminds customers once 24 and once 2 hours ahead, by email only the first time [NOTE-7a, NOTE-1c]', async () => {
  expect(recurringJobs['bookings.reminders-due'], 'every minute').toBe('* * * * *');
  const { slotId, customer } = await bookOne();
  await club.putAt(slotId, 24 * 60 + 2);
  await stoppedFor(5);
  await pickReminders(app.db);
  expect(await remindersOf(customer)).toBe(0);
  // A minute ago, the lesson was 24 hours away.
  await club.putAt(slotId, 24 * 60 - 1);
  await stoppedFor(5);
  await Promise.all([pickReminders(app.db), pickReminders(app.db)]);
  await pickReminders(app.db);
  expect(await remindersOf(customer)).toBe(1);
  const email = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('Reminder: Tennis basics')),
  );
  expect(email.text).toContain('(London time)');
  expect(email.text).toContain("Can't come? ");

  await club.putAt(slotId, 122);
  await stoppedFor(5);
  await pickReminders(app.db);
  expect(await remindersOf(customer)).toBe(1);
  await club.putAt(slotId, 119);
  await stoppedFor(5);
  // The job that runs every minute.
  await enqueue(app.db, 'bookings.reminders-due', {});
  await eventually(async () => (await remindersOf(customer)) === 2);
  await pickReminders(app.db);
  expect(await remindersOf(customer)).toBe(2);
  // By default, the second reminder is not emailed.
  await eventually(async () => (await subjectsTo(customer)).length >= 2);
  expect((await subjectsTo(customer)).filter((subject) => subject.startsWith('Reminder'))).toHaveLength(1);
});

test('reminds customers of a moved lesson by its new time, not by its old time [NOTE-7b]', async () => {
  const { slotId, coach, customer } = await bookOne();
  // Half an hour ago, the lesson was 24 hours away.
  await club.putAt(slotId, 24 * 60 - 30);
  const { hour, minute, date } = wallTimeOf(Math.ceil(Date.now() / 60_000) * 60_000 + 30 * dayMs);
  await app.call(coach, lessonsApi.moveSlot, { slotId, date, hour, minute });
  await stoppedFor(60);
  await pickReminders(app.db);
  expect(await remindersOf(customer)).toBe(0);
  await club.putAt(slotId, 24 * 60 - 1);
  await stoppedFor(5);
  await pickReminders(app.db);
  expect(await remindersOf(customer)).toBe(1);
});

test('reminds nobody who has cancelled or booked late, or whose lesson has begun [NOTE-1d, NOTE-7b]', async () => {
  const [begun, late] = [await bookOne(), await bookOne()];
  await club.putAt(begun.slotId, -10);
  await club.putAt(late.slotId, 24 * 60 - 1);
  await bookedAgo(late.slotId, 0);
  const cancelled = await bookOne();
  await club.putAt(cancelled.slotId, 24 * 60 - 1);
  // The reminder's job is committed, and so runs, only after the customer has cancelled.
  await app.db.transaction().execute(async (tx) => {
    await sql`update reminder_progress set picked_until = now() - interval '25 hours'`.execute(tx);
    await pickReminders(tx as never);
    const { error } = await app.call(cancelled.customer, bookingsApi.cancel, {
      bookingId: cancelled.bookingId,
      expectedRefundCents: 0,
    });
    expect(error?.message).toBeUndefined();
  });
  const delivery = await eventually(() =>
    app.db
      .selectFrom('deliveries')
      .innerJoin('notifications', 'notifications.notificationId', 'deliveries.notificationId')
      .select(['status', 'reason'])
      .where('kind', '=', 'reminder_day')
      .where('subjectId', '=', cancelled.bookingId)
      .where('status', '<>', 'queued')
      .executeTakeFirst(),
  );
  expect(delivery).toEqual({ status: 'skipped', reason: 'no_longer_true' });
  expect([await remindersOf(late.customer), await remindersOf(begun.customer)]).toEqual([0, 0]);
  for (const { customer } of [late, cancelled]) {
    expect((await subjectsTo(customer)).filter((subject) => subject.startsWith('Reminder'))).toEqual([]);
  }
});

test("sends coaches one list of tomorrow's lessons, if any, from 18:00 [NOTE-7c, NOTE-7d]", async () => {
  const [busy, free] = [await app.signIn('coach'), await app.signIn('coach')];
  const templateId = await addTemplate(app.db, busy.userId, { title: 'Morning squad' });
  // Days ahead, because the recurring job may send the list of today's evening itself.
  const day = addDays(wallTimeOf(Date.now()).date, 5);
  const noon = Date.parse(instantOf({ date: addDays(day, 1), hour: 12, minute: 0 }).instant);
  const slotId = await club.publish({ coachId: busy.userId });
  await app.db.updateTable('lessonSlots').set({ templateId }).where('slotId', '=', slotId).execute();
  const [regular, newcomer] = [await club.join(), await club.join()];
  const earlier = await club.publish({ coachId: busy.userId });
  await club.bookUntilDecided(regular, earlier);
  for (const customer of [regular, newcomer]) await club.bookUntilDecided(customer, slotId);
  const child = await family.addReadyChild(newcomer, { fullName: 'Mia Morgan' });
  expect((await family.bookFor(newcomer, slotId, child)).body.outcome).toBe('booked');
  await club.putOn(earlier, Date.now() - 7 * dayMs);
  await club.putOn(slotId, noon);
  // This lesson is on a later day, so it must not be in the list.
  await club.putOn(await club.publish({ coachId: busy.userId }), noon + dayMs);

  const evening = (hour: number, minute: number) =>
    Date.parse(instantOf({ date: day, hour, minute }).instant);
  await sql`update reminder_progress set picked_until = now() - interval '2 days'`.execute(app.db);
  await pickDigests(app.db, evening(17, 59));
  const listed = async (who: Someone) =>
    (await titlesOf(who)).filter((title) => title.startsWith('Tomorrow, '));
  expect(await listed(busy)).toEqual([]);
  const jobs = bookingJobs({ db: app.db, cards: app.cards, log: createLog('silent') });
  vi.useFakeTimers({ toFake: ['Date'], now: evening(18, 0) });
  try {
    await jobs['bookings.reminders-due']();
  } finally {
    vi.useRealTimers();
  }
  expect(await listed(busy)).toHaveLength(1);
  await pickDigests(app.db, evening(18, 1));
  expect(await listed(busy)).toHaveLength(1);
  expect(await listed(free)).toEqual([]);
  const email = await eventually(async () =>
    (await app.emailsTo(busy.email)).find(({ subject }) => subject.startsWith('Tomorrow, ')),
  );
  expect(email.text).toContain('Morning squad (3 of 4 booked)');
  const names = await app.db
    .selectFrom('profiles')
    .select(['userId', 'fullName'])
    .where('userId', 'in', [regular.userId, newcomer.userId])
    .execute();
  const nameOf = ({ userId }: Someone) => names.find((one) => one.userId === userId)!.fullName;
  expect(email.text).toContain(`• ${nameOf(newcomer)} (first lesson with you)`);
  expect(email.text).toMatch(new RegExp(`• ${nameOf(regular)}$`, 'm'));
  expect(email.text).toContain('• Mia Morgan (under 18, first lesson with you)');
  expect(email.subject).toContain('1 lesson');
});
