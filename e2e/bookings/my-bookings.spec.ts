import { bookingsApi } from '#domain/bookings/contract.ts';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, type Lesson, publishLessons } from '../support/club.ts';
import { clockAt, shownDay } from '../support/coaching.ts';
import { boxesOf, expect, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

test('lists bookings by lesson time; reports an empty list and a failed load [BOOK-1b, BOOK-4, BIZ-2c]', async ({
  page,
}) => {
  const [first, second, third] = await publishLessons({ count: 3, seats: 2 });
  const person = await openCustomer();
  await becomePerson(page, person);
  await page.goto('/my-bookings');
  await expect(page).toHaveURL(/\/customer\/my-bookings$/);
  await expect(page.getByText('No bookings yet', { exact: true })).toBeVisible();

  for (const lesson of [first!, third!, second!]) await bookByApi(person, lesson);
  await page.reload();
  const next = page.getByRole('region', { name: 'Next lesson' });
  const dateOf = ({ startTime }: Lesson) => shownDay(wallTimeOf(startTime).date);
  const timesOf = ({ startTime }: Lesson) => `${clockAt(startTime)}–${clockAt(startTime, 15)}`;
  for (const text of [first!.title, 'Tess Trial', dateOf(first!), timesOf(first!), '£50.00', 'Booked']) {
    await expect(next).toContainText(text);
  }
  await expect(page.getByText('No bookings yet')).toBeHidden();
  // The next lesson and both others link to the coach's page.
  const toCoach = page.getByRole('main').getByRole('link', { name: 'Tess Trial', exact: true });
  await expect(toCoach).toHaveCount(3);
  for (const link of await toCoach.all()) await expect(link).toHaveAttribute('href', '/coaches/tess-trial');
  const days = page.getByRole('main').getByRole('listitem').locator('p > span:first-child');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  for (const [index, lesson] of [second!, third!].entries()) {
    for (const text of [lesson.title, 'Tess Trial', dateOf(lesson), timesOf(lesson), '£50.00', 'Booked']) {
      await expect(rows.nth(index).getByText(text, { exact: true })).toBeVisible();
    }
  }
  const [above, below] = await boxesOf(page, next, rows.first());
  expect(above.bottom).toBeLessThanOrEqual(below.y);
  const dated = days.filter({ hasText: /^[A-Z][a-z]{2} \d/ });
  await expect(dated).toHaveText([second!, third!].map((lesson) => dateOf(lesson) + timesOf(lesson)));
  // Each upcoming lesson can be added to the customer's own calendar.
  await expect(page.getByRole('button', { name: 'Add to calendar' })).toHaveCount(3);

  await stopLiveUpdates(page);
  for (const failing of [bookingsApi.listMine, /\/bookings\?.*view=upcoming/, /\/bookings\?.*view=past/]) {
    const offline = await failResponse(page, failing);
    await page.reload();
    await expect(toast(page, 'Failed to load your bookings')).toBeVisible();
    await expect(page.getByText('No bookings yet')).toBeHidden();
    await offline.release();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('region', { name: 'Next lesson' })).toBeVisible();
  }
});

test('shows past lessons, newest first, each with its status [BOOK-1b, BOOK-1c, BOOK-1d]', async ({
  page,
}) => {
  const customer = await openDemo('customer@demo.test');
  const { bookings } = await call(customer, bookingsApi.listMine, { view: 'past', limit: 5 });
  const starts = bookings.map(({ startTime }) => startTime);
  expect(starts.length).toBeGreaterThan(3);
  expect(starts).toEqual([...starts].sort().reverse());
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  const past = page.getByRole('main').locator('details');
  const upcoming = page.getByRole('region', { name: 'Next lesson' });
  await expect(upcoming).toBeVisible();
  const otherLessons = page.getByRole('main').locator('li:not(details li)');
  const [above, last, below] = await boxesOf(page, upcoming, otherLessons.last(), past);
  expect(above.bottom).toBeLessThanOrEqual(below.y);
  expect(last.bottom).toBeLessThanOrEqual(below.y);
  await page.getByText('Past lessons').click();
  await expect(past.getByRole('button', { name: /^Cancel Booking/ })).toHaveCount(0);
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible();
  const titles = await page.locator('details').getByRole('heading', { level: 2 }).allInnerTexts();
  expect(titles.slice(0, 5)).toEqual(bookings.map(({ title }) => title));
  const labels: Partial<Record<BookingStatus, string>> = {
    ...{ booked: 'Booked', attended: 'Completed', cancelled: 'Cancelled', refunded: 'Refunded' },
  };
  for (const [index, { coachName, startTime, endTime, amountCents, status }] of bookings.entries()) {
    const row = past.getByRole('listitem').nth(index);
    const texts = [
      ...[coachName, shownDay(wallTimeOf(startTime).date)],
      ...[`${clockAt(startTime)}–${clockAt(endTime)}`, `£${(amountCents / 100).toFixed(2)}`],
    ];
    for (const text of texts) await expect(row).toContainText(text);
    await expect(row.getByText(labels[status]!, { exact: true })).toBeVisible();
  }

  // Gives each of the first four past bookings a different status.
  const shown = [
    ['booked', 'Booked', /\bbg-primary\b/],
    ['attended', 'Completed', /\bbg-success-mark\b/],
    ['cancelled', 'Cancelled', /\bbg-input\b/],
    ['refunded', 'Refunded', /\bbg-input\b/],
  ] as const;
  const now = Date.now();
  const changed = await changeResponse(page, bookingsApi.listMine, ({ bookings: found, ...rest }) => ({
    ...rest,
    bookings: found.map((booking, index) => {
      const given = Date.parse(booking.endTime) < now ? shown[index] : undefined;
      const card = { brand: 'visa', lastFour: '4242' };
      return given ? { ...booking, status: given[0], card, refund: null, cancelledBy: null } : booking;
    }),
  }));
  await page.reload();
  await page.getByText('Past lessons').click();
  for (const [index, [, label, colour]] of shown.entries()) {
    const row = past.getByRole('listitem').nth(index);
    await expect(row.getByText(label, { exact: true }).locator('span')).toHaveClass(colour);
    await expect(row.getByText('Not refunded', { exact: true })).toHaveCount(label === 'Cancelled' ? 1 : 0);
  }

  // Someone who has only past lessons sees them.
  await changed.release();
  await changeResponse(page, bookingsApi.listMine, ({ bookings: found, ...rest }) => ({
    ...rest,
    bookings: found.filter(({ endTime }) => Date.parse(endTime) < now),
  }));
  await page.reload();
  await expect(past.getByRole('listitem').first()).toBeVisible();
  await expect(page.getByText('No bookings yet')).toHaveCount(0);
});
