import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt } from '../support/club.ts';
import {
  addLocation,
  chooseTime,
  createTemplate,
  openCreateSlots,
  shownDay,
  someDay,
  today,
  unique,
} from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomeDemo, becomePerson, openCoach, openDemo } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

// The coach's device is in another time zone, but the screen must show London time.
test.use({ timezoneId: 'America/Los_Angeles' });

test("shows who attended a past lesson, and hides another coach's lesson [LES-2c, LES-3]", async ({
  page,
}) => {
  const coach = await openDemo('coach@demo.test');
  await becomePerson(page, coach);
  const period = { from: addDays(today(), -28), to: addDays(today(), -1) };
  const past = await call(coach, slotsApi.listCoachSlots, period);
  let held:
    | { slotId: string; came: OutputOf<typeof lessonsApi.listAttendees>['attendees'][number] }
    | undefined;
  for (const { slotId, bookedCount, status } of past.slots) {
    if (held || bookedCount === 0 || status !== 'completed') continue;
    const { attendees } = await call(coach, lessonsApi.listAttendees, { slotId });
    const came = attendees.find(({ attended }) => attended);
    if (came) held = { slotId, came };
  }
  await page.goto(`/coach/lesson/${held!.slotId}`);
  await expect(
    page.getByRole('main').locator('header').getByText('Completed', { exact: true }),
  ).toBeVisible();
  const attendee = page.getByRole('listitem').filter({ hasText: held!.came.email });
  await expect(attendee).toContainText(held!.came.fullName ?? 'Anonymous');
  await expect(attendee.getByRole('button', { name: /^Attended/, pressed: true })).toBeVisible();
  await expect(attendee.getByText('Completed', { exact: true })).toBeVisible();
  await expect(attendee.getByText(/^£\d+\.\d\d$/)).toBeVisible();

  const offline = await failResponse(page, slotsApi.getCoachSlot);
  await page.reload();
  await expect(page.getByText('Failed to load lesson details', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Lesson not found')).toBeHidden();
  await offline.release();

  const open = await call(null, discoverApi.discoverSlots, { limit: 50 });
  const others = open.slots.find(({ coachId }) => coachId !== coach.userId);
  for (const slotId of [others!.slotId, '00000000-0000-4000-8000-000000000000']) {
    await page.goto(`/coach/lesson/${slotId}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lesson not found');
    await expect(page.getByText(others!.title)).toHaveCount(0);
    await expect(page.getByText('Failed to load lesson details')).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to calendar' }).click();
    await expect(page).toHaveURL((url) => url.pathname === '/coach/calendar');
  }
});

test('opens a lesson from the calendar and lists its attendees [LES-1, LES-2a, LES-2b]', async ({
  page,
  browser,
}) => {
  const title = unique('Open trial');
  const date = someDay();
  await becomePerson(page, await openCoach());
  await createTemplate(page, { title, price: '0', isGroup: true, description: 'Bring water.' });
  const dialog = await openCreateSlots(page, date, title);
  await chooseTime(page, '4', '0');
  const location = unique('Woodhouse Moor');
  await addLocation(dialog, location);
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByText('Nobody has booked yet')).toBeVisible();
  const slotId = new URL(page.url()).pathname.split('/').at(-1);

  const customer = await browser.newPage();
  await becomeDemo(customer, 'customer@demo.test');
  await customer.goto(`/customer/discover?search=${encodeURIComponent(title)}&book=${slotId}`);
  // The demo's first customer has children, so the dialog asks who the lesson is for.
  await customer.getByRole('checkbox', { name: 'Me' }).check();
  await customer.getByRole('button', { name: /Confirm Booking/ }).click();
  await expect(customer.getByRole('dialog')).toContainText("You're booked");
  // A customer cannot open the coach's page.
  await customer.goto(`/coach/lesson/${slotId}`);
  await expect(
    customer.getByText('You need coach permissions to access this area.', { exact: true }),
  ).toBeVisible();
  await expect(customer.getByRole('heading', { name: title })).toBeHidden();
  await customer.close();

  await expect(async () => {
    await page.reload();
    await expect(page.getByText('1/4').first()).toBeVisible({ timeout: 10_000 });
  }).toPass();
  const main = page.getByRole('main');
  const facts = [shownDay(date), '04:00–05:00', 'Scheduled', 'Group', '£0.00 per person', 'Bring water.'];
  for (const text of [...facts, location, '14 Park Road', 'Leeds LS6 3AA']) {
    await expect(main.getByText(text).first()).toBeVisible();
  }
  await expect(main.locator('dl').getByRole('definition')).toHaveText([
    `${shownDay(date)}04:00–05:00, London time`,
    `${location}14 Park RoadLeeds LS6 3AA`,
    '1 of 4 booked£0.00 per person',
  ]);
  const attendee = main.getByRole('listitem').filter({ hasText: 'customer@demo.test' });
  await expect(attendee.getByRole('link')).toHaveAttribute('href', 'mailto:customer@demo.test');
  await expect(attendee).toContainText(`Booked ${shownDay(today())}`);
  await expect(attendee.getByText('Booked', { exact: true })).toBeVisible();
  await expect(attendee.getByText('£0.00')).toBeVisible();
  await expect(attendee.getByText('Sam Sample', { exact: true })).toBeVisible();
  await expect(attendee).not.toContainText('Anonymous');
  const other = await changeResponse(page, slotsApi.getCoachSlot, ({ slot }) => ({
    slot: {
      ...slot,
      location: null,
      status: 'cancelled' as const,
      lessonType: 'individual' as const,
      priceCents: 1850,
      description: '',
    },
  }));
  await page.reload();
  for (const text of ['No location given', 'Individual', '£18.50 per person']) {
    await expect(main.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(main.locator('header').getByText('Cancelled', { exact: true })).toBeVisible();
  for (const text of [location, 'Scheduled', 'Group', 'About this lesson']) {
    await expect(main.getByText(text, { exact: true })).toBeHidden();
  }
  await other.release();
  const withoutCity = await changeResponse(page, slotsApi.getCoachSlot, ({ slot }) => ({
    slot: { ...slot, location: { ...slot.location!, city: '', postcode: '' } },
  }));
  await page.reload();
  await expect(main.getByRole('definition').nth(1)).toHaveText(`${location}14 Park Road`);
  await withoutCity.release();
  // Simulates an attendee without a name, with other details.
  const details = { amountCents: 1850, status: 'refunded', bookedAt: '2026-07-01T22:30:00.000Z' } as const;
  const nameless = await changeResponse(page, lessonsApi.listAttendees, ({ attendees: [one] }) => ({
    attendees: [{ ...one!, ...details, fullName: '' }],
  }));
  await page.reload();
  for (const text of ['Anonymous', '£18.50', 'Refunded', `Booked ${shownDay('2026-07-01')}`]) {
    await expect(attendee.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(attendee.getByText('Booked', { exact: true })).toBeHidden();
  await nameless.release();

  const message = 'Please try again.';
  await stopLiveUpdates(page);
  const refused = await failResponse(page, lessonsApi.listAttendees, { code: 'unprocessable', message });
  await page.reload();
  await expect(toast(page, 'Failed to load attendees')).toBeVisible();
  await expect(main.getByRole('alert')).toContainText(message);
  await refused.release();
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(attendee).toBeVisible();
});

test('deletes an unbooked lesson, and asks before discarding a typed template', async ({ page }) => {
  const coach = await openCoach();
  const date = someDay();
  const { slotId, title } = await publishAt(coach, { date, hour: 9 }, { title: unique('Never') });
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${slotId}`);
  await page.getByRole('button', { name: 'Delete lesson' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Nobody has booked it, so nobody will be emailed.');
  await question.getByRole('button', { name: 'Delete lesson' }).click();
  await expect(page).toHaveURL(new RegExp(`/coach/calendar\\?date=${date}`));
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByRole('link', { name: title })).toHaveCount(0);
  await page.goto(`/coach/lesson/${slotId}`);
  await expect(page.getByText('Lesson not found')).toHaveCount(1);

  await page.goto('/coach/templates');
  await page.getByRole('button', { name: 'Create New Template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Template' });
  await dialog.getByLabel('Title').fill('Half a thought');
  await dialog.getByLabel('Price').fill('30');
  await expect(dialog.getByText(/^You get £29\.\d\d$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(dialog.getByLabel('Title')).toHaveValue('Half a thought');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
});
