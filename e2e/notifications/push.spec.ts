import type { BrowserContext, Page, Worker } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { call, productUrl } from '../support/api.ts';
import { bookingOf, confirmButton } from '../support/booking-page.ts';
import { publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { forgetPermission, permitNotifications } from '../support/push.ts';
import { changeResponse } from '../support/responses.ts';

/** The members of a service worker's global object that the test uses. TypeScript's types for pages don't have them. */
type WorkerScope = {
  shown: object[];
  registration: { showNotification: (title: string, options: object) => Promise<void> };
  clients: {
    openWindow: (url: string) => Promise<null>;
    matchAll: (options: object) => Promise<object[]>;
  };
  dispatchEvent: (event: Event) => boolean;
  ExtendableEvent: new (type: string) => Event;
};
type PushMessage = { title: string; body: string; path: string; tag: string };

/** Finds the message with this title about a lesson that the simulated push service received and decrypted. */
async function readPushed(title: string, lesson: string): Promise<PushMessage | undefined> {
  const response = await fetch(`${productUrl}/sandbox/push-messages`);
  const { messages } = (await response.json()) as { messages: PushMessage[] };
  return messages.find((message) => message.title === title && message.body.startsWith(lesson));
}

/** Delivers a message to the page's service worker as the browser's push service would. */
async function deliverToBrowser(context: BrowserContext, page: Page, message: PushMessage): Promise<void> {
  const devTools = await context.newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(productUrl));
      if (own) resolve(own.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  const registrationId = await found;
  const data = JSON.stringify(message);
  await devTools.send('ServiceWorker.deliverPushMessage', { origin: productUrl, registrationId, data });
  await devTools.detach();
}

/** Makes the worker record notifications instead of showing them. */
const recordShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    scope.shown = [];
    scope.registration.showNotification = async (title, options) =>
      void scope.shown.push({ title, ...options });
  });
const countOpenPages = (worker: Worker) =>
  worker.evaluate(
    async () =>
      (await (self as unknown as WorkerScope).clients.matchAll({ includeUncontrolled: true })).length,
  );
const readShown = (worker: Worker) => worker.evaluate(() => (self as unknown as WorkerScope).shown);

/** Clicks the worker's only notification. Returns whether the worker closes it, and the URLs that the worker opens. */
const clickNotification = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = self as unknown as WorkerScope;
    const done = { isClosed: false, opened: [] as string[] };
    // The browser opens a window only after a real person's click.
    scope.clients.openWindow = async (url) => {
      done.opened.push(url);
      return null;
    };
    const work: Promise<unknown>[] = [];
    const close = () => {
      done.isClosed = true;
    };
    const click = Object.assign(new scope.ExtendableEvent('notificationclick'), {
      notification: { ...scope.shown[0], close },
      waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    });
    scope.dispatchEvent(click);
    await Promise.all(work);
    return done;
  });

test('offers push after a booking, and shows messages while the app is closed [NOTE-8, NOTE-8c]', async ({
  page,
  context,
}) => {
  const asked = await permitNotifications(page);
  const [lesson] = await publishLessons({ seats: 3 });
  const customer = await openCustomer();
  await call(customer, notificationsApi.removeQuietHours, {});
  await becomePerson(page, customer);
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText("You're booked");
  await expect(dialog.getByText('Shall we remind you on this device?')).toBeVisible();
  expect(await asked()).toBe(0);
  await inspect(page, 'push offer');
  await dialog.getByRole('button', { name: 'Turn on push notifications' }).click();
  await expect(dialog.getByText('Push notifications are on')).toBeVisible();
  expect(await asked()).toBe(1);
  expect((await call(customer, pushApi.getPush, {})).push.isOn).toBe(true);

  const coach = await openDemo('coach@demo.test');
  const { date, hour, minute } = wallTimeOf(lesson!.startTime);
  await call(coach, lessonsApi.moveSlot, { slotId: lesson!.slotId, date, hour: hour + 12, minute });
  await expect.poll(() => readPushed('New time', lesson!.title)).toBeTruthy();
  const message = (await readPushed('New time', lesson!.title))!;
  const worker = context.serviceWorkers().find((one) => one.url() === `${productUrl}/push-worker.js`)!;
  await recordShown(worker);
  // No page of the app is open in the browser when the message arrives.
  await page.goto('about:blank');
  await expect.poll(() => countOpenPages(worker)).toBe(0);
  await deliverToBrowser(context, page, message);
  const { title, body, tag, path } = message;
  await expect
    .poll(() => readShown(worker))
    .toEqual([expect.objectContaining({ title, body, tag, data: { path } })]);
  expect(await clickNotification(worker)).toEqual({ isClosed: true, opened: [productUrl + path] });

  // Pages don't ask for permission when they load, and the preferences show that push is on.
  await page.goto('/account#notifications');
  const device = page.getByRole('region', { name: 'Push notifications on this device' });
  await expect(device).toContainText('Push notifications are on.');
  // The worker caches nothing.
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await device.getByRole('button', { name: 'Turn off on this device' }).click();
  await expect(device.getByRole('button', { name: 'Turn on push notifications' })).toBeVisible();
  expect(await asked()).toBe(0);
  expect((await call(customer, pushApi.getPush, {})).push.isOn).toBe(false);
  await forgetPermission(page);
  await page.reload();
  await expect(device.getByRole('button', { name: 'Turn on push notifications' })).toBeVisible();
  expect(await asked()).toBe(0);
  await device.getByRole('button', { name: 'Turn on push notifications' }).click();
  await expect(device).toContainText('Push notifications are on.');
  expect(await asked()).toBe(1);
  const row = page.getByRole('row', { name: /^Reminder 2 hours before a lesson/ });
  await expect(row.getByRole('checkbox', { name: /Push/ })).toBeChecked();
  await row.getByRole('checkbox', { name: /Push/ }).click();
  await expect
    .poll(async () => (await call(customer, notificationsApi.getPreferences, {})).preferences.choices)
    .toEqual([{ kind: 'reminder_hours', channel: 'push', isOn: false }]);
});

test('says how to unblock push, and how to install the app on an iPhone [NOTE-8d]', async ({
  page,
  browser,
}) => {
  const customer = await openCustomer({ card: null });
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
  await becomePerson(page, customer);
  await page.goto('/account#notifications');
  const device = page.getByRole('region', { name: 'Push notifications on this device' });
  await expect(device).toContainText(
    'are blocked on this device. To allow them, press the icon to the left of the address',
  );
  await expect(device.getByRole('button')).toHaveCount(0);
  await inspect(page, 'push blocked');
  // If the server has no push keys, the page has neither the section nor the column.
  await expect(page.getByRole('columnheader', { name: 'Push' }).first()).toBeVisible();
  await changeResponse(page, pushApi.getPush, ({ push }) => ({ push: { ...push, publicKey: null } }));
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Quiet hours' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Push' })).toHaveCount(0);
  await expect(device).toHaveCount(0);

  const phone = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    viewport: { width: 390, height: 844 },
  });
  const onPhone = await phone.newPage();
  // On an iPhone, Safari has neither of these APIs outside the installed app.
  await onPhone.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
    Reflect.deleteProperty(window, 'Notification');
  });
  await becomePerson(onPhone, customer, productUrl);
  await onPhone.goto(`${productUrl}/account#notifications`);
  const onIphone = onPhone.getByRole('region', { name: 'Push notifications on this device' });
  await expect(onIphone).toContainText('Tap Share, then “Add to Home Screen”.');
  await expect(onIphone.getByRole('button')).toHaveCount(0);
  // The installed app has both APIs, and asks like any other browser.
  const installed = await phone.newPage();
  await permitNotifications(installed);
  await installed.goto(`${productUrl}/account#notifications`);
  const inApp = installed.getByRole('region', { name: 'Push notifications on this device' });
  await expect(inApp.getByRole('button', { name: 'Turn on push notifications' })).toBeVisible();
  await expect(inApp).not.toContainText('Add to Home Screen');
  const { display } = await (await fetch(`${productUrl}/manifest.webmanifest`)).json();
  expect(display).toBe('standalone');
  await phone.close();
});
