import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { formatLessonTime, type LessonTime, wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp({ env: { CHANGE_NOTICE_SECONDS: '600' } });
const club = beforeTests(() => openClub(app));
const inDays = (days: number) =>
  wallTimeOf((Math.ceil(Date.now() / 60_000) + 5) * 60_000 + days * 86_400_000);
const move = async (slotId: string, days: number) =>
  (await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(days) })).body.slot;
const titlesOf = async (who: Someone) =>
  (await app.call(who, notificationsApi.listNotifications, {})).body.notifications.map(({ title }) => title);
const waiting = async () =>
  Number(
    (
      await sql<{ jobs: number }>`select count(*) as jobs from graphile_worker.jobs
        where task_identifier = 'bookings.moved' and run_at > now() + interval '1 minute'`.execute(app.db)
    ).rows[0]!.jobs,
  );

/** Waits until this many moves are queued for later, then runs their jobs immediately and waits for the deliveries. */
async function settle(moves: number): Promise<void> {
  await eventually(async () => (await waiting()) === moves);
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where task_identifier = 'bookings.moved'`.execute(app.db);
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier in ('bookings.moved', 'notifications.deliver')`.execute(app.db);
    return rows.length === 0;
  });
}

test('notifies customers of only the final time when a lesson moves twice quickly [SLOT-9, NOTE-4]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  await club.bookUntilDecided(customer, slotId);
  // A confirmation that was sent later would name the new time.
  await eventually(async () => (await app.emailsTo(customer.email)).length === 1);
  const before = await club.readSlot(slotId);
  const first = await move(slotId, 60);
  const second = await move(slotId, 61);
  await settle(2);
  const when = ({ startTime, endTime }: typeof first) => formatLessonTime(startTime, endTime, Date.now());
  const email = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('New time')),
  );
  expect(email.subject).toContain(when(second));
  expect(email.text).toContain(`Old time: ${formatLessonTime(before.startTime, before.endTime, Date.now())}`);
  expect((await app.emailsTo(customer.email)).map(({ text }) => text).join()).not.toContain(when(first));
  expect((await titlesOf(customer)).filter((title) => title.startsWith('New time'))).toHaveLength(1);

  const { rows: stored } = await sql<{ params: unknown }>`select params from notifications
    where user_id = ${customer.userId}::uuid and kind = 'lesson_moved'`.execute(app.db);
  const timesOf = ({ startTime, endTime }: LessonTime) => ({ startTime, endTime });
  expect(stored).toEqual([{ params: { from: timesOf(before), to: timesOf(second) } }]);

  // In the email about a later move, the old time is the time that the customer was last notified of.
  const third = await move(slotId, 62);
  await settle(1);
  const again = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.includes(when(third))),
  );
  expect(again.text).toContain(`Old time: ${when(second)}`);
});

test('notifies nobody of a move that is soon reversed or followed by a cancellation [SLOT-9]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const booked = await club.readSlot(slotId);
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  const base = inDays(70);
  const moveTo = (to: typeof base) => app.call(club.coach, lessonsApi.moveSlot, { slotId, ...to });
  await moveTo(base);
  await settle(1);
  const movesNotified = async () =>
    (await titlesOf(customer)).filter((title) => title.startsWith('New time')).length;
  expect(await movesNotified()).toBe(1);
  await moveTo(inDays(71));
  await moveTo(base);
  await settle(2);
  expect(await movesNotified()).toBe(1);
  await moveTo(inDays(72));
  const cancelled = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  expect(cancelled.error?.message).toBeUndefined();
  await settle(1);
  await eventually(async () => (await titlesOf(customer)).some((title) => title.startsWith('Cancelled')));
  expect(await movesNotified()).toBe(1);
  const email = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('Cancelled')),
  );
  const bookedFor = formatLessonTime(booked.startTime, booked.endTime, Date.now());
  expect(email.text).toContain(`When you booked it, it was on ${bookedFor}.`);
  expect((await titlesOf(club.coach)).filter((title) => title.includes(' cancelled '))).toHaveLength(1);
});
