import type { Page } from '@playwright/test';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { call } from '../support/api.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer, openDemo, setRole } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';
import { quickActions } from '../support/screens.ts';

const figureOf = (page: Page, label: string) =>
  page.locator('dl > div').filter({ hasText: label }).locator('dd');

test('greets the customer, lists the last bookings and reports a failed load [DASH-1, DASH-4, DASH-5]', async ({
  page,
}) => {
  const person = await openCustomer({ fullName: 'Dora Dash' });
  await becomePerson(page, person);
  await page.goto('/customer');
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Dora Dash!');
  await expect(page.locator('h1 + p')).toHaveText('Your athletic journey continues here');
  await expect(page.getByText('Platform overview and management tools')).toBeHidden();
  await expect(page.getByText('No recent activity', { exact: true })).toBeVisible();
  await expect(page.getByText('Book your first lesson to get started!', { exact: true })).toBeVisible();
  const nextLesson = page.getByText('No upcoming lessons');
  await expect(nextLesson).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find a lesson' })).toBeVisible();

  const lessons = await publishLessons({ count: 4, seats: 2 });
  const ids: string[] = [];
  // The latest lesson is booked first, so the order of the bookings differs from that of the lessons.
  for (const lesson of lessons.toReversed()) ids.push(await bookByApi(person, lesson));
  await page.reload();
  const figure = (label: string) => figureOf(page, label);
  await expect(figure('Lessons Booked')).toHaveText('4');
  await expect(figure('Upcoming')).toHaveText('4');
  await expect(figure('Total Hours')).toHaveText('0');
  const activity = page.locator('section', { has: page.getByRole('heading', { name: 'Recent Activity' }) });
  await expect(activity.getByRole('heading', { name: 'Recent Activity' })).toBeVisible();
  const items = activity.getByRole('listitem').getByRole('link');
  await expect(items).toHaveText(Array(3).fill(lessons[0]!.title));
  const last = ids.slice(1).reverse();
  for (const [index, bookingId] of last.entries()) {
    await expect(items.nth(index)).toHaveAttribute('href', `/customer/bookings/${bookingId}`);
  }
  await expect(page.getByText('No recent activity')).toBeHidden();
  await expect(page.getByText('Book your first lesson to get started!')).toBeHidden();

  const logged = page.waitForEvent(
    'console',
    (message) => message.type() === 'error' && /^Failed to fetch customer stats\b/.test(message.text()),
  );
  await failResponse(page, bookingsApi.getMyStats);
  await page.reload();
  await logged;
  await expect(page.getByRole('alert')).toContainText('Failed to load your bookings');
  for (const label of ['Lessons Booked', 'Upcoming', 'Total Hours']) {
    await expect(figure(label)).toHaveText('–');
  }
  await expect(page.getByRole('main').locator('.animate-pulse')).toHaveCount(0);
  for (const text of [
    /No recent activity/,
    /Book your first lesson/,
    /No upcoming lessons/,
    /Find a lesson/,
  ]) {
    await expect(page.getByText(text)).toHaveCount(0);
  }
});

test("shows the person's real figures on both dashboards [DASH-2a, DASH-2b]", async ({ page }) => {
  const customer = await openDemo('customer@demo.test');
  await becomePerson(page, customer);
  await page.goto('/customer/dashboard');
  const figure = (label: string) => figureOf(page, label);
  // Other tests book lessons for this customer, but only past lessons count towards the hours.
  const { totalMinutes } = await call(customer, bookingsApi.getMyStats, {});
  expect(totalMinutes).toBeGreaterThan(60);
  await expect(figure('Total Hours')).toHaveText(String(Math.round(totalMinutes / 6) / 10));
  await expect(page.locator('dl > div dt')).toHaveText(['Lessons Booked', 'Upcoming', 'Total Hours']);
  const changed = await changeResponse(page, bookingsApi.getMyStats, (stats) => ({
    ...stats,
    ...{ lessonsBooked: 17, upcoming: 2, totalMinutes: 90 },
  }));
  await page.reload();
  await expect(figure('Lessons Booked')).toHaveText('17');
  await expect(figure('Upcoming')).toHaveText('2');
  await expect(figure('Total Hours')).toHaveText('1.5');
  await changed.release();

  const [lesson] = await publishLessons({ priceCents: 0 });
  const person = await openCoach();
  await bookByApi(person, lesson!);
  await becomePerson(page, person);
  for (const path of ['/', '/customer/dashboard']) {
    await page.goto(path);
    for (const label of ['Lessons Booked', 'Upcoming']) await expect(figure(label)).toHaveText('1');
    await expect(figure('Total Hours')).toHaveText('0');
  }
});

test('offers quick actions by role [DASH-3a, DASH-3b]', async ({ page }) => {
  await becomePerson(page, await openCustomer({ card: null }));
  for (const path of ['/', '/customer/dashboard']) {
    await page.goto(path);
    for (const [action, target] of [
      ['Book a Lesson', '/customer/discover'],
      ['View My Bookings', '/my-bookings'],
      ['Payment Methods', '/customer/payment-methods'],
    ] as const) {
      const link = quickActions(page).getByRole('link', { name: action, exact: true });
      await expect(link).toHaveText(action);
      await expect(link).toHaveAttribute('href', target);
    }
    for (const action of ['Coach Dashboard', 'Admin Panel']) {
      await expect(page.getByRole('link', { name: action })).toHaveCount(0);
    }
  }
  await becomePerson(page, await openCoach());
  for (const [action, target] of [
    ['Book a Lesson', '/customer/discover'],
    ['View My Bookings', '/customer/my-bookings'],
    ['Payment Methods', '/customer/payment-methods'],
    ['Coach Dashboard', '/coach/calendar'],
  ] as const) {
    await page.goto('/customer/dashboard');
    const link = quickActions(page).getByRole('link', { name: action, exact: true });
    await expect(link).toHaveText(action);
    await expect(page.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0);
    await link.click();
    await expect(page).toHaveURL((url) => url.pathname === target);
  }

  const onlyCoach = await openCoach();
  await setRole(onlyCoach, 'customer', false);
  await becomePerson(page, onlyCoach);
  await page.goto('/');
  for (const action of ['Book a Lesson', 'View My Bookings', 'Payment Methods', 'Coach Dashboard']) {
    await expect(quickActions(page).getByRole('link', { name: action, exact: true })).toHaveText(action);
  }
});
