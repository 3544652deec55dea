import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';
import { kindNames, kindOf } from '#domain/notifications/kinds.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import { formatLessonTime, wallTimeOf } from '#domain/time.ts';
import { pickReminders } from '#server/bookings/reminders/pick-reminders.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, startTestApp } from '#server/test-support/test-app.test-support.ts';
import { type PushService, startPushService } from '#tools/push-service/push-service.ts';
import { RefusedAddress } from '../channel.ts';
import { createChannels } from '../channels.ts';
import { notify } from '../notify.ts';
import { composePush, keepForSeconds } from './push-message.ts';
import { readPush, subscribe } from './push-subscriptions.ts';

const service = {} as PushService;
beforeAll(async () => void Object.assign(service, await startPushService()));
const app = beforeTests(() => startTestApp({ env: { PUSH_SERVICE_BASE: service.url } }));
const club = beforeTests(() => openClub(app));
afterAll(async () => {
  await app.stop?.();
  await service.stop();
});

const sessionIdOf = ({ token }: Someone): string =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).session_id;
const isOn = async (who: Someone) => (await outputOf(app.call(who, pushApi.getPush, {}))).push.isOn;
const pushesTo = (endpoint: string) => service.messages.filter((message) => message.endpoint === endpoint);
const countSubscriptions = async ({ userId }: Someone) =>
  (await app.db.selectFrom('pushSubscriptions').select('sessionId').where('userId', '=', userId).execute())
    .length;

/** Turns push on in this session's browser, and quiet hours off; returns the browser's endpoint. */
async function turnOn(who: Someone): Promise<string> {
  const subscription = service.subscribe(app.config.push!.publicKey);
  const { push } = await outputOf(app.call(who, pushApi.subscribe, subscription));
  expect(push).toEqual({ publicKey: app.config.push!.publicKey, isOn: true });
  await app.call(who, notificationsApi.removeQuietHours, {});
  return subscription.endpoint;
}

const secretText = 'Amelia Hart, aged 9';
/** Notifies a coach of an event that is pushed by default and that no later event makes untrue. */
const notifyCoach = ({ userId }: Someone, kind: NotificationKind = 'not_reached') =>
  notify(
    app.db,
    { userId },
    { kind, subjectId: userId },
    {
      ...{ subject: secretText, summary: secretText, body: [secretText] },
      action: { label: secretText, path: '/coach/calendar' },
    },
  );
/** The state of a person's newest push delivery. */
const readDelivery = async ({ userId }: Someone) =>
  await app.db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.notificationId', 'deliveries.notificationId')
    .select(['status', 'reason', 'acceptedBy', 'deliveries.notificationId'])
    .where('userId', '=', userId)
    .where('channel', '=', 'push')
    .orderBy('deliveries.createdAt', 'desc')
    .executeTakeFirstOrThrow();
const endOf = (who: Someone) =>
  eventually(async () => {
    const { status, reason } = await readDelivery(who);
    return status === 'queued' ? null : { status, reason };
  });
const inDays = (days: number) =>
  wallTimeOf((Math.ceil(Date.now() / 60_000) + 5) * 60_000 + days * 86_400_000);

test('sends encrypted, signed messages with the lesson and its time but no names [NOTE-8a, NOTE-8b]', async () => {
  const [coach, customer] = [await app.signIn('coach', 'customer'), await club.join()];
  const [coachEndpoint, endpoint] = [await turnOn(coach), await turnOn(customer)];
  const slotId = await club.publish({ coachId: coach.userId });
  const { body: booked } = await club.bookUntilDecided(customer, slotId);
  const ofCoach = await eventually(async () => pushesTo(coachEndpoint)[0]);
  const when = async () => {
    const { startTime, endTime } = await club.readSlot(slotId);
    return formatLessonTime(startTime, endTime, Date.now());
  };
  expect(ofCoach).toMatchObject({
    title: 'New booking',
    body: `Tennis basics, ${await when()}`,
    path: `/coach/lesson/${slotId}`,
    urgency: 'normal',
  });
  await app.call(coach, lessonsApi.moveSlot, { slotId, ...inDays(20) });
  const moved = await eventually(async () => pushesTo(endpoint).find(({ title }) => title === 'New time'));
  expect(moved).toMatchObject({
    body: `Tennis basics, ${await when()}`,
    path: `/customer/bookings/${booked.bookingId}`,
    urgency: 'high',
    ttlSeconds: 24 * 60 * 60,
  });
  expect(moved.topic).toBe(moved.tag.replaceAll('-', ''));
  // The receipt is not pushed by default.
  expect(pushesTo(endpoint)).toHaveLength(1);
  for (const message of [ofCoach, moved]) {
    expect(message.bytes).toBeLessThanOrEqual(3 * 1024);
    expect(JSON.stringify(message)).not.toMatch(/Person \d/);
  }
  // A push message leaves out the names that the notification's text contains.
  await notifyCoach(coach);
  const unreached = await eventually(async () => pushesTo(coachEndpoint)[1]);
  expect(unreached).toMatchObject({ title: "A customer couldn't be reached", body: '' });
  expect(JSON.stringify(unreached)).not.toContain('Amelia');
});

test('pushes both reminders, and other kinds as the person chose [NOTE-6e, NOTE-7e]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const endpoint = await turnOn(customer);
  await club.bookUntilDecided(customer, slotId);
  await sql`update bookings set booked_at = now() - interval '2 days', created_at = now() - interval '2 days'
    where slot_id = ${slotId}::uuid`.execute(app.db);
  const remindAt = async (minutes: number) => {
    await club.putAt(slotId, minutes);
    await sql`update reminder_progress set picked_until = now() - interval '5 minutes'`.execute(app.db);
    await pickReminders(app.db);
  };
  await remindAt(24 * 60 - 1);
  await eventually(async () => pushesTo(endpoint).length === 1);
  await remindAt(119);
  const [first, second] = await eventually(async () => {
    const pushed = pushesTo(endpoint);
    return pushed.length === 2 ? pushed : null;
  });
  for (const message of [first!, second!]) {
    expect(message).toMatchObject({ title: 'Reminder', body: expect.stringMatching(/^Tennis basics, /) });
  }
  expect(second!.ttlSeconds).toBeLessThanOrEqual(119 * 60);

  const coach = await app.signIn('coach');
  const ofCoach = await turnOn(coach);
  const choose = (kind: NotificationKind, on: boolean) =>
    app.call(coach, notificationsApi.savePreference, { kind, channel: 'push', isOn: on });
  await choose('not_reached', false);
  await choose('team_changed', true);
  await notifyCoach(coach, 'not_reached');
  await notifyCoach(coach, 'team_changed');
  expect(await endOf(coach)).toEqual({ status: 'sent', reason: null });
  expect(pushesTo(ofCoach).map(({ title }) => title)).toEqual(['Your team has changed']);
});

test("pushes a coach's announcement without its text [MSG-1e]", async () => {
  const slotId = await club.publish({ priceCents: 0 });
  const customer = await club.join(null);
  const endpoint = await turnOn(customer);
  expect((await club.book(customer, slotId, 0)).body.outcome).toBe('booked');
  const announcement = { slotId, text: 'Amelia, bring your racket.', expectedRecipients: 1 };
  await outputOf(app.call(club.coach, announcementsApi.send, announcement));
  const [pushed] = await eventually(async () => {
    const all = pushesTo(endpoint);
    return all.length > 0 ? all : null;
  });
  expect(pushed).toMatchObject({
    title: 'Announcement from your coach',
    body: expect.stringMatching(/^Tennis basics, /),
  });
  expect(JSON.stringify(pushed)).not.toContain('Amelia');
});

test('limits every message to 3 KB and its lifetime to the start of the lesson [NOTE-8b]', () => {
  const now = Date.now();
  const startTime = new Date(now + 90 * 60_000).toISOString();
  const lesson = { title: '🎾'.repeat(300), startTime, endTime: startTime };
  for (const kind of kindNames) {
    const path = `/${'ü'.repeat(399)}`;
    const notificationId = crypto.randomUUID();
    const message = composePush({ notificationId, kind, path }, lesson, now);
    expect(message).toEqual({
      title: kindOf(kind).pushTitle,
      body: `${'🎾'.repeat(100)}, ${formatLessonTime(startTime, startTime, now)}`,
      path,
      tag: notificationId,
    });
    const text = JSON.stringify(message);
    // Header, padding and tag of RFC 8188 take 103 bytes.
    expect(Buffer.byteLength(text) + 103).toBeLessThan(3 * 1024);
  }
  expect(keepForSeconds(lesson, now)).toBe(90 * 60);
  expect(keepForSeconds(lesson, now + 7_200_000)).toBe(24 * 60 * 60);
});

test('unsubscribes a browser whose push service responds with 404 or 410 [NOTE-8e]', async () => {
  for (const status of [404, 410]) {
    const coach = await app.signIn('coach');
    const endpoint = await turnOn(coach);
    service.answer(endpoint, status);
    await notifyCoach(coach);
    expect(await endOf(coach)).toEqual({ status: 'skipped', reason: 'no_address' });
    expect(await isOn(coach)).toBe(false);
    expect(await countSubscriptions(coach)).toBe(0);
    // The email still reaches the person.
    await eventually(async () => (await app.emailsTo(coach.email))[0]);
    // Nothing is queued for someone without a browser.
    await notifyCoach(coach);
    const { rows } = await sql`select from deliveries join notifications using (notification_id)
      where user_id = ${coach.userId}::uuid and channel = 'push'`.execute(app.db);
    expect(rows).toHaveLength(1);
  }
});

test('retries only the browsers that did not accept, and sends each message once', async () => {
  const laptop = await app.signIn('coach');
  const phone = await app.signInAs(laptop.userId);
  const [first, second] = [await turnOn(laptop), await turnOn(phone)];
  service.answer(second, 429);
  await notifyCoach(laptop);
  await eventually(async () => (await readDelivery(laptop)).acceptedBy?.length === 1);
  expect(await readDelivery(laptop)).toMatchObject({
    status: 'queued',
    acceptedBy: [sessionIdOf(laptop)],
  });
  service.answer(second, 201);
  expect(await endOf(laptop)).toEqual({ status: 'sent', reason: null });
  expect([pushesTo(first).length, pushesTo(second).length]).toEqual([1, 1]);
  // Running the same job again sends nothing.
  const { notificationId } = await readDelivery(laptop);
  await sql`select graphile_worker.add_job('notifications.deliver', ${JSON.stringify({
    ...{ notificationId, channel: 'push', message: { subject: '', body: [] } },
  })}::json)`.execute(app.db);
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker._private_jobs
      where payload ->> 'notificationId' = ${notificationId}`.execute(app.db);
    return rows.length === 0;
  });
  expect([pushesTo(first).length, pushesTo(second).length]).toEqual([1, 1]);
});

test('delays push in quiet hours, and drops messages that become untrue [NOTE-6b, NOTE-6c, NOTE-6d]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const endpoint = await turnOn(customer);
  const at = (minutes: number) => {
    const { hour, minute } = wallTimeOf(Date.now() + minutes * 60_000);
    return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  };
  await app.call(customer, notificationsApi.saveQuietHours, { startsAt: at(-60), endsAt: at(60) });
  await club.bookUntilDecided(customer, slotId);
  const readHeld = async () => {
    const { rows } = await sql<{ id: string }>`
      select job.id::text as id from graphile_worker._private_jobs job
        join notifications on notification_id::text = payload ->> 'notificationId'
      where user_id = ${customer.userId}::uuid and payload ->> 'channel' = 'push'
        and run_at > now() + interval '50 minutes'`.execute(app.db);
    return rows.map(({ id }) => id);
  };
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(30) });
  await eventually(async () => (await readHeld()).length === 1);
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(31) });
  const held = await eventually(async () => {
    const ids = await readHeld();
    return ids.length === 2 ? ids : null;
  });
  expect(pushesTo(endpoint)).toEqual([]);
  await app.call(customer, notificationsApi.removeQuietHours, {});
  await sql`select graphile_worker.reschedule_jobs(${held}::bigint[], now())`.execute(app.db);
  await eventually(async () => (await readHeld()).length === 0 && pushesTo(endpoint).length > 0);
  const ended = await eventually(async () => {
    const { rows } = await sql<{ status: string; reason: string | null }>`
      select status, reason from deliveries join notifications using (notification_id)
      where user_id = ${customer.userId}::uuid and channel = 'push' order by notifications.created_at`.execute(
      app.db,
    );
    return rows.every(({ status }) => status !== 'queued') ? rows : null;
  });
  expect(ended).toEqual([
    { status: 'skipped', reason: 'no_longer_true' },
    { status: 'sent', reason: null },
  ]);
  const { startTime, endTime } = await club.readSlot(slotId);
  expect(pushesTo(endpoint).map(({ body }) => body)).toEqual([
    `Tennis basics, ${formatLessonTime(startTime, endTime, Date.now())}`,
  ]);

  // A lesson that was to start in 11 hours is moved, so the message can't wait.
  const soonId = await club.publish();
  await club.putAt(soonId, 11 * 60);
  await club.bookUntilDecided(customer, soonId);
  await app.call(customer, notificationsApi.saveQuietHours, { startsAt: at(-60), endsAt: at(60) });
  await app.call(club.coach, lessonsApi.moveSlot, { slotId: soonId, ...inDays(33) });
  await eventually(async () => pushesTo(endpoint).length === 2);
  // Neither can the message that a lesson in 10 hours is cancelled.
  const cancelledId = await club.publish();
  await club.putAt(cancelledId, 10 * 60);
  await club.bookUntilDecided(customer, cancelledId);
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId: cancelledId, reason: '' });
  await eventually(async () => pushesTo(endpoint).length === 3);
  expect(pushesTo(endpoint)[2]).toMatchObject({ title: 'Lesson cancelled' });
});

test('unsubscribes the browser however its session ends [NOTE-8f]', async () => {
  const laptop = await app.signIn('coach');
  const [phone, tablet] = [await app.signInAs(laptop.userId), await app.signInAs(laptop.userId)];
  const endpoints = [await turnOn(laptop), await turnOn(phone), await turnOn(tablet)];
  expect(await countSubscriptions(laptop)).toBe(3);
  await app.auth(phone, '/logout?scope=local');
  expect(await countSubscriptions(laptop)).toBe(2);
  await app.auth(laptop, '/logout?scope=others');
  expect(await countSubscriptions(laptop)).toBe(1);
  await notifyCoach(laptop);
  expect(await endOf(laptop)).toEqual({ status: 'sent', reason: null });
  expect(endpoints.map((endpoint) => pushesTo(endpoint).length)).toEqual([1, 0, 0]);
  const unused = await app.signInAs(laptop.userId);
  await turnOn(unused);
  expect(await countSubscriptions(laptop)).toBe(2);
  await app.db
    .updateTable('sessions')
    .set({ refreshedAt: new Date(Date.now() - 31 * 86_400_000).toISOString() })
    .where('sessionId', '=', sessionIdOf(unused))
    .execute();
  await enqueue(app.db, 'auth.sessions-expired', {});
  await eventually(async () => (await countSubscriptions(laptop)) === 1);

  expect((await outputOf(app.call(laptop, pushApi.unsubscribe, {}))).push.isOn).toBe(false);
  await turnOn(laptop);
  expect((await app.call(laptop, ownAccountApi.deleteAccount, {})).status).toBe(200);
  expect(await countSubscriptions(laptop)).toBe(0);
});

test('subscribes a browser for one person at a time, and for nobody after sign-out', async () => {
  const [before, after] = [await app.signIn('coach'), await app.signIn('coach')];
  const subscription = service.subscribe(app.config.push!.publicKey);
  await outputOf(app.call(before, pushApi.subscribe, subscription));
  await outputOf(app.call(after, pushApi.subscribe, subscription));
  expect([await isOn(before), await isOn(after)]).toEqual([false, true]);
  await Promise.all([
    ...[1, 2, 3, 4].map(() => app.call(after, pushApi.subscribe, subscription)),
    app.auth(after, '/logout?scope=local'),
  ]);
  expect(await countSubscriptions(after)).toBe(0);
});

test('refuses an endpoint that is not public, and an invalid key [NOTE-8g]', async () => {
  const person = await app.signIn();
  const good = service.subscribe();
  for (const endpoint of [
    'http://push.example/a',
    'https://127.0.0.1/a',
    'https://localhost/a',
    'nonsense',
  ]) {
    const { error } = await app.call(person, pushApi.subscribe, { ...good, endpoint });
    expect(error, endpoint).toMatchObject({
      code: 'unprocessable',
      fields: { endpoint: expect.any(String) },
    });
  }
  const p256dh = Buffer.alloc(65, 4).toString('base64url');
  const { error } = await app.call(person, pushApi.subscribe, { ...good, p256dh });
  expect(error).toMatchObject({ code: 'unprocessable', fields: { p256dh: expect.any(String) } });
  expect(await isOn(person)).toBe(false);
});

test('offers no push without keys; unsubscribes browsers subscribed with earlier keys', async () => {
  const coach = await app.signIn('coach');
  await turnOn(coach);
  const caller = { userId: coach.userId, sessionId: sessionIdOf(coach) };
  const withoutKeys = { db: app.db, config: { ...app.config, push: undefined } };
  expect(await readPush(withoutKeys, caller)).toEqual({ publicKey: null, isOn: false });
  await expect(subscribe(withoutKeys, caller, service.subscribe())).rejects.toThrow("aren't available here");

  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } = generateSecrets();
  const newKeys = { publicKey: VAPID_PUBLIC_KEY!, privateKey: VAPID_PRIVATE_KEY! };
  const config = { ...app.config, push: { ...app.config.push!, ...newKeys } };
  expect(await readPush({ db: app.db, config }, caller)).toEqual({
    publicKey: VAPID_PUBLIC_KEY,
    isOn: false,
  });
  await notifyCoach(coach);
  expect(await endOf(coach)).toEqual({ status: 'sent', reason: null });
  const delivered = {
    notificationId: crypto.randomUUID(),
    kind: 'not_reached',
    userId: coach.userId,
  } as const;
  const message = { subject: '', body: [] };
  await expect(createChannels({ db: app.db, config }).push('', message, delivered)).rejects.toThrow(
    RefusedAddress,
  );
  expect(await countSubscriptions(coach)).toBe(0);
});
