import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import type { StoredNotification } from '#server/notifications/delivery-records.ts';
import { openLive } from '#server/realtime/live-client.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  setUpTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { queuedAnnouncements } from './check-announcements.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
const dayMs = 24 * 60 * 60 * 1000;

/** Publishes a free lesson that `people` customers have booked. */
async function bookFree(people: number, coach: Someone = club.coach) {
  const slotId = await club.publish({ seats: 8, priceCents: 0, coachId: coach.userId });
  const customers = await Promise.all(Array.from({ length: people }, () => club.join(null)));
  const bookingIds: string[] = [];
  for (const customer of customers) bookingIds.push((await club.book(customer, slotId, 0)).body.bookingId);
  return { slotId, customers, bookingIds };
}

const send = (slotId: string, text: string, expectedRecipients: number, coach: Someone = club.coach) =>
  app.call(coach, announcementsApi.send, { slotId, text, expectedRecipients });
const listSent = async (slotId: string) =>
  (await app.call(club.coach, announcementsApi.listSent, { slotId })).body;
const cancel = (who: Someone, bookingId: string) =>
  app.call(who, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
const readOn = async (who: Someone, bookingId: string) =>
  (await app.call(who, bookingsApi.getMine, { bookingId })).body.announcements.map(({ text }) => text);
const emailsOf = async ({ email }: Someone) =>
  (await app.emailsTo(email)).filter(({ subject }) => subject.startsWith('Announcement: ')) as unknown as {
    subject: string;
    text: string;
    html: string;
    headers: Record<string, string>;
  }[];
const listedBy = async (who: Someone) =>
  (await app.call(who, notificationsApi.listNotifications, {})).body.notifications.filter(
    ({ kind }) => kind === 'announcement',
  );

test('sends an announcement separately to each customer, by email and in the app [MSG-1a, MSG-1b]', async () => {
  const { slotId, customers, bookingIds } = await bookFree(3);
  const [first, second, gone] = customers as [Someone, Someone, Someone];
  expect((await cancel(gone, bookingIds[2]!)).error?.message).toBeUndefined();
  const names = await app.db
    .selectFrom('profiles')
    .select(['userId', 'fullName'])
    .where(
      'userId',
      'in',
      [...customers, club.coach].map(({ userId }) => userId),
    )
    .execute();
  const nameOf = ({ userId }: Someone) => names.find((one) => one.userId === userId)!.fullName;

  const text = 'Bring a warm layer.\r\n\r\n\r\n\r\nWe meet at gate B.';
  const sent = await send(slotId, text, 2);
  expect(sent.error?.message).toBeUndefined();
  const kept = 'Bring a warm layer.\n\nWe meet at gate B.';
  expect(sent.body.announcement).toMatchObject({ text: kept, recipients: 2 });

  for (const [customer, other, bookingId] of [
    [first, second, bookingIds[0]],
    [second, first, bookingIds[1]],
  ] as const) {
    const email = await eventually(async () => (await emailsOf(customer))[0]);
    expect(email.subject).toMatch(/^Announcement: Tennis basics, .+–/);
    expect(email.text).toContain(
      `Hello ${nameOf(customer)},\n\n${nameOf(club.coach)} has written to everyone`,
    );
    expect(email.text).toContain('“Bring a warm layer.\nWe meet at gate B.”');
    expect(email.text).toContain(`${app.url}/customer/bookings/${bookingId}`);
    expect(email.text).toContain(`Replies to this email don't reach ${nameOf(club.coach)}.`);
    expect(email.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    // The email reveals neither the other recipients nor the coach's email address.
    for (const hidden of [other.email, nameOf(other), club.coach.email]) {
      expect(JSON.stringify(email)).not.toContain(hidden);
    }
    expect(await listedBy(customer)).toMatchObject([
      {
        title: email.subject,
        summary: `${nameOf(club.coach)}: “${kept}”`,
        path: `/customer/bookings/${bookingId}`,
        readAt: null,
      },
    ]);
    expect(await readOn(customer, bookingId!)).toEqual([kept]);
  }
  expect(await listedBy(gone)).toEqual([]);
  expect(await emailsOf(gone)).toEqual([]);
  expect(await readOn(gone, bookingIds[2]!)).toEqual([]);

  const audited = await app.db
    .selectFrom('auditLog')
    .select(['actorUserId', 'after'])
    .where('action', '=', 'announcement.sent')
    .where('subjectId', '=', slotId)
    .execute();
  const { announcementId } = sent.body.announcement;
  expect(audited).toEqual([{ actorUserId: club.coach.userId, after: { announcementId, recipients: 2 } }]);
});

test('sends one announcement to each guardian, and to anyone with two seats [MSG-1f]', async () => {
  const [parent, guardian] = [await club.join(null), await club.join(null)];
  const child = await family.addReadyChild(parent);
  await family.shareWith(parent, guardian, child);
  const slotId = await club.publish({ seats: 8, priceCents: 0 });
  const own = (await club.book(parent, slotId, 0)).body.bookingId;
  const { bookingId } = (await family.bookFor(parent, slotId, child, 0)).body;
  expect((await listSent(slotId)).recipients).toBe(2);
  const sent = await send(slotId, 'Bring a hat', 2);
  expect(sent.body.announcement.recipients).toBe(2);
  for (const [person, linked, readable] of [
    [parent, own, [own, bookingId]],
    [guardian, bookingId, [bookingId]],
  ] as const) {
    // Each entry in the app is one email.
    await eventually(async () => (await emailsOf(person)).length === 1);
    expect(await listedBy(person)).toMatchObject([{ path: `/customer/bookings/${linked}` }]);
    for (const id of readable) expect(await readOn(person, id)).toEqual(['Bring a hat']);
  }
});

test("shows a lesson's earlier announcements to people who book later [MSG-1c]", async () => {
  const { slotId, customers, bookingIds } = await bookFree(2);
  const [staying, leaving] = customers as [Someone, Someone];
  const { announcementId, sentAt } = (await send(slotId, 'First', 2)).body.announcement;
  await cancel(leaving, bookingIds[1]!);
  expect((await send(slotId, 'Second', 1)).status).toBe(200);
  expect(await listSent(slotId)).toEqual({
    announcements: [
      expect.objectContaining({ text: 'Second', recipients: 1 }),
      { announcementId, text: 'First', sentAt, recipients: 2 },
    ],
    recipients: 1,
  });
  expect(await readOn(staying, bookingIds[0]!)).toEqual(['Second', 'First']);
  expect(await readOn(leaving, bookingIds[1]!), 'sent before the cancellation').toEqual(['First']);

  const late = await club.join(null);
  const { bookingId } = (await club.book(late, slotId, 0)).body;
  expect(await readOn(late, bookingId)).toEqual(['Second', 'First']);
  expect(await listedBy(late)).toEqual([]);
  expect((await listSent(slotId)).recipients).toBe(2);
  // A pending booking is not paid yet, so it shows no announcements.
  await app.db
    .updateTable('bookings')
    .set({ status: 'pending' })
    .where('bookingId', '=', bookingId)
    .execute();
  expect(await readOn(late, bookingId)).toEqual([]);
  expect((await listSent(slotId)).recipients).toBe(1);

  const changed = app.db.updateTable('announcements').set({ text: 'Never said' });
  await expect(changed.where('slotId', '=', slotId).execute()).rejects.toThrow('append-only');
});

test('limits a lesson to three announcements in 24 hours, even if sent simultaneously [MSG-1a]', async () => {
  const { slotId } = await bookFree(1);
  const other = await bookFree(1);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, number) => send(slotId, `Number ${number}`, 1)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429)!.error!;
  expect(refused.message).toMatch(
    /^You've sent 3 announcements about this lesson in the last 24 hours\. You can send another one from .+, \d\d:\d\d\.$/,
  );
  const { retryAfterSeconds } = refused.details as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThan(86_000);
  expect(retryAfterSeconds).toBeLessThanOrEqual(86_400);
  expect((await listSent(slotId)).announcements).toHaveLength(3);
  expect((await send(other.slotId, 'Another lesson', 1)).status).toBe(200);

  // Replaces the lesson's announcements with some that were sent about a day ago.
  await app.db.deleteFrom('announcements').where('slotId', '=', slotId).execute();
  const earlier = { slotId, coachId: club.coach.userId, recipients: 1 };
  await app.db
    .insertInto('announcements')
    .values(
      [-5_000, 5_000, 6_000].map((ms, number) => ({
        ...{ ...earlier, text: `Earlier ${number}` },
        sentAt: new Date(Date.now() - dayMs + ms + 60_000).toISOString(),
      })),
    )
    .execute();
  expect((await send(slotId, 'Too early', 1)).status).toBe(429);
  await app.db.deleteFrom('announcements').where('text', '=', 'Earlier 0').execute();
  expect((await send(slotId, 'In time', 1)).status).toBe(200);
});

test("refuses a coach's 31st announcement in a day", async () => {
  const coach = await app.signIn('coach');
  const { slotId } = await bookFree(1, coach);
  await sql`insert into rate_limits (key, calls, expires_at_ms)
    values (${`announcements:${coach.userId}`}, 30, extract(epoch from now() + interval '1 hour') * 1000)`.execute(
    app.db,
  );
  const { status, error } = await send(slotId, 'The 31st', 1, coach);
  expect([status, error?.message]).toEqual([
    429,
    "You've sent 30 announcements in a day. Please try again in 60 minutes.",
  ]);
});

test('refuses invalid, repeated and late announcements, and those without recipients [MSG-1a]', async () => {
  const { slotId, customers, bookingIds } = await bookFree(2);
  const refusalOf = async (...input: Parameters<typeof send>) => {
    const { status, error } = await send(...input);
    return [status, error?.fields?.text ?? error?.message];
  };
  expect(await refusalOf(slotId, ' \n ', 2)).toEqual([422, 'Write your announcement.']);
  expect(await refusalOf(slotId, 'x'.repeat(401), 2)).toEqual([
    422,
    "An announcement can't be longer than 400 characters.",
  ]);
  expect(await refusalOf(slotId, 'Not mine', 2, await app.signIn('coach'))).toEqual([
    404,
    'Lesson not found.',
  ]);
  expect((await app.call(customers[0]!, announcementsApi.listSent, { slotId })).status).toBe(403);
  expect(await refusalOf(slotId, 'To one', 1)).toEqual([
    409,
    '2 people would get this announcement now. Check it and send it again.',
  ]);
  const longest = '\u{1f3be}'.repeat(200);
  expect((await send(slotId, longest, 2)).status).toBe(200);
  const [status, message] = await refusalOf(slotId, longest, 2);
  expect([status, message]).toEqual([
    409,
    expect.stringMatching(/^You already sent this announcement at \d\d:\d\d\.$/),
  ]);

  for (const [index, customer] of customers.entries()) await cancel(customer, bookingIds[index]!);
  expect(await refusalOf(slotId, 'Anybody?', 1)).toEqual([
    409,
    'Nobody has a place in this lesson, so nobody would get your announcement.',
  ]);
  const past = await bookFree(1);
  await club.putAt(past.slotId, -6 * 24 * 60);
  expect((await send(past.slotId, 'You forgot your racket', 1)).status).toBe(200);
  await club.putAt(past.slotId, -8 * 24 * 60);
  expect(await refusalOf(past.slotId, 'And your shoes', 1)).toEqual([
    409,
    'This lesson ended more than 7 days ago, so you can no longer send announcements about it.',
  ]);
  const cancelled = await bookFree(1);
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId: cancelled.slotId, reason: 'Rain' });
  expect(await refusalOf(cancelled.slotId, 'It rains', 1)).toEqual([
    409,
    'This lesson is cancelled and everyone has been emailed, so nobody would get your announcement.',
  ]);
});

test('emails no announcement to a customer who cancels before it is sent [MSG-1b]', async () => {
  const { slotId, customers, bookingIds } = await bookFree(2);
  const { announcementId: version } = (await send(slotId, 'Wait for it', 2)).body.announcement;
  await cancel(customers[1]!, bookingIds[1]!);
  const check = queuedAnnouncements(app.db).announcement!;
  const queued = { subject: 'Announcement', body: ['Wait for it'] };
  const deliver = (subjectId: string) => check({ subjectId, version } as StoredNotification, queued, 'email');
  expect(await deliver(bookingIds[0]!)).toEqual(queued);
  expect(await deliver(bookingIds[1]!)).toBeNull();
});

test('shows links and HTML in an announcement as plain text in its email [MSG-1a]', async () => {
  const { slotId, customers } = await bookFree(1);
  const link = 'https://elsewhere.example/pay';
  await app.db
    .updateTable('profiles')
    .set({ fullName: '<b>Eve</b> & "co"' })
    .where('userId', '=', customers[0]!.userId)
    .execute();
  expect((await send(slotId, `<img src=x>\n\n${link}\n\t\n${link}`, 1)).status).toBe(200);
  expect((await send(slotId, link, 1)).status).toBe(200);
  await eventually(async () => (await emailsOf(customers[0]!)).length === 2);
  for (const { html } of await emailsOf(customers[0]!)) {
    expect(html).toContain(link);
    expect(html).not.toContain(`href="${link}`);
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain('&lt;b&gt;Eve&lt;/b&gt; &amp; &quot;co&quot;');
  }
});

test("sends coach and customer a live update without the announcement's text", async () => {
  const { slotId, customers, bookingIds } = await bookFree(1);
  const [line, coachLine] = [
    openLive(app.url, () => customers[0]!.token),
    openLive(app.url, () => club.coach.token),
  ];
  const own = line.join(`user:${customers[0]!.userId}`);
  const coach = coachLine.join(`coach:${club.coach.userId}`);
  expect([await own.answered(), await coach.answered()]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  // Deletes the changes that the booking recorded, so that they aren't sent.
  await app.db.deleteFrom('changes').execute();
  [own.messages.length, coach.messages.length] = [0, 0];
  await send(slotId, 'Something private', 1);
  await own.next(({ payload }) => payload.kind === 'bookings' && payload.id === bookingIds[0]);
  await coach.next(({ payload }) => payload.kind === 'slots' && payload.id === slotId);
  expect(JSON.stringify([...own.messages, ...coach.messages])).not.toContain('private');
  for (const { close } of [line, coachLine]) close();
});

test("includes announcements in the coach's download; deletes them with the account", async () => {
  const coach = await app.signIn('coach', 'customer');
  const { slotId, customers, bookingIds } = await bookFree(1, coach);
  const text = 'Ring the bell of number seven';
  expect((await send(slotId, text, 1, coach)).status).toBe(200);
  const [customer, bookingId] = [customers[0]!, bookingIds[0]!];
  await eventually(async () => (await emailsOf(customer)).length === 1);
  await app.call(customer, notificationsApi.markAllRead, {});
  const { body } = await app.call(coach, ownAccountApi.getOwnData, ownProof);
  const rowsOf = (table: string) => body.records.find((record) => record.table === table)!.rows;
  expect(rowsOf('announcements')).toMatchObject([{ slotId, text, recipients: 1 }]);
  const notified = rowsOf('notifications').filter(({ kind }) => kind === 'announcement');
  // The coach must not learn whether the customer has read the announcement.
  expect(notified).toMatchObject([{ readAt: null, seenAt: null }]);

  await club.putAt(slotId, -8 * 24 * 60);
  await app.call(coach, ownAccountApi.getOwnData, ownProof);
  expect((await app.call(coach, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  expect(await readOn(customer, bookingId)).toEqual([]);
  expect(await listedBy(customer)).toEqual([]);
});
