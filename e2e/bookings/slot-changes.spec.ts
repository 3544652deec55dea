import type { Page } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { addDays, formatLessonTime, formatTime, wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { bookingOf, confirmButton, toast } from '../support/booking-page.ts';
import { failFirstLoad } from '../support/built-script.ts';
import { bookByApi, type Lesson, publishLessons } from '../support/club.ts';
import { readEmail } from '../support/emails.ts';
import { expect, expectNoViolations, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { failResponse, giveResponse, holdResponse } from '../support/responses.ts';

const lessonPage = ({ slotId }: Lesson) => `/coach/lesson/${slotId}`;
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const readSlot = async ({ slotId }: Lesson) => (await call(null, slotsApi.getOpenSlot, { slotId })).slot;
const shownTime = ({ startTime, endTime }: { startTime: string; endTime: string }) =>
  formatLessonTime(startTime, endTime, Date.now());

/**
 * Fails on axe violations in either theme and, on a phone, on content that is too wide, buttons less than 40 px high
 * and a submit button out of view.
 */
async function expectGoodDialog(page: Page, name: string | RegExp): Promise<void> {
  const dialog = dialogOf(page, name);
  await expect(dialog).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 640 });
  // The new width takes effect a frame later.
  const findMisfits = () =>
    dialog.evaluate((panel) => [
      ...(document.documentElement.scrollWidth > 360 ? ['the page scrolls sideways'] : []),
      ...(panel.scrollWidth > panel.clientWidth ? ['the dialog scrolls sideways'] : []),
      ...[...panel.querySelectorAll('button')]
        .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 40)
        .map((button) => `too low: ${button.outerHTML}`),
    ]);
  await expect.poll(findMisfits).toEqual([]);
  await expect(dialog.locator('button[type=submit]').last()).toBeInViewport();
  await page.setViewportSize(wide);
}

test('moves a booked lesson and emails the customer the new time [SLOT-9b, UX-4d]', async ({ page }) => {
  const [lesson, other] = await publishLessons({ seats: 3, count: 2 });
  const customer = await openCustomer();
  await bookByApi(customer, lesson!);
  const before = await readSlot(lesson!);
  await becomePerson(page, await openDemo('coach@demo.test'));
  // Simulates a weak connection: the calendar and the toasts load only at the second attempt.
  await failFirstLoad(page, ['ui/form/date-popover', 'ui/form/date-calendar', 'app/layout/later-parts']);
  await page.goto(lessonPage(lesson!));
  await page.getByRole('button', { name: 'Move' }).click();
  const dialog = dialogOf(page, 'Move lesson');
  await expect(dialog.getByText('1 person has booked.')).toContainText('for a full refund (£50.00) until');
  await expectGoodDialog(page, 'Move lesson');

  // The dialog reports an unchanged time and an overlap with another lesson, and keeps the selection.
  await dialog.getByRole('button', { name: 'Move lesson' }).click();
  await expect(dialog.getByText('The lesson is already at this time.')).toBeVisible();
  const clash = wallTimeOf((await readSlot(other!)).startTime);
  await dialog.getByLabel('New date').click();
  const calendar = page.getByRole('dialog', { name: 'Calendar' });
  const day = calendar.locator(`[data-day="${clash.date}"] button`);
  // The calendar opens at the lesson's current month, which may be before the month of the new date.
  await expect(calendar.getByRole('grid')).toBeVisible();
  if ((await day.count()) === 0) await calendar.getByRole('button', { name: /next month/i }).click();
  await day.click();
  // The overlap is reported before anything is sent.
  await expect(dialog.getByText(`This overlaps “${lesson!.title}”`)).toBeVisible();
  await dialog.getByLabel('Hour').selectOption('23');
  await expect(dialog.getByText(`This overlaps`)).toBeHidden();
  await expect(dialog.getByRole('status')).toContainText(`New time: `);
  const offline = await failResponse(page, lessonsApi.moveSlot);
  await dialog.getByRole('button', { name: 'Move lesson' }).click();
  await expect(dialog.getByRole('alert')).toContainText("We couldn't reach the server.");
  await expect(dialog.getByLabel('Hour')).toHaveValue('23');
  await offline.release();
  await dialog.getByRole('button', { name: 'Move lesson' }).click();
  await expect(toast(page, 'Lesson moved')).toBeVisible();
  await expect(dialog).toBeHidden();
  const after = await readSlot(lesson!);
  expect(wallTimeOf(after.startTime)).toMatchObject({ date: clash.date, hour: 23 });
  await expect(page.getByRole('main').getByText(formatTime(after.startTime)).first()).toBeVisible();

  const message = await readEmail(customer.email, /^New time/);
  expect(message.text).toContain(`New time: ${shownTime(after)} (London time)`);
  expect(message.text).toContain(`Old time: ${shownTime(before)}`);
});

test('shows a moved lesson with both times, a calendar file and free cancellation [SLOT-9]', async ({
  page,
}) => {
  const [lesson] = await publishLessons();
  const customer = await openCustomer();
  const bookingId = await bookByApi(customer, lesson!);
  const before = await readSlot(lesson!);
  const { date } = wallTimeOf(lesson!.startTime);
  const to = { slotId: lesson!.slotId, date, hour: 22, minute: 45 };
  await call(await openDemo('coach@demo.test'), lessonsApi.moveSlot, to);
  const after = await readSlot(lesson!);
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await expect(page.getByText(`Moved from ${shownTime(before)}`)).toBeVisible();
  await expect(page.getByText(shownTime(after)).first()).toBeVisible();
  await expectNoViolations(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Add to calendar' }).first().click();
  const file = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk as Buffer);
  const start = `DTSTART;TZID=Europe/London:${date.replaceAll('-', '')}T224500`;
  expect(Buffer.concat(chunks).toString()).toContain(start);
  await page.goto(`/customer/bookings/${bookingId}`);
  await expect(page.getByText('you can cancel for a full refund until it starts')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    "The coach has moved this lesson, so you'll be refunded in full: £50.00 to Visa ending 4242",
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
});

test('reports a move or cancellation in an open booking dialog [SLOT-9]', async ({ page }) => {
  await stopLiveUpdates(page);
  const [moved, cancelled] = await publishLessons({ count: 2 });
  const coach = await openDemo('coach@demo.test');
  await becomePerson(page, await openCustomer());
  await page.goto(bookingOf(moved!));
  await expect(confirmButton(page)).toBeVisible();
  const { date } = wallTimeOf(moved!.startTime);
  await call(coach, lessonsApi.moveSlot, { slotId: moved!.slotId, date, hour: 22, minute: 30 });
  const after = await readSlot(moved!);
  const current = await holdResponse(page, slotsApi.getOpenSlot);
  await confirmButton(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText(
    `The coach has moved this lesson to ${shownTime(after)}`,
  );
  // The customer can't confirm details that aren't on the screen yet.
  await expect(dialog.getByRole('button', { name: 'Checking again...' })).toBeDisabled();
  await current.release();
  await expect(dialog.getByText(shownTime(after), { exact: false }).first()).toBeVisible();
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: "You're booked" })).toBeVisible();

  await page.goto(bookingOf(cancelled!));
  await expect(confirmButton(page)).toBeVisible();
  await call(coach, lessonsApi.cancelSlot, { slotId: cancelled!.slotId });
  await confirmButton(page).click();
  await expect(dialog.getByRole('alert')).toContainText(
    'The coach has cancelled this lesson. You have not been charged.',
  );
  await dialog.getByRole('button', { name: 'Find another lesson' }).click();
  await page.goto(bookingOf(cancelled!));
  await expect(page.getByRole('dialog').getByText('Cancelled by the coach')).toBeVisible();
});

test('asks to confirm a changed location in an open booking dialog [SLOT-9]', async ({ page }) => {
  await stopLiveUpdates(page);
  const [lesson] = await publishLessons();
  const coach = await openDemo('coach@demo.test');
  const change = async (name: string, address: string) => {
    const venue = { name, address, city: 'Leeds', postcode: 'LS6 3AA' };
    const { location } = await call(coach, catalogueApi.createLocation, venue);
    const edit = { locationId: location.locationId, priceCents: 5000, minCapacity: 1, maxCapacity: 1 };
    await call(coach, lessonsApi.editSlot, { slotId: lesson!.slotId, ...edit });
    return [name, address, venue.city, venue.postcode].join(', ');
  };
  const first = await change(`Court of ${lesson!.title}`, '14 Park Road');
  await becomePerson(page, await openCustomer());
  await page.goto(bookingOf(lesson!));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(first)).toBeVisible();
  await expect(confirmButton(page)).toBeVisible();
  const second = await change(`Hall of ${lesson!.title}`, '1 Harbour Street');
  await confirmButton(page).click();
  await expect(dialog.getByRole('alert')).toContainText(
    `New location: ${second}. You have not been charged.`,
  );
  await expect(dialog.getByText(second, { exact: true })).toBeVisible();
  await expectNoViolations(page);

  // A dialog that has been open for a minute refetches, and must not accept the new location silently.
  await page.reload();
  await expect(confirmButton(page)).toBeVisible();
  const third = await change(`Field of ${lesson!.title}`, '2 Green Lane');
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(dialog.getByRole('alert')).toContainText(
    `The coach has just changed the location of this lesson. Previous location: ${second}.`,
  );
  await expect(dialog.getByText(third, { exact: true })).toBeVisible();
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: "You're booked" })).toContainText(third);
});

test('edits a lesson, shows refusals at their fields and keeps the booked price [SLOT-9a, UX-3, UX-4d]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ seats: 4 });
  const people = [await openCustomer(), await openCustomer(), await openCustomer()];
  for (const customer of people) await bookByApi(customer, lesson!);
  await becomePerson(page, await openDemo('coach@demo.test'));
  await page.goto(lessonPage(lesson!));
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = dialogOf(page, 'Edit lesson');
  await expect(dialog.getByText('The 3 people who have booked keep the price they paid.')).toBeVisible();
  await expectGoodDialog(page, 'Edit lesson');
  const save = dialog.getByRole('button', { name: 'Save changes' });
  await dialog.getByLabel('Price').fill('0.10');
  await dialog.getByLabel('Largest group').fill('21');
  await save.click();
  await expect(dialog.getByText("A card can't be charged less than £0.30.")).toBeVisible();
  await expect(dialog.getByText("A group can't have more than 20 places.")).toBeVisible();
  await dialog.getByLabel('Price').fill('61.50');
  await dialog.getByLabel('Largest group').fill('2');
  await save.click();
  await expect(dialog.getByText('3 places are already taken')).toBeVisible();
  await dialog.getByLabel('Largest group').fill('5');
  await dialog.getByRole('button', { name: 'Add a location' }).click();
  await dialog.getByLabel('Name').fill(`Court of ${lesson!.title}`);
  await dialog.getByLabel('Town').fill('Leeds');
  await dialog.getByRole('button', { name: 'Save location' }).click();
  await expect(
    dialog.getByText("We'll email 3 people the new location. They can cancel for a full refund."),
  ).toBeVisible();

  // If the request fails, the form keeps typed text.
  const offline = await failResponse(page, lessonsApi.editSlot);
  await save.click();
  await expect(toast(page, /^We couldn't reach the server\./)).toBeVisible();
  await expect(dialog.getByLabel('Price')).toHaveValue('61.50');
  await expect(dialog.getByLabel('Largest group')).toHaveValue('5');
  await offline.release();
  await save.click();
  await expect(toast(page, 'Lesson saved')).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByText('£61.50')).toBeVisible();
  await expect(main.getByText('3 of 5 booked')).toBeVisible();
  await expect(main.getByRole('listitem').first()).toContainText('£50.00');
  const message = await readEmail(people[0]!.email, /^New location/);
  expect(message.text).toContain(`New location: Court of ${lesson!.title}, Leeds`);
  expect(message.text).toContain('Old location: ');
  await becomePerson(page, people[0]!);
  await page.goto('/customer/my-bookings');
  await expect(
    page.getByText(`New location: Court of ${lesson!.title}, Leeds. Previous location: `).first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Cancel Booking' }).first().click();
  await expect(page.getByRole('alertdialog').getByText('changed the location of this lesson')).toContainText(
    '£50.00',
  );
});

test('cancels a lesson and shows the customer the reason and the refund [SLOT-9d, SLOT-9e, UX-4d]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ seats: 3 });
  const customer = await openCustomer();
  const bookingId = await bookByApi(customer, lesson!);
  await bookByApi(await openCustomer(), lesson!);
  await becomePerson(page, await openDemo('coach@demo.test'));
  await page.goto(lessonPage(lesson!));
  await page.getByRole('button', { name: 'Cancel lesson' }).click();
  // The lesson has not started, so it cannot be completed.
  await expect(page.getByText('Mark as completed')).toHaveCount(0);
  const dialog = dialogOf(page, 'Cancel this lesson?');
  await expect(
    dialog.getByText('2 people have booked and will be refunded in full: £100.00 in total.'),
  ).toBeVisible();
  await expectGoodDialog(page, 'Cancel this lesson?');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cancel lesson' })).toBeFocused();

  // Uses only the keyboard: the reason field has the focus, and Enter submits the form.
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('£100.00')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('The pitch is flooded');
  const offline = await failResponse(page, lessonsApi.cancelSlot);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText("We couldn't reach the server.");
  await expect(dialog.getByLabel('Reason')).toHaveValue('The pitch is flooded');
  await offline.release();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Lesson cancelled')).toContainText('2 people will be emailed and £100.00');
  const main = page.getByRole('main');
  await expect(main.getByText('You cancelled this lesson: “The pitch is flooded”.')).toBeVisible();
  await expect(main.getByRole('button', { name: /^(Edit|Move|Cancel lesson)$/ })).toHaveCount(0);
  await expect(main.getByText('0/3')).toBeVisible();

  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  const row = page.getByRole('listitem').filter({ hasText: lesson!.title });
  await expect(row).toContainText('Cancelled by the coach: “The pitch is flooded”.');
  await expect(row).toContainText('£50.00 refunded to Visa ending 4242.');
  await expect(row.getByText('Refunded', { exact: true })).toBeVisible();
  await expect(row.getByRole('button', { name: /Cancel Booking/ })).toHaveCount(0);
  await page.goto(`/customer/bookings/${bookingId}`);
  await expect(page.getByText('Cancelled by the coach: “The pitch is flooded”.')).toBeVisible();
  await expect(page.getByText('−£50.00').or(page.getByText('-£50.00'))).toBeVisible();
  await expectNoViolations(page);
  await page.goto(`/customer/discover?search=${encodeURIComponent(lesson!.title)}`);
  await expect(page.getByText('No lessons match these filters')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: lesson!.title })).toHaveCount(0);
  const message = await readEmail(customer.email, /^Cancelled/);
  expect(message.text).toContain("We're refunding £50.00 to Visa ending 4242.");
});

test('cancels a whole day and shows customers the reason and their refunds [SLOT-9d, SLOT-9e, UX-4d]', async ({
  page,
}) => {
  // Picks a day on which no other test publishes lessons.
  const inDays = 600 + Math.floor(Math.random() * 100);
  const title = `Rained off ${Date.now().toString(36)}`;
  const [early] = await publishLessons({ inDays, hour: 1, seats: 3, title });
  const [late] = await publishLessons({ inDays, hour: 3, title });
  await publishLessons({ inDays, hour: 5, title });
  const [both, one] = await Promise.all([openCustomer(), openCustomer()]);
  await bookByApi(both, early!);
  await bookByApi(both, late!);
  await bookByApi(one, early!);
  await becomePerson(page, await openDemo('coach@demo.test'));
  await page.goto(lessonPage(late!));
  await page.getByRole('button', { name: 'Cancel lesson' }).click();
  await expect(dialogOf(page, 'Cancel this lesson?')).toContainText('You have 2 more lessons that day.');
  await page.getByRole('button', { name: 'Cancel the whole day' }).click();
  const dialog = dialogOf(page, /^Cancel \w{3} \d+ \w{3}/);
  await expect(
    dialog.getByText(
      '3 lessons with 3 bookings: everyone will be emailed, and £150.00 will be refunded in full.',
    ),
  ).toBeVisible();
  const rows = dialog.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(`${title}£100.002 people`);
  await expect(rows.nth(1)).toContainText('£50.001 person');
  await expect(rows.nth(2)).toContainText('no bookings');
  await expectGoodDialog(page, /^Cancel \w{3} \d+ \w{3}/);

  await dialog.getByLabel('Reason').fill('Rain');
  const refused = await failResponse(page, lessonsApi.cancelDay, { code: 'unprocessable' });
  await dialog.getByRole('button', { name: 'Cancel 3 lessons' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Please try again.');
  await expect(dialog.getByLabel('Reason')).toHaveValue('Rain');
  await refused.release();

  // The response is lost, but the dialog shows that the day is cancelled.
  const lost = await failResponse(page, lessonsApi.cancelDay, 'lost');
  await dialog.getByRole('button', { name: 'Cancel 3 lessons' }).click();
  await expect(dialog.getByText('The day is cancelled')).toBeVisible();
  await lost.release();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect(dialog).toBeHidden();

  await becomePerson(page, both);
  await page.goto('/customer/my-bookings');
  const mine = page.getByRole('listitem').filter({ hasText: title });
  await expect(mine).toHaveCount(2);
  for (const row of await mine.all()) {
    await expect(row).toContainText('Cancelled by the coach: “Rain”.');
    await expect(row).toContainText('£50.00 refunded to Visa ending 4242.');
  }
  expect((await readEmail(one.email, /^Cancelled/)).text).toContain('“Rain”');
});

test('offers to complete or cancel a started lesson; refuses to complete one early [SLOT-9c]', async ({
  page,
}) => {
  const coach = await openDemo('coach@demo.test');
  const [lesson] = await publishLessons();
  // Only the browser's clock is past the start, so the server refuses completion.
  await page.clock.setFixedTime(Date.parse(lesson!.startTime) + 5 * 60_000);
  await becomePerson(page, coach);
  await page.goto(lessonPage(lesson!));
  await expect(page.getByRole('button', { name: 'Mark as completed' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Move' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Cancel lesson' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark as completed' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toBeVisible();
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Mark as completed' }).click();
  await expect(toast(page, 'You can mark a lesson as completed once it has started.')).toBeVisible();
  const { slot } = await call(coach, slotsApi.getCoachSlot, { slotId: lesson!.slotId });
  expect(slot.status).toBe('scheduled');
  // Simulates the response for a lesson that has started.
  await giveResponse(page, lessonsApi.completeSlot, { slot: { ...slot, status: 'completed' } });
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Mark as completed' }).click();
  await dialog.getByRole('button', { name: 'Mark as completed' }).click();
  await expect(toast(page, 'Lesson completed')).toContainText(lesson!.title);
  expect(addDays(wallTimeOf(Date.now()).date, 1) < wallTimeOf(lesson!.startTime).date).toBe(true);
});
