import type { Locator, Page, Route } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { call, productUrl } from '../support/api.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

test('lists notifications behind the bell, and marks them as seen and read [NOTE-3a, NOTE-3b, NOTE-3c]', async ({
  page,
  browser,
}) => {
  const [lesson] = await publishLessons({ seats: 3 });
  const customer = await openCustomer();
  await becomePerson(page, customer);
  await page.goto('/notifications');
  await expect(page.getByText('No notifications yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

  const bookingId = await bookByApi(customer, lesson!);
  const countUnread = async () =>
    (await call(customer, notificationsApi.countNotifications, {})).counts.unread;
  // Waits for each notification, because the list shows them in the order in which their jobs ran.
  await expect.poll(countUnread).toBe(1);
  const coach = await openDemo('coach@demo.test');
  const { date, hour, minute } = wallTimeOf(lesson!.startTime);
  await call(coach, lessonsApi.moveSlot, { slotId: lesson!.slotId, date, hour: hour + 12, minute });
  await expect.poll(countUnread).toBe(2);

  const { countNotifications } = notificationsApi;
  for (const [unread, shown] of [
    [99, '99'],
    [100, '99+'],
  ] as const) {
    const many = await changeResponse(page, countNotifications, () => ({ counts: { unread, unseen: 1 } }));
    await page.goto('/customer/my-bookings');
    await expect(page.getByRole('button', { name: `Notifications, ${shown} unread` })).toHaveText(shown);
    await many.release();
  }
  await page.reload();
  const bell = page.getByRole('button', { name: 'Notifications, 2 unread' });
  await expect(bell).toHaveText('2');
  // Opens the page as the same person on another device and in another tab.
  const device = await (await browser.newContext()).newPage();
  await becomePerson(device, customer, productUrl);
  const otherTab = await page.context().newPage();
  for (const other of [device, otherTab]) {
    await other.goto(`${productUrl}/customer/my-bookings`);
    await expect(other.getByRole('button', { name: 'Notifications, 2 unread' })).toHaveText('2');
    await expect(other.getByText('Live updates paused')).toHaveCount(0);
  }
  /** The instant of the next click on this page. */
  const nextClick = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          addEventListener('click', () => resolve(Date.now()), { capture: true, once: true });
        }),
    );
  /** The instant at which a page's bell has this name. */
  const whenNamed = (other: Page, name: string) =>
    other.evaluate(
      (label) =>
        new Promise<number>((resolve) => {
          const look = () =>
            document.querySelector(`button[aria-label="${label}"]`)
              ? resolve(Date.now())
              : setTimeout(look, 20);
          look();
        }),
      name,
    );
  /**
   * Presses a control, and fails unless the bell gets this name on the device and in the tab within 10 s. Without live
   * updates, they would count again only every minute.
   */
  const pressAndWait = async (control: Locator, name: string) => {
    const pressed = nextClick();
    const named = [device, otherTab].map((other) => whenNamed(other, name));
    await control.click();
    const pressedAt = await pressed;
    for (const shownAt of await Promise.all(named)) expect(shownAt - pressedAt).toBeLessThan(10_000);
  };
  await bell.click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('Unread: New time: ');
  await inspect(page, 'bell');
  await expect
    .poll(async () => (await call(customer, notificationsApi.countNotifications, {})).counts)
    .toEqual({ unread: 2, unseen: 0 });

  // Opening a notification goes to its page and marks it as read.
  await pressAndWait(list.getByRole('link', { name: /New time: / }), 'Notifications, 1 unread');
  await expect(page).toHaveURL(new RegExp(`/customer/bookings/${bookingId}$`));
  await expect(list).toBeHidden();
  const lastOne = page.getByRole('button', { name: 'Notifications, 1 unread' });
  await lastOne.click();
  await pressAndWait(list.getByRole('button', { name: 'Mark all as read' }), 'Notifications');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toHaveText('');
  await device.context().close();
  await otherTab.close();
  await expect(list.getByText('Unread: ')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeFocused();

  await page.goto('/notifications');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  // With one notification on a page, the second page has the older one.
  const oneByOne = (route: Route) =>
    route.continue({ url: route.request().url().replace('limit=20', 'limit=1') });
  await page.route(/\/api\/notifications\?/, oneByOne);
  await page.reload();
  const items = page.getByRole('main').getByRole('listitem');
  await expect(items).toHaveCount(1);
  await expect(items).toContainText('New time: ');
  const older = page.getByRole('button', { name: 'Show older notifications' });
  await older.click();
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText('New time: ');
  await expect(items.last()).toContainText('Booked: ');
  await expect(older).toHaveCount(0);
  await page.unroute(/\/api\/notifications\?/, oneByOne);
  await failResponse(page, notificationsApi.listNotifications);
  await page.reload();
  await expect(page.getByRole('main').getByText('Failed to load your notifications')).toBeVisible();
});

test('saves notification preferences and quiet hours; says why some emails stay on [NOTE-6a]', async ({
  page,
}) => {
  const customer = await openCustomer({ card: null });
  await becomePerson(page, customer);
  await page.goto('/account#notifications');
  const row = page.getByRole('row', { name: /^Reminder 24 hours before a lesson/ });
  const email = row.getByRole('checkbox', { name: /Email/ });
  await expect(email).toBeChecked();
  await email.click();
  await expect(email).not.toBeChecked();
  await expect
    .poll(async () => (await call(customer, notificationsApi.getPreferences, {})).preferences.choices)
    .toEqual([{ kind: 'reminder_day', channel: 'email', isOn: false }]);
  for (const [kind, reason] of [
    ['You book a lesson', 'We always email receipts.'],
    ['A lesson you booked is cancelled', 'We always email you when a lesson is cancelled or changed'],
    [
      'A lesson you booked moves to another time',
      'We always email you when a lesson is cancelled or changed',
    ],
    ['A refund is made', 'We always email you about money.'],
    ['Your roles change', 'We always email you about the security of your account.'],
  ] as const) {
    const locked = page.getByRole('row', { name: new RegExp(`^${kind}`) });
    await expect(locked).toContainText(reason);
    await expect(locked.getByRole('checkbox', { name: /Email/ })).toBeDisabled();
    await expect(locked.getByRole('checkbox', { name: /Email/ })).toBeChecked();
  }
  await expect(page.getByRole('table', { name: 'Coaching' })).toHaveCount(0);

  await page.getByLabel('From', { exact: true }).fill('22:30');
  await page.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(page.getByText('Quiet hours saved: 22:30 to 07:30')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('22:30');
  await expect(
    page.getByRole('row', { name: /^Reminder 24 hours/ }).getByRole('checkbox', { name: /Email/ }),
  ).not.toBeChecked();
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  await expect(page.getByLabel('From', { exact: true })).toHaveCount(0);
  await inspect(page, 'notification preferences');
});

test('warns that email does not reach the address, and switches email on again [NOTE-14a]', async ({
  page,
}) => {
  const customer = await openCustomer({ card: null });
  await becomePerson(page, customer);
  const { getPreferences } = notificationsApi;
  let unreachable: 'bounced' | 'complained' = 'complained';
  await changeResponse(page, getPreferences, ({ preferences }) => ({
    preferences: { ...preferences, unreachable },
  }));
  await page.goto('/account');
  const stopped = page
    .getByRole('alert')
    .filter({ hasText: `We've stopped some emails to ${customer.email}` });
  await expect(stopped).toBeVisible();
  unreachable = 'bounced';
  await page.reload();
  const notice = page.getByRole('alert').filter({ hasText: `We can't reach you at ${customer.email}` });
  await expect(notice).toBeVisible();
  await inspect(page, 'unreachable');
  await notice.getByRole('button', { name: 'Try this address again' }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByText('Email is on again')).toBeVisible();
});
