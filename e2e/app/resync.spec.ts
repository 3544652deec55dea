import type { WebSocketRoute } from '@playwright/test';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { expect, test } from '../support/fixtures.ts';
import { readFrame } from '../support/live-updates.ts';
import { openBrowserOf, openCoach, openCustomer, openDemo } from '../support/people.ts';

test('refetches everything that a page shows on a resync message [RT-12b]', async ({ browser }) => {
  const [customer, coach] = [await openCustomer({ card: null }), await openCoach()];
  const admin = await openDemo('admin@demo.test');
  for (const [person, path, roleTopics] of [
    [customer, '/customer/my-bookings', []],
    [coach, '/coach', [`coach:${coach.userId}`]],
    [admin, '/admin/panel', ['admin']],
  ] as const) {
    const page = await openBrowserOf(browser, person);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET' && pathname.startsWith('/api/')) asked.push(pathname);
    });
    const joined = new Set<string>();
    let socket: WebSocketRoute | undefined;
    await page.routeWebSocket(/\/realtime\/v1\//, (opened) => {
      socket = opened;
      const server = opened.connectToServer();
      server.onMessage((message) => {
        const [, , topic, event] = readFrame(message);
        if (event === 'phx_reply') joined.add(topic!);
        opened.send(message);
      });
    });
    await page.goto(path);
    const topics = [`user:${person.userId}`, ...roleTopics].map((topic) => `realtime:${topic}`);
    await expect.poll(() => topics.every((topic) => joined.has(topic))).toBe(true);
    await expect.poll(() => asked).toContain(notificationsApi.countNotifications.path);
    await page.waitForLoadState('networkidle');
    // The product's settings come with the page.
    const shown = [...new Set([settingsApi.getProduct.path, ...asked])];
    asked.length = 0;
    // The message that follows a restart of the database: changes may have been missed.
    const resync = { type: 'broadcast', event: 'resync', payload: {} };
    for (const topic of topics) socket!.send(JSON.stringify([null, null, topic, 'broadcast', resync]));
    await expect.poll(() => shown.filter((called) => !asked.includes(called)), path).toEqual([]);
    await page.context().close();
  }
});
