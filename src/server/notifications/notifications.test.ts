import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { describeKinds } from './describe-kinds.ts';
import { notify, notifyAll } from './notify.ts';

const app = setUpTestApp();
const { listNotifications, countNotifications, markRead, markAllRead, markSeen } = notificationsApi;
const message = (subject: string) => ({
  subject,
  summary: 'A sentence.',
  body: [subject],
  action: { label: 'Open your account', path: '/account' },
});
const readCounts = async (who: Parameters<typeof app.call>[0]) =>
  (await app.call(who, countNotifications, {})).body.counts;

test('lists notifications page by page, newest first, and counts at most 100 [NOTE-3a]', async () => {
  const person = await app.signIn();
  const others = await app.signIn();
  for (let n = 0; n < 25; n += 1) {
    await notify(
      app.db,
      person,
      { kind: 'fee_changed', subjectId: person.userId, version: `${n}` },
      message(`${n}`),
    );
  }
  const first = await app.call(person, listNotifications, {});
  expect(first.body.notifications.map(({ title }) => title)).toEqual(
    Array.from({ length: 20 }, (_, n) => String(24 - n)),
  );
  const second = await app.call(person, listNotifications, { cursor: first.body.nextCursor! });
  expect(second.body.notifications.map(({ title }) => title)).toEqual(['4', '3', '2', '1', '0']);
  expect(second.body.nextCursor).toBeNull();
  expect(first.body.notifications[0]).toMatchObject({
    summary: 'A sentence.',
    path: '/account',
    readAt: null,
  });
  expect(await readCounts(person)).toEqual({ unread: 25, unseen: 25 });
  await app.db.transaction().execute(async (tx) => {
    for (let n = 25; n < 120; n += 1) {
      const event = { kind: 'fee_changed', version: `${n}` } as const;
      await notifyAll(tx, sql`select ${person.userId}::uuid`, event, message(`${n}`));
    }
  });
  expect(await readCounts(person)).toEqual({ unread: 100, unseen: 100 });
  expect((await app.call(others, listNotifications, {})).body.notifications).toEqual([]);
});

test('marks all notifications as seen, and one or all of them as read [NOTE-3b]', async () => {
  const [person, stranger] = [await app.signIn(), await app.signIn()];
  for (const version of ['1', '2', '3']) {
    await notify(app.db, person, { kind: 'paid_out', subjectId: person.userId, version }, message(version));
  }
  expect((await app.call(person, markSeen, {})).body.counts).toEqual({ unread: 3, unseen: 0 });
  const { notifications } = (await app.call(person, listNotifications, {})).body;
  const { notificationId } = notifications[1]!;
  expect((await app.call(stranger, markRead, { notificationId })).status).toBe(404);
  expect((await app.call(person, markRead, { notificationId })).body.counts).toEqual({
    unread: 2,
    unseen: 0,
  });
  // Marking the notification as read again keeps the time at which it was first opened.
  const readAtOf = async () =>
    (await app.call(person, listNotifications, {})).body.notifications.map(({ readAt }) => readAt);
  const before = await readAtOf();
  expect(before.filter(Boolean)).toHaveLength(1);
  await app.call(person, markRead, { notificationId });
  expect(await readAtOf()).toEqual(before);
  expect((await app.call(person, markAllRead, {})).body.counts).toEqual({ unread: 0, unseen: 0 });
  expect((await readAtOf()).filter(Boolean)).toHaveLength(3);
});

test('notifies once per person, kind, subject and version [NOTE-4, NOTE-4a]', async () => {
  const person = await app.signIn();
  const event = { kind: 'team_changed', subjectId: person.userId, version: 'once' } as const;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      app.db.transaction().execute((tx) => notify(tx, person, event, message('Once'))),
    ),
  );
  await notify(app.db, person, { ...event, version: 'twice' }, message('Again'));
  const { notifications } = (await app.call(person, listNotifications, {})).body;
  expect(notifications.map(({ title }) => title)).toEqual(['Again', 'Once']);
  const emails = await eventually(async () => {
    const received = await app.emailsTo(person.email);
    return received.length >= 2 ? received : null;
  });
  expect(emails.map(({ subject }) => subject).sort()).toEqual(['Again', 'Once']);
  // Another person, kind or subject is another notification.
  const stranger = await app.signIn();
  await notify(app.db, stranger, event, message('Of a stranger'));
  await notify(app.db, person, { ...event, kind: 'guardian_changed' }, message('Another kind'));
  await notify(app.db, person, { ...event, subjectId: stranger.userId }, message('Another subject'));
  const titlesOf = async (who: typeof person) =>
    (await app.call(who, listNotifications, {})).body.notifications.map(({ title }) => title);
  expect(await titlesOf(stranger)).toEqual(['Of a stranger']);
  expect(await titlesOf(person)).toEqual(['Another subject', 'Another kind', 'Again', 'Once']);
});

test('emails a notification once even if its delivery job runs twice [NOTE-4a]', async () => {
  const person = await app.signIn();
  await notify(app.db, person, { kind: 'team_changed', subjectId: person.userId }, message('Delivered'));
  await eventually(async () => (await app.emailsTo(person.email))[0]);
  const { notificationId } = await eventually(() =>
    app.db
      .selectFrom('deliveries')
      .innerJoin('notifications', 'notifications.notificationId', 'deliveries.notificationId')
      .select('deliveries.notificationId')
      .where('userId', '=', person.userId)
      .where('status', '=', 'sent')
      .executeTakeFirst(),
  );
  await sql`select graphile_worker.add_job('notifications.deliver', ${JSON.stringify({
    notificationId,
    channel: 'email',
    message: { subject: 'Delivered', body: ['Again'] },
  })}::json)`.execute(app.db);
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier = 'notifications.deliver'`.execute(app.db);
    return rows.length === 0;
  });
  expect(await app.emailsTo(person.email)).toHaveLength(1);
});

test('lets people switch a kind off by channel, unless the channel is always used [NOTE-1c, NOTE-6a]', async () => {
  const person = await app.signIn('coach');
  const { savePreference } = notificationsApi;
  const choose = (kind: 'team_changed' | 'booked', channel: 'email' | 'inApp', isOn: boolean) =>
    app.call(person, savePreference, { kind, channel, isOn });
  await choose('team_changed', 'email', false);
  const { body } = await choose('team_changed', 'inApp', false);
  expect(body.preferences.choices).toEqual([
    { kind: 'team_changed', channel: 'email', isOn: false },
    { kind: 'team_changed', channel: 'inApp', isOn: false },
  ]);
  const event = { kind: 'team_changed', subjectId: person.userId } as const;
  await notify(app.db, person, event, message('Unwanted'));
  expect((await app.call(person, listNotifications, {})).body.notifications).toEqual([]);
  await choose('team_changed', 'inApp', true);
  await choose('team_changed', 'email', true);
  await notify(app.db, person, event, message('Wanted'));
  await eventually(async () => (await app.emailsTo(person.email))[0]);
  expect((await app.emailsTo(person.email)).map(({ subject }) => subject)).toEqual(['Wanted']);

  // A long text is cut between characters, because half an emoji would not be valid JSON.
  const long = { ...message('Long'), summary: `${'x'.repeat(598)}🎾🎾` };
  await notify(app.db, person, event, long);
  const [newest] = (await app.call(person, listNotifications, {})).body.notifications;
  expect(newest?.summary).toBe(long.summary);
  await notify(app.db, person, event, { ...long, summary: `${long.summary}🎾` });
  const [cut] = (await app.call(person, listNotifications, {})).body.notifications;
  expect(cut?.summary).toBe(`${'x'.repeat(598)}🎾…`);

  const refused = await choose('booked', 'email', false);
  expect(refused.error).toMatchObject({
    code: 'unprocessable',
    fields: { isOn: "This setting can't be changed." },
  });
});

test('checks preferences again when a queued notification is sent [NOTE-6]', async () => {
  const person = await app.signIn('coach');
  // The job is committed, and so runs, only after the person has switched the kind off.
  await app.db.transaction().execute(async (tx) => {
    await notify(tx, person, { kind: 'team_changed', subjectId: person.userId }, message('Too late'));
    await app.call(person, notificationsApi.savePreference, {
      kind: 'team_changed',
      channel: 'email',
      isOn: false,
    });
  });
  const delivery = await eventually(() =>
    app.db
      .selectFrom('deliveries')
      .innerJoin('notifications', 'notifications.notificationId', 'deliveries.notificationId')
      .select(['status', 'reason'])
      .where('userId', '=', person.userId)
      .where('status', '<>', 'queued')
      .executeTakeFirst(),
  );
  expect(delivery).toEqual({ status: 'skipped', reason: 'switched_off' });
  expect(await app.emailsTo(person.email)).toEqual([]);
  // The kind is still on in the app.
  const inApp = (await app.call(person, listNotifications, {})).body.notifications;
  expect(inApp.map(({ title }) => title)).toContain('Too late');
});

test('describes every kind of notification in docs/notifications.md', async () => {
  await expect(describeKinds()).toMatchFileSnapshot(join(packageRoot, 'docs', 'notifications.md'));
});

test('returns the default quiet hours, the chosen ones, or none [NOTE-6b]', async () => {
  const person = await app.signIn();
  const { getPreferences, saveQuietHours, removeQuietHours } = notificationsApi;
  const read = async () => (await app.call(person, getPreferences, {})).body.preferences.quietHours;
  expect(await read()).toEqual({ startsAt: '21:00', endsAt: '07:30' });
  await app.call(person, saveQuietHours, { startsAt: '23:15', endsAt: '06:00' });
  expect(await read()).toEqual({ startsAt: '23:15', endsAt: '06:00' });
  const same = await app.call(person, saveQuietHours, { startsAt: '23:15', endsAt: '23:15' });
  expect(same.error).toMatchObject({ fields: { endsAt: expect.stringContaining('different') } });
  await app.call(person, removeQuietHours, {});
  expect(await read()).toBeNull();
});
