import { becomePerson, bookByApi, call, openCustomer, openSession, publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { openCoach } from '../support/own-coach.ts';

test('greets, lists the last bookings, and says when they cannot be read [DASH-1, DASH-4, DASH-5]', async ({
  page,
  request,
}) => {
  const person = await openCustomer(request, { fullName: 'Dora Dash' });
  await becomePerson(page, person);
  await page.goto('/customer');
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Dora Dash!');
  await expect(page.getByText('Your athletic journey continues here')).toBeVisible();
  await expect(page.getByText('No recent activity')).toBeVisible();
  await expect(page.getByText('Book your first lesson to get started!')).toBeVisible();

  const lessons = await publishLessons(request, { count: 4, seats: 2 });
  for (const lesson of lessons) await bookByApi(request, person, lesson);
  await page.reload();
  const figure = (label: string) => page.locator('dl > div').filter({ hasText: label }).locator('dd');
  await expect(figure('Lessons Booked')).toHaveText('4');
  await expect(figure('Upcoming')).toHaveText('4');
  await expect(figure('Total Hours')).toHaveText('0');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3);

  const logged = page.waitForEvent('console', (message) =>
    message.text().includes('Failed to fetch customer stats'),
  );
  await page.route('**/api/bookings-stats', (route) => route.abort('failed'));
  await page.reload();
  await logged;
  await expect(page.getByRole('alert')).toContainText("Your bookings couldn't be loaded");
  await expect(page.getByText('No recent activity')).toBeHidden();
});

test('shows real figures, and quick actions by role [DASH-2a, DASH-3a, DASH-3b]', async ({
  page,
  request,
}) => {
  const email = 'customer@demo.test';
  const customer = { email, fullName: '', session: await openSession(request, email) };
  await becomePerson(page, customer);
  await page.goto('/customer/dashboard');
  const figure = (label: string) => page.locator('dl > div').filter({ hasText: label }).locator('dd');
  // Other tests book as this customer, too; the hours are those of lessons that are over.
  const path = '/api/bookings-stats';
  const { totalMinutes } = await call<{ totalMinutes: number }>(request, customer, 'GET', path);
  expect(totalMinutes).toBeGreaterThan(60);
  await expect(figure('Total Hours')).toHaveText(String(Math.round(totalMinutes / 6) / 10));
  await expect(page.getByRole('heading', { name: 'Quick Actions' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Coach Dashboard' })).toHaveCount(0);

  const [lesson] = await publishLessons(request, { priceCents: 0 });
  const person = await openCoach(request);
  await bookByApi(request, person, lesson!);
  await becomePerson(page, person);
  await page.goto('/customer/dashboard');
  for (const label of ['Lessons Booked', 'Upcoming']) await expect(figure(label)).toHaveText('1');
  await expect(figure('Total Hours')).toHaveText('0');
  for (const [action, target] of [
    ['Book a Lesson', '/customer/discover'],
    ['View My Bookings', '/customer/my-bookings'],
    ['Payment Methods', '/customer/payment-methods'],
    ['Coach Dashboard', '/coach/calendar'],
  ] as const) {
    await page.goto('/customer/dashboard');
    await page.getByRole('link', { name: action }).click();
    await expect(page).toHaveURL((url) => url.pathname === target);
  }
});
