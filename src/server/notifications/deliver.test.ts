import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import type { Message } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';
import type { QuietHours } from '#domain/notifications/quiet-hours.ts';
import { addDays, instantOf, type PlainDate, wallTimeOf } from '#domain/time.ts';
import { isAwaitingLock, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { RefusedAddress } from './channel.ts';
import { type DeliveryParts, deliver } from './deliver.ts';

const app = setUpTestApp();
const at = (minutes: number) => {
  const { hour, minute } = wallTimeOf(Date.now() + minutes * 60_000);
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
};

type AtNight = {
  startsInHours?: number | null;
  movedFromHours?: number | null;
  isTrue?: boolean;
  /** Null for someone who hasn't chosen quiet hours. */
  quietHours?: QuietHours | null;
  now?: number;
};

/**
 * Delivers a push notification to someone whose quiet hours, by default, began an hour ago and last for another hour.
 * The test's own channel receives the messages.
 */
async function pushAtNight(
  kind: NotificationKind,
  {
    startsInHours = null,
    movedFromHours = null,
    isTrue = true,
    quietHours = { startsAt: at(-60), endsAt: at(60) },
    now = Date.now(),
  }: AtNight = {},
) {
  const person = await app.signIn();
  if (quietHours) {
    await app.db
      .insertInto('quietHours')
      .values({ userId: person.userId, ...quietHours })
      .execute();
  }
  const { notificationId } = await app.db
    .insertInto('notifications')
    .values({
      ...{ userId: person.userId, kind, subjectId: person.userId, version: '1', title: 'Title' },
      ...{ summary: '', path: '/account', isListed: true },
    })
    .returning('notificationId')
    .executeTakeFirstOrThrow();
  await app.db.insertInto('deliveries').values({ notificationId, channel: 'push' }).execute();
  const sent: Message[] = [];
  const parts: DeliveryParts = {
    db: app.db,
    channels: {
      email: async () => {},
      push: async (_to, message) => void sent.push(message),
    },
    composers: { [kind]: async () => (isTrue ? { subject: 'Push', body: [] } : null) },
    findLesson: async () => {
      if (startsInHours === null) return null;
      const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      const startTime = inHours(startsInHours);
      const previous = movedFromHours === null ? {} : { previousStart: inHours(movedFromHours) };
      return { title: 'Tennis', startTime, endTime: startTime, ...previous };
    },
    onUnreached: async () => {},
  };
  const run = () => deliver(parts, { notificationId, channel: 'push', message: null }, now);
  const endQuietHours = () => app.db.deleteFrom('quietHours').where('userId', '=', person.userId).execute();
  /** When the delayed delivery's job runs, in minutes from `now`; null if there is no job. */
  const readHeld = async () => {
    const { rows } = await sql<{ minutes: number }>`
      select extract(epoch from run_at - ${new Date(now).toISOString()}::timestamptz)::int / 60 as minutes
      from graphile_worker._private_jobs where payload ->> 'notificationId' = ${notificationId}`.execute(
      app.db,
    );
    return rows[0]?.minutes ?? null;
  };
  const readStatus = () =>
    app.db
      .selectFrom('deliveries')
      .select(['status', 'reason'])
      .where('notificationId', '=', notificationId)
      .executeTakeFirstOrThrow();
  await run();
  // Switches quiet hours off: without a row, the default quiet hours would delay the second attempt at night.
  const sendLater = async () => {
    await endQuietHours();
    await app.db.insertInto('quietHours').values({ userId: person.userId }).execute();
    await run();
  };
  return { sent, sendLater, readHeld, readStatus };
}

test('delays push until quiet hours end, and then sends it once [NOTE-6b]', async () => {
  const { sent, sendLater, readHeld, readStatus } = await pushAtNight('reminder_day');
  expect(sent).toEqual([]);
  expect(await readHeld()).toBeGreaterThanOrEqual(57);
  expect(await readHeld()).toBeLessThanOrEqual(60);
  expect(await readStatus()).toEqual({ status: 'queued', reason: null });
  await sendLater();
  expect(sent).toEqual([{ subject: 'Push', body: [] }]);
  expect(await readStatus()).toEqual({ status: 'sent', reason: null });
});

test('delays push from 21:00 to 07:30 for anyone who has not chosen quiet hours [NOTE-6b]', async () => {
  const tomorrow = addDays(wallTimeOf(Date.now()).date, 1);
  const instant = (date: PlainDate, hour: number, minute = 0) =>
    Date.parse(instantOf({ date, hour, minute }).instant);
  const night = instant(tomorrow, 22);
  const held = await pushAtNight('reminder_day', { quietHours: null, now: night });
  expect(held.sent).toEqual([]);
  expect(await held.readHeld()).toBe((instant(addDays(tomorrow, 1), 7, 30) - night) / 60_000);
  const byDay = await pushAtNight('reminder_day', { quietHours: null, now: instant(tomorrow, 12) });
  expect([byDay.sent.length, await byDay.readHeld()]).toEqual([1, null]);
  // Someone who has chosen other hours gets no push at noon, but does at 22:00.
  const quietHours = { startsAt: '11:00', endsAt: '13:00' };
  const asleep = await pushAtNight('reminder_day', { quietHours, now: instant(tomorrow, 12) });
  expect([asleep.sent.length, await asleep.readHeld()]).toEqual([0, 60]);
  const awake = await pushAtNight('reminder_day', { quietHours, now: night });
  expect([awake.sent.length, await awake.readHeld()]).toEqual([1, null]);
});

test('drops a delayed push message that is no longer true [NOTE-6d]', async () => {
  const { sent, sendLater, readStatus } = await pushAtNight('lesson_moved', {
    startsInHours: 13,
    isTrue: false,
  });
  await sendLater();
  expect(sent).toEqual([]);
  expect(await readStatus()).toEqual({ status: 'skipped', reason: 'no_longer_true' });
});

test('ignores quiet hours if a moved or cancelled lesson starts within 12 hours [NOTE-6c]', async () => {
  const soon = await pushAtNight('lesson_moved', { startsInHours: 11 });
  expect([soon.sent.length, await soon.readHeld()]).toEqual([1, null]);
  const cancelled = await pushAtNight('lesson_cancelled', { startsInHours: 11 });
  expect(cancelled.sent).toHaveLength(1);
  for (const kind of ['lesson_moved', 'lesson_cancelled'] as const) {
    const later = await pushAtNight(kind, { startsInHours: 13 });
    expect(later.sent, kind).toEqual([]);
    expect(await later.readHeld(), kind).toBeGreaterThan(50);
  }
  // Someone who doesn't know of the move would turn up at the old time.
  const putOff = await pushAtNight('lesson_moved', { startsInHours: 200, movedFromHours: 11 });
  expect(putOff.sent).toHaveLength(1);
  const broughtForward = await pushAtNight('lesson_moved', { startsInHours: 11, movedFromHours: 200 });
  expect(broughtForward.sent).toHaveLength(1);
  const reminder = await pushAtNight('reminder_hours', { startsInHours: 2 });
  expect(reminder.sent).toEqual([]);
});

/** Tries to deliver an email that was queued `hoursAgo` hours ago; the mail server refuses it with `error`. */
async function refuseEmail(error: Error, hoursAgo: number) {
  const person = await app.signIn();
  const { notificationId } = await app.db
    .insertInto('notifications')
    .values({
      ...{
        userId: person.userId,
        kind: 'lesson_moved',
        subjectId: person.userId,
        version: '1',
        title: 'Title',
      },
      ...{ summary: '', path: '/account', isListed: true },
    })
    .returning('notificationId')
    .executeTakeFirstOrThrow();
  const createdAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  await app.db.insertInto('deliveries').values({ notificationId, channel: 'email', createdAt }).execute();
  const unreached: string[] = [];
  const parts: DeliveryParts = {
    db: app.db,
    channels: { email: () => Promise.reject(error), push: async () => {} },
    composers: {},
    findLesson: async () => null,
    onUnreached: async ({ userId: id }) => void unreached.push(id),
  };
  const message = { subject: 'Moved', body: [] };
  const retried = await deliver(parts, { notificationId, channel: 'email', message }).then(
    () => false,
    () => true,
  );
  const { status, reason } = await app.db
    .selectFrom('deliveries')
    .select(['status', 'reason'])
    .where('notificationId', '=', notificationId)
    .executeTakeFirstOrThrow();
  return { retried, status, reason, unreached: unreached.length };
}

test('retries a temporary failure for 24 hours, then reports the unreached person [NOTE-14b]', async () => {
  const busy = new Error('451 4.3.0 try again later');
  expect(await refuseEmail(busy, 23)).toEqual({
    retried: true,
    status: 'queued',
    reason: null,
    unreached: 0,
  });
  expect(await refuseEmail(busy, 25)).toEqual({
    ...{ retried: false, status: 'failed', reason: 'gave_up', unreached: 1 },
  });
  expect(await refuseEmail(new RefusedAddress('550 5.1.1'), 0)).toEqual({
    ...{ retried: false, status: 'bounced', reason: 'refused', unreached: 1 },
  });
});

test('records a sent email after a database outage, and sends it only once', async () => {
  const { userId } = await app.signIn();
  const { notificationId } = await app.db
    .insertInto('notifications')
    .values({
      ...{ userId, kind: 'reminder_day', subjectId: userId, version: '1', title: 'Title' },
      ...{ summary: '', path: '/account', isListed: true },
    })
    .returning('notificationId')
    .executeTakeFirstOrThrow();
  await app.db.insertInto('deliveries').values({ notificationId, channel: 'email' }).execute();
  let sent = 0;
  const locker = new Client({ connectionString: app.databaseUrl });
  await locker.connect();
  const countWaiting = async () => {
    const { rows } = await locker.query(`select from pg_stat_activity where ${isAwaitingLock}`);
    return rows.length;
  };
  const delivering = deliver(
    {
      db: app.db,
      channels: {
        email: async () => {
          sent += 1;
          await locker.query('begin; lock table deliveries');
        },
        push: async () => {},
      },
      composers: {},
      findLesson: async () => null,
      onUnreached: async () => {},
    },
    { notificationId, channel: 'email', message: { subject: 'Email', body: [] } },
  );
  // The first attempt to record the email waits for the lock, and fails.
  await expect.poll(countWaiting).toBe(1);
  await expect.poll(countWaiting).toBe(0);
  await locker.query('commit');
  await delivering;
  await locker.end();
  const delivery = await app.db
    .selectFrom('deliveries')
    .select('status')
    .where('notificationId', '=', notificationId)
    .executeTakeFirstOrThrow();
  expect([sent, delivery.status]).toEqual([1, 'sent']);
});
