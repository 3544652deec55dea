import { bookingsApi } from '#domain/bookings/contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, openCustomer } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

test('lists previously booked coaches and links to their lessons [BIZ-2b, BIZ-2c, BOOK-5]', async ({
  page,
}) => {
  const [first, second] = await publishLessons({ count: 2, seats: 4 });
  const person = await openCustomer();
  await becomePerson(page, person);
  await page.goto('/customer/coaches');
  const failure = 'Failed to load your coaches. Please try again.';
  await expect(page.getByText('No coaches yet')).toBeVisible();
  await expect(page.getByText(failure)).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('link', { name: 'Find a lesson' })).toHaveAttribute(
    'href',
    '/customer/discover',
  );

  for (const lesson of [first!, second!]) await bookByApi(person, lesson);
  // Other tests publish and book lessons with this coach, so this test serves fixed figures.
  const described = {
    coachType: 'Squash coach',
    businessName: 'Sample Squash',
    bio: 'Patient with beginners.',
  };
  const figures = { hourlyRateCents: 4550, upcomingSlots: 17, ownLessons: 2 };
  const changed = await changeResponse(page, bookingsApi.listMyCoaches, ({ coaches }) => ({
    coaches: coaches.map((coach) => ({ ...coach, ...described, ...figures })),
  }));
  await page.goto('/customer/my-bookings');
  await page.getByRole('link', { name: 'My Coaches' }).filter({ visible: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Coaches' })).toBeVisible();
  const coach = (await call(person, bookingsApi.listMyCoaches, {})).coaches[0]!;
  // The only other list items are badges.
  const cards = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') });
  await expect(cards).toHaveCount(1);
  await expect(cards.getByRole('heading')).toHaveText(coach.fullName);
  expect(coach.ownLessons).toBe(2);
  expect(coach.coachAddress).toBe('tess-trial');
  const toCoach = page.getByRole('main').getByRole('link', { name: coach.fullName, exact: true });
  await expect(toCoach).toHaveAttribute('href', '/coaches/tess-trial');
  for (const text of ['Squash coach · Sample Squash', 'Patient with beginners.', '£45.50 an hour']) {
    await expect(cards.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(cards.getByRole('definition')).toHaveText(['17 upcoming lessons', '2 lessons with you']);
  await expect(page.getByText('No coaches yet')).toBeHidden();
  await changed.release();

  const bookLesson = cards.getByRole('link', { name: /^Book Lesson/ });
  await expect(bookLesson).toHaveText('Book Lesson');
  await expect(cards).not.toContainText('Not taking bookings at the moment');
  await bookLesson.click();
  await expect(page).toHaveURL(
    (url) => url.pathname === '/customer/discover' && url.searchParams.get('coachId') === coach.coachId,
  );
  await expect(page.getByRole('heading', { level: 1, name: 'Find a lesson' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
  await expect(cards.filter({ hasNotText: coach.fullName })).toHaveCount(0);

  // Simulates a coach who has lost the role.
  const former = await changeResponse(page, bookingsApi.listMyCoaches, ({ coaches }) => ({
    coaches: coaches.map((known) => ({ ...known, isActive: false })),
  }));
  await page.goto('/customer/coaches');
  await expect(cards.getByText('Not taking bookings at the moment', { exact: true })).toBeVisible();
  await expect(bookLesson).toHaveCount(0);
  await former.release();

  await stopLiveUpdates(page);
  const offline = await failResponse(page, bookingsApi.listMyCoaches);
  await page.goto('/customer/coaches');
  await expect(toast(page, failure)).toContainText('Error');
  await expect(page.getByRole('alert').filter({ hasText: failure })).toBeVisible();
  await expect(page.getByText('No coaches yet')).toBeHidden();
  await offline.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards).toHaveCount(1);
});

test("shows a customer's tab bar on phones, with My Coaches as the current page", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto('/customer/my-bookings');
  const bar = page.getByRole('navigation', { name: 'Customer' });
  await expect(bar.getByRole('link')).toHaveText(['Book', 'Bookings', 'Payment', 'My Coaches', 'Family']);
  await bar.getByRole('link', { name: 'My Coaches' }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/customer/coaches');
  await expect(bar.getByRole('link', { name: 'My Coaches' })).toHaveAttribute('aria-current', 'page');
});
