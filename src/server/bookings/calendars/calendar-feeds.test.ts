import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import type { FeedScope } from '#domain/bookings/calendar-rules.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { createApp } from '#server/app.ts';
import { expectFolded, readCalendar } from '#server/bookings/calendars/read-calendar.test-support.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { listen } from '#server/platform/http/listen.ts';
import { createLog } from '#server/platform/log.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
const hourMs = 3_600_000;

async function createFeed(who: Someone, scope: FeedScope): Promise<string> {
  const { status, body } = await app.call(who, calendarApi.createFeed, { scope });
  expect(status).toBe(200);
  return body.address;
}

async function readFeed(address: string) {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const ics = await response.text();
  expectFolded(ics);
  return { ics, events: readCalendar(ics), etag: response.headers.get('etag')! };
}

async function book(customer: Someone, slotId: string): Promise<string> {
  const { status, body } = await club.bookUntilDecided(customer, slotId);
  expect(status).toBe(200);
  return body.bookingId;
}

test("lists a customer's lessons with the UIDs of the invitations, without attendees [NOTE-2, NOTE-9d]", async () => {
  const customer = await club.join();
  const [first, second, gone] = [await club.publish(), await club.publish(), await club.publish()];
  const [booked, moved, cancelled] = [
    await book(customer, first),
    await book(customer, second),
    await book(customer, gone),
  ];
  const invitations = await eventually(async () => {
    const emails = (await app.emailsTo(customer.email)).filter(({ subject }) => /^Booked/.test(subject));
    return emails.length === 3 ? emails.map(({ calendar }) => calendar!) : null;
  });
  const invited = invitations.flatMap(({ content }) => readCalendar(content));
  expect(invited.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'REQUEST']);
  await club.putAt(second, 5 * 60);
  await app.call(customer, bookingsApi.cancel, { bookingId: cancelled, expectedRefundCents: 5000 });
  const { events, ics } = await readFeed(await createFeed(customer, 'customer'));
  expect(events.map(({ uid, status, sequence }) => [uid, status, sequence])).toEqual([
    [moved, 'CONFIRMED', 1],
    [booked, 'CONFIRMED', 0],
    [cancelled, 'CANCELLED', 1],
  ]);
  expect(invited.map(({ uid }) => uid).sort()).toEqual(events.map(({ uid }) => uid).sort());
  for (const event of events) expect(event).toMatchObject({ method: 'PUBLISH', attendees: [] });
  expect(ics).not.toContain(customer.email);

  const file = await app.call(customer, calendarApi.getBookingFile, { bookingId: booked });
  expect(file.body.fileName).toBe('lesson.ics');
  expect(readCalendar(file.body.ics)).toEqual([events[1]]);
  const stranger = await app.call(await club.join(), calendarApi.getBookingFile, { bookingId: booked });
  expect(stranger.status).toBe(404);
});

test('keeps UIDs and raises SEQUENCE in feeds and files on moves and cancellations [NOTE-2, NOTE-10a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const customer = await club.join();
  const slotId = await club.publish({ coachId: coach.userId });
  const bookingId = await book(customer, slotId);
  const feeds = [await createFeed(customer, 'customer'), await createFeed(coach, 'coach')];
  const read = async () => {
    const files = [
      (await app.call(customer, calendarApi.getBookingFile, { bookingId })).body.ics,
      (await app.call(coach, calendarApi.getSlotFile, { slotId })).body.ics,
    ];
    const events = files.map((ics) => readCalendar(ics)[0]!);
    expect([await readFeed(feeds[0]!), await readFeed(feeds[1]!)].map((feed) => feed.events)).toEqual(
      events.map((event) => [event]),
    );
    expect(events[0]!.start).toBe(events[1]!.start);
    return { start: events[0]!.start, all: events.map((one) => [one.uid, one.sequence, one.status]) };
  };
  const expected = (sequence: number, status = 'CONFIRMED') => [
    [bookingId, sequence, status],
    [slotId, sequence, status],
  ];
  expect((await read()).all).toEqual(expected(0));
  for (const [moves, days] of [40, 41].entries()) {
    const date = addDays(wallTimeOf(Date.now()).date, days);
    const moved = await app.call(coach, lessonsApi.moveSlot, { slotId, date, hour: 12, minute: 0 });
    expect(moved.status, moved.error?.message).toBe(200);
    const { start, all } = await read();
    expect(start).toBe(moved.body.slot.startTime);
    expect(all).toEqual(expected(moves + 1));
  }
  expect((await app.call(coach, lessonsApi.cancelSlot, { slotId, reason: 'Rain' })).status).toBe(200);
  expect((await read()).all).toEqual(expected(3, 'CANCELLED'));
});

test('shows past and cancelled lessons for 30 days, and all upcoming lessons [NOTE-11d]', async () => {
  const customer = await club.join();
  const days = [-31, -29, 1, 200];
  const bookings: string[] = [];
  for (const day of days) {
    const slotId = await club.publish();
    bookings.push(await book(customer, slotId));
    await club.putAt(slotId, day * 24 * 60);
  }
  const cancelledAgo = [29, 31].map((ago) => new Date(Date.now() - ago * 24 * hourMs).toISOString());
  const cancelled: string[] = [];
  for (const cancelledAt of cancelledAgo) {
    const bookingId = await book(customer, await club.publish());
    await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
    await app.db.updateTable('bookings').set({ cancelledAt }).where('bookingId', '=', bookingId).execute();
    cancelled.push(bookingId);
  }
  const address = await createFeed(customer, 'customer');
  const { events } = await readFeed(address);
  expect(events.map(({ uid, status }) => [uid, status])).toEqual([
    ...[bookings[1], bookings[2]].map((uid) => [uid, 'CONFIRMED']),
    [cancelled[0], 'CANCELLED'],
    [bookings[3], 'CONFIRMED'],
  ]);
});

test("lists a coach's recent and upcoming lessons, but none that the coach has booked [NOTE-11, NOTE-11d]", async () => {
  const coach = await app.signIn('coach', 'customer');
  const slotIds: string[] = [];
  for (const day of [-31, -29, 1, 200]) {
    const slotId = await club.publish({ coachId: coach.userId });
    await club.putAt(slotId, day * 24 * 60);
    slotIds.push(slotId);
  }
  const cancelled: string[] = [];
  for (const ago of [29, 31]) {
    const slotId = await club.publish({ coachId: coach.userId });
    expect((await app.call(coach, lessonsApi.cancelSlot, { slotId, reason: '' })).status).toBe(200);
    const cancelledAt = new Date(Date.now() - ago * 24 * hourMs).toISOString();
    await app.db.updateTable('lessonSlots').set({ cancelledAt }).where('slotId', '=', slotId).execute();
    cancelled.push(slotId);
  }
  const booked = await club.publish({ priceCents: 0 });
  expect((await club.book(coach, booked, 0)).body.outcome).toBe('booked');
  const [own, given] = [await createFeed(coach, 'customer'), await createFeed(coach, 'coach')];
  expect(own).not.toBe(given);
  const read = async (address: string) =>
    (await readFeed(address)).events.map(({ uid, status }) => [uid, status]);
  expect(await read(given)).toEqual([
    ...[slotIds[1], slotIds[2]].map((uid) => [uid, 'CONFIRMED']),
    [cancelled[0], 'CANCELLED'],
    [slotIds[3], 'CONFIRMED'],
  ]);
  const [booking] = await club.readBookings(booked);
  expect(await read(own)).toEqual([[booking!.bookingId, 'CONFIRMED']]);
});

test("shows coaches lessons with seats and customers' short names, but nothing private [NOTE-12a, NOTE-9d]", async () => {
  const coach = await app.signIn('coach', 'customer');
  const [given, empty, off] = [
    await club.publish({ coachId: coach.userId }),
    await club.publish({ coachId: coach.userId, startsInHours: 200 }),
    await club.publish({ coachId: coach.userId, startsInHours: 220 }),
  ];
  const names = ['Zoë van der Berg', 'jo.o@mail.example', 'Madonna', 'Ann 07700 900123'];
  const people = [];
  for (const fullName of names) {
    const customer = await club.join();
    await book(customer, given);
    await app.db.updateTable('profiles').set({ fullName }).where('userId', '=', customer.userId).execute();
    people.push(customer);
  }
  await app.call(coach, lessonsApi.cancelSlot, { slotId: off, reason: 'A private reason' });
  const { events, ics } = await readFeed(await createFeed(coach, 'coach'));
  expect(events.map(({ uid, summary, description, status }) => [uid, summary, description, status])).toEqual([
    [given, 'Tennis basics (4/4)', 'Booked: Zoë B., Anonymous, Madonna, Ann', 'CONFIRMED'],
    [empty, 'Tennis basics (0/4)', 'No bookings', 'CONFIRMED'],
    [off, 'Cancelled: Tennis basics (0/4)', 'No bookings', 'CANCELLED'],
  ]);
  for (const event of events) expect(event).toMatchObject({ method: 'PUBLISH', attendees: [] });
  const sender = events[0]!.organizer;
  expect(ics.replaceAll(sender, '')).not.toMatch(/@|private|07700 9|Berg/);
  const file = await app.call(coach, calendarApi.getSlotFile, { slotId: given });
  expect(readCalendar(file.body.ics)).toEqual([events[0]]);
  expect((await app.call(club.coach, calendarApi.getSlotFile, { slotId: given })).status).toBe(404);
});

test("names a child by first name and initial in a parent's feed and file [NOTE-12a]", async () => {
  const parent = await club.join();
  const child = await family.addReadyChild(parent, { fullName: 'Mia Morgan' });
  const { body } = await family.bookFor(parent, await club.publish(), child);
  expect(body.outcome).toBe('booked');
  const { events } = await readFeed(await createFeed(parent, 'customer'));
  const file = await app.call(parent, calendarApi.getBookingFile, { bookingId: body.bookingId });
  for (const [event, ...others] of [events, readCalendar(file.body.ics)]) {
    expect(others).toEqual([]);
    expect(event!.description.split('\n')).toContain('For Mia M.');
    expect(JSON.stringify(event)).not.toContain('Morgan');
  }
});

test("returns the file of a child's lesson to another guardian, but not after they leave", async () => {
  const [parent, guardian] = [await club.join(), await club.join()];
  const participantId = await family.addReadyChild(parent);
  const { body } = await family.bookFor(parent, await club.publish(), participantId);
  const own = await family.bookFor(parent, await club.publish(), parent.userId);
  const ask = (who: Someone, { bookingId }: { bookingId: string }) =>
    app.call(who, calendarApi.getBookingFile, { bookingId });
  expect((await ask(guardian, body)).status).toBe(404);
  await family.shareWith(parent, guardian, participantId);
  const [seen, booked] = [await ask(guardian, body), await ask(parent, body)];
  expect(readCalendar(seen.body.ics)).toEqual(readCalendar(booked.body.ics));
  expect((await ask(guardian, own.body)).status).toBe(404);
  await app.call(guardian, guardiansApi.leave, { participantId });
  expect((await ask(guardian, body)).status).toBe(404);
});

test('returns 304 until a lesson changes, and asks programs to read the feed hourly [NOTE-11c]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  await book(customer, slotId);
  const address = await createFeed(customer, 'customer');
  const { etag, ics } = await readFeed(address);
  expect(ics).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n');
  const ask = (tag: string) => fetch(address, { headers: { 'if-none-match': tag } });
  const same = await ask(`"other", ${etag}`);
  expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
  expect(same.headers.get('cache-control')).toBe('private, no-cache');
  await club.putAt(slotId, 600);
  const changed = await ask(etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
  expect((await fetch(address, { method: 'HEAD' })).headers.get('etag')).toBe(changed.headers.get('etag'));
});

test('shows a 256-bit token once, and stores only its hash [NOTE-11a]', async () => {
  const customer = await club.join();
  const address = await createFeed(customer, 'customer');
  const [, token = ''] = /^http:\/\/127\.0\.0\.1:\d+\/calendar\/([\w-]{43})\.ics$/.exec(address)!;
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const { rows } = await sql<{ row: string; hash: Buffer }>`
    select feed::text as row, token_hash as hash from calendar_feeds feed where user_id = ${customer.userId}`.execute(
    app.db,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.row).not.toContain(token);
  expect(rows[0]!.hash).toEqual(createHash('sha256').update(token).digest());
  const listed = await app.call(customer, calendarApi.listFeeds, {});
  expect(JSON.stringify(listed.body)).not.toContain(token);
  expect(listed.body.feeds).toMatchObject([{ scope: 'customer', readAt: null }]);
  await readFeed(address);
  const [feed] = (await app.call(customer, calendarApi.listFeeds, {})).body.feeds;
  expect(Date.parse(feed!.readAt!)).toBeGreaterThan(Date.now() - 60_000);
});

test('returns 410 for an address as soon as it is replaced or switched off [NOTE-11b]', async () => {
  const customer = await club.join();
  const former = await createFeed(customer, 'customer');
  await readFeed(former);
  const renewed = await createFeed(customer, 'customer');
  expect((await fetch(former)).status).toBe(410);
  await readFeed(renewed);
  await app.call(customer, calendarApi.revokeFeed, { scope: 'customer' });
  const gone = await fetch(renewed, { headers: { 'if-none-match': '*' } });
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([410, 'no-store']);
  expect((await app.call(customer, calendarApi.listFeeds, {})).body.feeds).toEqual([]);
  expect((await app.call(customer, calendarApi.revokeFeed, { scope: 'customer' })).status).toBe(200);
});

test('keeps only one address working when several are created simultaneously', async () => {
  const customer = await club.join();
  const addresses = await Promise.all([1, 2, 3].map(() => createFeed(customer, 'customer')));
  const statuses = await Promise.all(addresses.map(async (address) => (await fetch(address)).status));
  expect(statuses.sort()).toEqual([200, 410, 410]);
});

test("closes a coach's feed when the coach loses the role, and refuses a new feed", async () => {
  const coach = await app.signIn('coach');
  const address = await createFeed(coach, 'coach');
  await readFeed(address);
  await app.db.updateTable('profiles').set({ roles: [] }).where('userId', '=', coach.userId).execute();
  expect((await fetch(address)).status).toBe(410);
  const refused = await app.call(coach, calendarApi.createFeed, { scope: 'coach' });
  expect([refused.status, refused.error?.code]).toEqual([403, 'forbidden']);
});

test("keeps the token out of the logs, and doesn't record failed reads [NOTE-12b]", async () => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const pool = openPool(app.databaseUrl, { size: 1 });
  await pool.end();
  const closed = openDatabase(pool);
  const customer = await club.join();
  const inUse = new URL(await createFeed(customer, 'customer')).pathname;
  const failing = { config: app.config, cards: app.cards, log, readDb: closed };
  for (const [db, statuses] of [
    [app.db, [500, 410]],
    [closed, [500, 500]],
  ] as const) {
    const served = await listen(createApp({ ...failing, db }).fetch, { port: 0, host: '127.0.0.1' });
    const revoked = `/calendar/${'r'.repeat(43)}.ics`;
    const answers = [inUse, revoked].map((path) => fetch(`http://127.0.0.1:${served.port}${path}`));
    expect((await Promise.all(answers)).map(({ status }) => (status >= 500 ? 500 : status))).toEqual(
      statuses,
    );
    await served.close({ drainMs: 0 });
  }
  expect((await app.call(customer, calendarApi.listFeeds, {})).body.feeds).toMatchObject([{ readAt: null }]);
  expect(lines.filter((line) => line.includes('/calendar/[token].ics')).length).toBeGreaterThanOrEqual(4);
  expect(lines.join('')).not.toContain(inUse);
  expect(lines.join('')).not.toContain('r'.repeat(43));
  const guide = await readFile(join(packageRoot, 'docs', 'operations.md'), 'utf8');
  expect(guide).toMatch(/location \/calendar\/ \{\s+access_log off;\s+error_log \/dev\/null crit;/);
  expect(guide).toMatch(/listen 80;[^}]*access_log off;[^}]*return 301/);
});

test('allows at most 60 reads of each feed an hour', async () => {
  const address = await createFeed(await club.join(), 'customer');
  const other = await createFeed(await club.join(), 'customer');
  const answers = await Promise.all(Array.from({ length: 62 }, () => fetch(address)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(refused).toHaveLength(2);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(other)).status).toBe(200);
});
