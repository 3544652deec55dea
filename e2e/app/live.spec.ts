import type { Page, WebSocketRoute } from '@playwright/test';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { call, secondUrl } from '../support/api.ts';
import { bookByApi, publishAt, publishLessons } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { expect, test, waitForLayout } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer, openDemo } from '../support/people.ts';

const paused = (page: Page) => page.getByText('Live updates paused');

/** Counts a page's live connections. `cut` ends them and takes the page offline; `refuse` refuses new connections. */
async function watchLine(page: Page) {
  const line = { isCut: false, opened: 0, sockets: new Set<WebSocketRoute>(), joined: [] as string[] };
  await page.routeWebSocket(/\/realtime\/v1\//, async (socket) => {
    if (line.isCut) return socket.close({ code: 1001 });
    line.opened += 1;
    line.sockets.add(socket);
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const topic = String(message).includes('phx_join') && JSON.parse(String(message))[2];
      if (topic) line.joined.push(topic);
      server.send(message);
    });
  });
  return {
    ...line,
    isJoined: (topic: string) => line.joined.includes(topic),
    count: () => line.opened,
    refuse: () => {
      line.isCut = true;
    },
    cut: async () => {
      line.isCut = true;
      await page.context().setOffline(true);
      for (const socket of line.sockets) await socket.close({ code: 1001 });
      line.sockets.clear();
    },
    restore: async () => {
      line.isCut = false;
      line.joined.length = 0;
      await page.context().setOffline(false);
    },
  };
}

test('shows a booking on every open page, across processes and after a cut [RT-2b, RT-9]', async ({
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

  // A visitor looks at discover; the coach, through another process, at the calendar and at the attendees.
  const visitorLine = await watchLine(page);
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
  const calendarLine = await watchLine(calendar);
  const lessonLine = await watchLine(lesson);
  await becomePerson(calendar, coach);
  await calendar.goto(`/coach?date=${addDays(today(), 3)}`);
  await lesson.goto(`/coach/lesson/${slot.slotId}`);
  const block = calendar.getByRole('main').getByText('0/8').filter({ visible: true });
  await expect(block.first()).toBeVisible();
  const attendees = lesson.getByRole('main');
  await expect(attendees).not.toContainText(first.email);
  await expect.poll(() => visitorLine.isJoined('realtime:places')).toBe(true);
  for (const line of [calendarLine, lessonLine]) {
    await expect.poll(() => line.isJoined(`realtime:coach:${coach.userId}`)).toBe(true);
  }

  const countUnread = async () => (await call(coach, notificationsApi.countNotifications, {})).counts.unread;
  const unreadBefore = await countUnread();
  await bookByApi(first, slot);
  await expect(card).toContainText('7 of 8');
  await expect(calendar.getByRole('main').getByText('1/8').filter({ visible: true }).first()).toBeVisible();
  await expect(attendees).toContainText(first.email);
  await expect.poll(countUnread).toBeGreaterThan(unreadBefore);
  const bell = calendar.getByRole('button', { name: /^Notifications/ });
  await expect
    .poll(
      async () => (await bell.getAttribute('aria-label')) === `Notifications, ${await countUnread()} unread`,
    )
    .toBe(true);
  await expect(paused(page)).toHaveCount(0);
  expect(asked).toBe(0);

  const cutAt = Date.now();
  await visitorLine.cut();
  await calendarLine.cut();
  await lessonLine.cut();
  await expect(paused(page)).toBeVisible();
  await expect(paused(calendar)).toBeVisible();
  await bookByApi(second, slot);
  await expect.poll(() => Date.now() - cutAt).toBeGreaterThan(10_000);
  await expect(card).toContainText('7 of 8');
  for (const line of [visitorLine, calendarLine, lessonLine]) await line.restore();
  await expect(card).toContainText('6 of 8', { timeout: 15_000 });
  await expect(calendar.getByRole('main').getByText('2/8').filter({ visible: true }).first()).toBeVisible({
    timeout: 15_000,
  });
  await expect(attendees).toContainText(second.email, { timeout: 15_000 });
  await expect(paused(page)).toHaveCount(0);
  await context.close();
});

test('fetches the places left every 20 s while live updates are paused [RT-3c]', async ({ page }) => {
  const [lesson] = await publishLessons({ seats: 8, priceCents: 0 });
  const line = await watchLine(page);
  line.refuse();
  await page.clock.install();
  const coach = await openDemo('coach@demo.test');
  const day = wallTimeOf(lesson!.startTime).date;
  await page.goto(`/customer/discover?coachId=${coach.userId}&from=${day}&to=${day}`);
  await waitForLayout(page);
  const card = page.getByRole('listitem').filter({ hasText: lesson!.title });
  await expect(card).toContainText('8 of 8');
  await bookByApi(await openCustomer({ card: null }), lesson!);
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(card).toContainText('7 of 8', { timeout: 1_000 });
  }).toPass();
});

test('connects on discover and signed-in pages only [RT-1b]', async ({ page }) => {
  const line = await watchLine(page);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  for (const path of ['/', '/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  expect(line.count()).toBe(0);
  const customer = await openDemo('customer@demo.test');
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await expect.poll(() => line.isJoined(`realtime:user:${customer.userId}`)).toBe(true);
  expect(line.isJoined('realtime:places')).toBe(false);
  await page.goto('/customer/discover');
  await expect.poll(() => line.isJoined('realtime:places')).toBe(true);
});
