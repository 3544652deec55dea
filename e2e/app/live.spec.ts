import type { Page, WebSocketRoute } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { call, secondUrl } from '../support/api.ts';
import { bookingOf, confirmButton } from '../support/booking-page.ts';
import { builtScript } from '../support/built-script.ts';
import { bookByApi, publishAt, publishLessons } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { expect, test, waitForLayout } from '../support/fixtures.ts';
import { readFrame } from '../support/live-updates.ts';
import { becomePerson, openCoach, openCustomer, openDemo, readSession } from '../support/people.ts';
import { addressOf } from '../support/responses.ts';

const paused = (page: Page) => page.getByText('Live updates paused');

/** How long a page may show an old figure after the connection is back, in milliseconds (RT-9). */
const staleForMs = 5_000;

/**
 * Counts a page's live connections and records the topics that they joined. `interrupt` closes the connections and
 * refuses new connections until `restore`.
 */
async function watchConnection(page: Page) {
  const connection = { isInterrupted: false, opened: 0, heartbeats: 0, sockets: new Set<WebSocketRoute>() };
  const joined: { topic: string; token: string | undefined }[] = [];
  const broadcasts: string[] = [];
  await page.routeWebSocket(/\/realtime\/v1\//, async (socket) => {
    if (connection.isInterrupted) return socket.close({ code: 1001 });
    connection.opened += 1;
    connection.sockets.add(socket);
    const server = socket.connectToServer();
    const joining = new Map<string, (typeof joined)[number]>();
    socket.onMessage((message) => {
      const [, ref, topic, event, payload] = readFrame(message);
      if (event === 'phx_join') joining.set(ref!, { topic: topic!, token: payload?.access_token });
      if (event === 'heartbeat') connection.heartbeats += 1;
      server.send(message);
    });
    server.onMessage((message) => {
      const [, ref, topic, event, payload] = readFrame(message);
      const join = joining.get(ref!);
      const isReply = event === 'phx_reply' && join?.topic === topic;
      if (isReply && payload?.status === 'ok') joined.push(join!);
      if (event === 'broadcast') broadcasts.push(String(message));
      socket.send(message);
    });
  });
  return {
    isJoined: (topic: string) => joined.some((join) => join.topic === topic),
    /** The tokens with which the page joined this topic, in order. */
    tokensOf: (topic: string) => joined.filter((join) => join.topic === topic).map(({ token }) => token),
    received: (text: string) => broadcasts.some((broadcast) => broadcast.includes(text)),
    count: () => connection.opened,
    countHeartbeats: () => connection.heartbeats,
    refuse: () => {
      connection.isInterrupted = true;
    },
    interrupt: async () => {
      connection.isInterrupted = true;
      joined.length = 0;
      for (const socket of connection.sockets) await socket.close({ code: 1001 });
      connection.sockets.clear();
    },
    restore: () => {
      connection.isInterrupted = false;
    },
  };
}

test('shows a booking on all open pages, in two processes and after an interruption [RT-2b, RT-4, RT-9]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Lena Live');
  const slot = await publishAt(
    coach,
    { date: addDays(today(), 3), hour: 10 },
    { seats: 8, title: 'Live tennis' },
  );
  const [first, second] = [await openCustomer({ card: null }), await openCustomer({ card: null })];

  // A visitor looks at discover. Through another process, the coach looks at the calendar and the attendees.
  const visitorConnection = await watchConnection(page);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes(slotsApi.readAvailability.path)) asked += 1;
  });
  await page.goto(`/customer/discover?coachId=${coach.userId}`);
  await waitForLayout(page);
  const card = page.getByRole('listitem').filter({ hasText: 'Live tennis' });
  await expect(card).toContainText('8 of 8');
  const context = await browser.newContext({ baseURL: secondUrl });
  const [calendar, lesson] = [await context.newPage(), await context.newPage()];
  const calendarConnection = await watchConnection(calendar);
  const lessonConnection = await watchConnection(lesson);
  await becomePerson(calendar, coach);
  await calendar.goto(`/coach?date=${addDays(today(), 3)}`);
  await lesson.goto(`/coach/lesson/${slot.slotId}`);
  const shows = (count: string) =>
    calendar.getByRole('main').getByText(count).filter({ visible: true }).first();
  await expect(shows('0/8')).toBeVisible();
  const attendees = lesson.getByRole('main');
  await expect(attendees).not.toContainText(first.email);
  const untilJoined = async () => {
    await expect.poll(() => visitorConnection.isJoined('realtime:places')).toBe(true);
    for (const connection of [calendarConnection, lessonConnection]) {
      for (const topic of ['user', 'coach']) {
        await expect.poll(() => connection.isJoined(`realtime:${topic}:${coach.userId}`)).toBe(true);
      }
    }
  };
  await untilJoined();
  const pages = [page, calendar, lesson];
  for (const shown of pages) await shown.evaluate(() => Object.assign(window, { isKept: true }));

  asked = 0;
  const countUnread = async () => (await call(coach, notificationsApi.countNotifications, {})).counts.unread;
  const bell = calendar.getByRole('button', { name: /^Notifications/ });
  const unread = await countUnread();
  const refetched = [
    lesson.waitForRequest(addressOf(lessonsApi.listAttendees)),
    calendar.waitForRequest(addressOf(slotsApi.listCoachSlots)),
    calendar.waitForRequest(addressOf(notificationsApi.countNotifications)),
  ];
  await bookByApi(first, slot);
  const bookedAt = Date.now();
  const waits = await Promise.all(
    [
      expect(card).toContainText('7 of 8'),
      expect(shows('1/8')).toBeVisible(),
      expect(attendees).toContainText(first.email),
      expect(bell).toHaveAttribute('aria-label', `Notifications, ${unread + 1} unread`),
    ].map((seen) => seen.then(() => Date.now() - bookedAt)),
  );
  await Promise.all(refetched);
  test.info().annotations.push({ type: 'live', description: `all within ${Math.max(...waits)} ms` });
  await expect(paused(page)).toHaveCount(0);
  expect(asked).toBe(0);
  // A reload would have removed this mark.
  for (const shown of pages) expect(await shown.evaluate(() => 'isKept' in window)).toBe(true);

  const connections = [visitorConnection, calendarConnection, lessonConnection];
  const cutAt = Date.now();
  await Promise.all([page.context().setOffline(true), context.setOffline(true)]);
  for (const connection of connections) await connection.interrupt();
  await expect(paused(page)).toBeVisible();
  await expect(paused(calendar)).toBeVisible();
  await bookByApi(second, slot);
  await expect.poll(() => Date.now() - cutAt).toBeGreaterThan(10_000);
  await expect(card).toContainText('7 of 8');
  for (const connection of connections) connection.restore();
  await Promise.all([page.context().setOffline(false), context.setOffline(false)]);
  await untilJoined();
  // A busy machine takes longer, so the limit depends on how long the first booking took to arrive.
  const timeout = Math.max(staleForMs, 5 * Math.max(...waits));
  await Promise.all([
    expect(card).toContainText('6 of 8', { timeout }),
    expect(shows('2/8')).toBeVisible({ timeout }),
    expect(attendees).toContainText(second.email, { timeout }),
    expect(bell).toHaveAttribute('aria-label', `Notifications, ${unread + 2} unread`, { timeout }),
    expect(paused(page)).toHaveCount(0, { timeout }),
  ]);
  await context.close();
});

test('replaces an unresponsive connection [RT-9]', async ({ page }) => {
  const customer = await openCustomer({ card: null });
  const [lesson] = await publishLessons({ seats: 8, priceCents: 0 });
  const topic = `realtime:user:${customer.userId}`;
  const joined: number[] = [];
  let opened = 0;
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
    opened += 1;
    const number = opened;
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const [, , of, event] = readFrame(message);
      // After it has joined, the first connection receives nothing more from the server.
      if (number === 1 && joined.includes(1)) return;
      if (of === topic && event === 'phx_reply') joined.push(number);
      socket.send(message);
    });
  });
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await expect.poll(() => joined).toContain(1);
  // Simulates a return to the tab, which makes the page send a heartbeat.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => joined).toContain(2);
  await bookByApi(customer, lesson!);
  await expect(page.getByRole('main')).toContainText(lesson!.title);
});

test('fetches seat availability every 20 s while live updates are paused [RT-1a, RT-3c, RT-8c]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ seats: 8, priceCents: 0 });
  const connection = await watchConnection(page);
  connection.refuse();
  await page.clock.install();
  let seconds = 0;
  const pollsAt: number[] = [];
  page.on('request', (request) => {
    if (request.url().includes(slotsApi.readAvailability.path)) pollsAt.push(seconds);
  });
  const pass = async () => {
    await page.clock.runFor(1_000);
    seconds += 1;
  };
  const coach = await openDemo('coach@demo.test');
  const day = wallTimeOf(lesson!.startTime).date;
  await page.goto(`/customer/discover?coachId=${coach.userId}&from=${day}&to=${day}`);
  await waitForLayout(page);
  const card = page.getByRole('listitem').filter({ hasText: lesson!.title });
  await expect(card).toContainText('8 of 8');
  await bookByApi(await openCustomer({ card: null }), lesson!);
  // From here on, only the test advances the page's clock.
  await page.clock.pauseAt(Date.now() + 70_000);
  pollsAt.length = 0;
  await expect(async () => {
    await pass();
    expect(pollsAt.length).toBeGreaterThan(1);
  }).toPass({ intervals: [20] });
  const [first, second] = pollsAt;
  expect(second! - first!).toBeGreaterThanOrEqual(17);
  expect(second! - first!).toBeLessThanOrEqual(23);
  await expect(async () => {
    await pass();
    await expect(card).toContainText('7 of 8', { timeout: 1_000 });
  }).toPass();

  connection.restore();
  let openedAt = 0;
  await expect(async () => {
    await pass();
    if (connection.count() > 0) openedAt ||= seconds;
    expect(connection.isJoined('realtime:places')).toBe(true);
  }).toPass({ intervals: [250] });
  const [joinedAt, heartbeats] = [seconds, connection.countHeartbeats()];
  await expect(async () => {
    await pass();
    await expect(paused(page)).toHaveCount(0, { timeout: 100 });
  }).toPass({ intervals: [20] });
  pollsAt.length = 0;
  await expect(async () => {
    await pass();
    expect(connection.countHeartbeats()).toBeGreaterThan(heartbeats);
  }).toPass({ intervals: [20] });
  // The page counts from when the connection opened, which is between `openedAt` and `joinedAt`.
  expect(seconds - openedAt).toBeGreaterThanOrEqual(22);
  expect(seconds - joinedAt).toBeLessThanOrEqual(28);
  expect(pollsAt).toEqual([]);

  // After the computer has slept, a new connection replaces the old one, which may be dead.
  const countJoins = () => connection.tokensOf('realtime:places').length;
  const [joins, wokenAt] = [countJoins(), seconds];
  await page.clock.fastForward('08:00:00');
  await expect(async () => {
    await pass();
    expect(countJoins()).toBeGreaterThan(joins);
  }).toPass({ intervals: [250] });
  expect(seconds - wokenAt).toBeLessThanOrEqual(15);
  pollsAt.length = 0;
  await bookByApi(await openCustomer({ card: null }), lesson!);
  await expect(async () => {
    await pass();
    await expect(card).toContainText('6 of 8', { timeout: 500 });
  }).toPass();
  expect(pollsAt).toEqual([]);
});

test('reconnects with a new token within 15 s of waking, without a reload [RT-8, RT-8c]', async ({
  page,
}) => {
  const customer = await openCustomer({ card: null });
  const [lesson] = await publishLessons({ priceCents: 0 });
  const sleptSeconds = 8 * 3_600;
  const topic = `realtime:user:${customer.userId}`;
  const connection = await watchConnection(page);
  await page.clock.install();
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await expect.poll(() => connection.tokensOf(topic)).toEqual([customer.token]);
  await expect(page.getByText('No bookings yet', { exact: true })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isKept: true }));
  // Only the page's clock shows that time has passed, so a new session must expire by that clock.
  await page.route('**/auth/v1/token?grant_type=refresh_token', async (route) => {
    const response = await route.fetch();
    const session = await response.json();
    await route.fulfill({ response, json: { ...session, expires_at: session.expires_at + sleptSeconds } });
  });
  await page.clock.fastForward(sleptSeconds * 1_000);
  const wokenAt = Date.now();
  await expect.poll(() => connection.tokensOf(topic).length, { timeout: 15_000 }).toBe(2);
  await bookByApi(customer, lesson!);
  await expect(page.getByRole('main')).toContainText(lesson!.title);
  expect(Date.now() - wokenAt).toBeLessThan(15_000);
  const { access_token: current } = await readSession(page);
  expect(current).not.toBe(customer.token);
  expect(connection.tokensOf(topic)).toEqual([customer.token, current]);
  expect(await page.evaluate(() => 'isKept' in window)).toBe(true);
});

test('shows a booking made while the customer was away for less than a second [RT-3a]', async ({ page }) => {
  const [lesson] = await publishLessons();
  await page.clock.install();
  const connection = await watchConnection(page);
  await becomePerson(page, await openCustomer());
  await page.goto(bookingOf(lesson!));
  await expect(confirmButton(page)).toBeVisible();
  await expect.poll(() => connection.received('"bookedCount":0')).toBe(true);
  // The page checks once a second which slots to watch. After a minute asleep, it would replace its connection.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  await page.getByRole('link', { name: 'Change card' }).click();
  await expect(page).toHaveURL(/payment-methods/);
  await bookByApi(await openCustomer(), lesson!);
  await expect.poll(() => connection.received('"bookedCount":1')).toBe(true);
  await page.goBack();
  await expect(page.getByRole('dialog')).toContainText(lesson!.title);
  await page.clock.resume();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Fully Booked');
});

test('connects only on the discover page and on pages of signed-in people [RT-1b]', async ({ page }) => {
  const connection = await watchConnection(page);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  for (const path of ['/', '/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  expect(connection.count()).toBe(0);
  for (const url of new Set(scripts)) {
    expect(await (await page.request.get(url)).text(), url).not.toContain('phx_join');
  }
  // The page is painted before the live-updates client loads.
  const client = builtScript('src/web/app/live/connection.ts');
  let load = () => {};
  const held = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(client, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/customer/discover');
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
    .toBe(1);
  expect(connection.count()).toBe(0);
  load();
  await expect.poll(() => connection.isJoined('realtime:places')).toBe(true);
  expect(await (await page.request.get('/customer/discover')).text()).not.toContain(client.slice(3));

  const customer = await openDemo('customer@demo.test');
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await expect.poll(() => connection.isJoined(`realtime:user:${customer.userId}`)).toBe(true);
});
