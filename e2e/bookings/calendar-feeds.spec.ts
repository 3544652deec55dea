import { readCalendar } from '#server/bookings/calendars/read-calendar.test-support.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, publishAt, publishLessons } from '../support/club.ts';
import { someDay } from '../support/coaching.ts';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';

test('creates, copies, replaces and switches off a calendar address on /account [NOTE-11b, NOTE-11e, UX-4c]', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [lesson] = await publishLessons();
  const customer = await openCustomer();
  const bookingId = await bookByApi(customer, lesson!);
  await becomePerson(page, customer);
  await page.goto('/account');
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Calendar' }) });
  await expect(section).toContainText('Google may take a day to show changes.');
  await section.getByRole('button', { name: 'Create calendar address' }).click();
  const field = section.getByLabel('Calendar address');
  await expect(field).toHaveValue(/\/calendar\/[\w-]{43}\.ics$/);
  await expectNoViolations(page);
  const first = await field.inputValue();
  await section.getByRole('button', { name: 'Copy' }).click();
  await expect(toast(page, 'Address copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  await expect(section.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute(
    'href',
    first.replace('http:', 'webcal:'),
  );
  const feed = await page.request.get(first);
  expect(readCalendar(await feed.text())).toMatchObject([{ uid: bookingId, summary: lesson!.title }]);

  await section.getByRole('button', { name: 'Replace address' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace address' }).click();
  await expect(field).not.toHaveValue(first);
  expect((await page.request.get(first)).status()).toBe(410);
  const second = await field.inputValue();
  await page.reload();
  await expect(section).toContainText('not used yet');
  await expect(field).toHaveCount(0);
  expect((await page.request.get(second)).status()).toBe(200);

  await section.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(toast(page, 'Calendar address switched off')).toBeVisible();
  expect((await page.request.get(second)).status()).toBe(410);
  await expect(section.getByRole('button', { name: 'Create calendar address' })).toBeVisible();
});

test("subscribes from the coach's calendar and downloads one lesson's calendar file [NOTE-2]", async ({
  page,
}) => {
  const coach = await openCoach();
  const slot = await publishAt(coach, { date: someDay(), hour: 10 }, { title: 'Hitting partners', seats: 4 });
  await becomePerson(page, coach);
  await page.goto('/coach/calendar');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Subscribe in your calendar' });
  await dialog.getByRole('button', { name: 'Create calendar address' }).click();
  const feed = await page.request.get(await dialog.getByLabel('Calendar address').inputValue());
  expect(readCalendar(await feed.text())).toMatchObject([
    { uid: slot.slotId, summary: 'Hitting partners (0/4)' },
  ]);
  await page.goto(`/coach/lesson/${slot.slotId}`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Add to calendar/ }).click();
  expect((await download).suggestedFilename()).toBe('lesson.ics');
});
