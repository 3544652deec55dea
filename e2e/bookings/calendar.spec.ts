import type { Locator } from '@playwright/test';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { addDays, instantOf, mondayOf, wallTimeOf } from '#domain/time.ts';
import { toast } from '../support/booking-page.ts';
import {
  boundsOf,
  cancel,
  cell,
  dialog,
  hour,
  lesson,
  longDay,
  monthName,
  openCalendar,
} from '../support/calendar-page.ts';
import { bookByApi, publishAt } from '../support/club.ts';
import { nextAutumnChange, nextSpringChange, someDay, today } from '../support/coaching.ts';
import { boxesOf, expect, expectNoViolations, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { changeResponse, holdResponse } from '../support/responses.ts';

// The coach's device is in another time zone, but the screen must show London time.
test.use({ timezoneId: 'America/Los_Angeles' });

const colourOf = (link: Locator) => link.evaluate((shown) => getComputedStyle(shown).borderTopColor);

test('moves by day, week or month, starts weeks on Monday, shows one day on phones [CAL-1]', async ({
  page,
}) => {
  const monday = mondayOf(someDay());
  const wednesday = addDays(monday, 2);
  await openCalendar(page, await openCoach(), `date=${wednesday}`);
  const title = page.getByRole('heading', { level: 2 });
  const days = page.getByRole('columnheader').getByRole('button');
  const dayNumber = (date: string) => new RegExp(`(?<!\\d)${Number(date.slice(8))}(?!\\d)`);
  await expect(page.getByRole('radiogroup', { name: 'View' })).toHaveText(/^Day\s*Week\s*Month$/, {
    useInnerText: true,
  });
  await expect(page.getByRole('radio', { name: 'Week' })).toBeChecked();
  await expect(days).toHaveText(Array.from({ length: 7 }, (_, day) => dayNumber(addDays(monday, day))));
  await expect(days.first()).toContainText('Mon');

  await page.getByRole('button', { name: 'Next week' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, 7)}`));
  await expect(days.first()).toHaveText(dayNumber(addDays(monday, 7)));
  // Two presses of the button move two weeks, even if the second comes before the page shows another week.
  await page.getByRole('button', { name: 'Previous week' }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, -7)}`));
  await page.getByRole('button', { name: 'Next week' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${wednesday}`));
  await expect(days.first()).toHaveText(dayNumber(monday));
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, -7)}`));

  await page.getByRole('radio', { name: 'Day' }).click({ force: true });
  await expect(page).toHaveURL(/view=day/);
  await expect(title).toHaveText(longDay(addDays(wednesday, -7)));
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(title).toHaveText(longDay(addDays(wednesday, -6)));
  await page.getByRole('button', { name: 'Previous day' }).click();
  await expect(title).toHaveText(longDay(addDays(wednesday, -7)));

  await page.getByRole('radio', { name: 'Month' }).click({ force: true });
  await expect(title).toHaveText(monthName(addDays(wednesday, -7)));
  await expect(page.getByRole('columnheader')).toHaveText(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  await page.getByRole('button', { name: 'Previous month' }).click();
  await expect(title).toHaveText(monthName(addDays(`${addDays(wednesday, -7).slice(0, 7)}-01`, -1)));
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect(title).toHaveText(monthName(addDays(wednesday, -7)));
  await page.getByRole('button', { name: 'Next month' }).click();
  const nextMonth = addDays(`${addDays(wednesday, -7).slice(0, 7)}-28`, 5);
  await expect(title).toHaveText(monthName(nextMonth));
  await page.reload();
  await expect(title).toHaveText(monthName(nextMonth));
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await expect(title).toHaveText(monthName(today()));
  await expect(page.getByRole('button', { name: 'Today', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: `${longDay(today())}, today` }).click();
  await expect(title).toHaveText(longDay(today()));
  const toToday = page.getByRole('button', { name: 'Today', exact: true });
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(title).toHaveText(longDay(addDays(today(), 1)));
  await toToday.click();
  await expect(title).toHaveText(longDay(today()));
  await page.getByRole('radio', { name: 'Week' }).click({ force: true });
  await page.getByRole('button', { name: 'Next week' }).click();
  await expect(days.first()).toHaveText(dayNumber(addDays(mondayOf(today()), 7)));
  await toToday.click();
  await expect(days.first()).toHaveText(dayNumber(mondayOf(today())));

  // A phone shows the day view, regardless of the URL.
  await page.setViewportSize({ width: 767, height: 844 });
  for (const view of ['week', 'month', 'day']) {
    await page.goto(`/coach/calendar?date=${wednesday}&view=${view}`);
    await expect(page.getByRole('columnheader')).toHaveText(['Time', longDay(wednesday)]);
    await expect(page.getByRole('radiogroup', { name: 'View' })).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, 1)}`));
  await page.getByRole('navigation', { name: 'Days of the week' }).getByRole('button').first().click();
  await expect(page).toHaveURL(new RegExp(`date=${monday}`));
});

test('shows lessons at 48 px an hour, short ones enlarged, overlaps side by side [CAL-2, CAL-3a]', async ({
  page,
}) => {
  const coach = await openCoach();
  const monday = mondayOf(someDay());
  const at = (date: string, hours: number, minute = 0) => ({ date, hour: hours, minute });
  const dropped = await publishAt(coach, at(monday, 9), { title: 'Dropped' });
  await cancel(coach, dropped.slotId);
  const group = { title: 'Group', minutes: 90, seats: 8 };
  const replacement = await publishAt(coach, at(monday, 9), group);
  await bookByApi(await openCustomer({ card: null }), replacement);
  await publishAt(coach, at(monday, 11, 15), { title: 'Quarter', minutes: 15 });
  await publishAt(coach, at(addDays(monday, 3), 23), { title: 'Night', minutes: 120 });
  await publishAt(coach, at(addDays(monday, 5), 23, 45), { title: 'Late', minutes: 15 });

  await openCalendar(page, coach, `date=${monday}&view=week`);
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('rowheader')).toHaveCount(48);
  expect((await grid.locator('tbody').boundingBox())!.height).toBe(24 * hour);
  expect(await boundsOf(page, lesson(page, 'Group'))).toMatchObject({ top: 9 * hour, height: 1.5 * hour });
  expect(await boundsOf(page, lesson(page, 'Quarter'))).toMatchObject({ top: 11.25 * hour, height: 24 });
  // At the end of the day a short block extends upwards.
  const late = await boundsOf(page, lesson(page, 'Late'));
  expect([late.top + late.height, late.height]).toEqual([24 * hour, 24]);
  const [evening, morning] = [lesson(page, 'Night').first(), lesson(page, 'Night').last()];
  expect(await boundsOf(page, evening)).toMatchObject({ top: 0, height: hour });
  expect(await boundsOf(page, morning)).toMatchObject({ top: 23 * hour, height: hour });
  const expectSideBySide = async () => {
    const [left, right] = await Promise.all(
      ['Dropped', 'Group'].map((title) => boundsOf(page, lesson(page, title))),
    );
    const [first, second] = [left!, right!].sort((a, b) => a.x - b.x) as [
      typeof left & {},
      typeof right & {},
    ];
    expect(left!.top).toBe(right!.top);
    expect(first.x + first.width).toBeLessThanOrEqual(second.x);
  };
  await expectSideBySide();
  // The text names each state as well, for people who cannot tell the colours apart.
  await expect(lesson(page, 'Dropped')).toHaveAccessibleName(/09:00–10:00, 0\/1 booked, cancelled/);
  await expect(lesson(page, 'Dropped').getByText('Dropped')).toHaveCSS(
    'text-decoration-line',
    'line-through',
  );
  await expect(lesson(page, 'Quarter')).toHaveAccessibleName(/11:15–11:30, 0\/1 booked, no bookings yet/);
  await expect(lesson(page, 'Group')).toHaveAccessibleName(/09:00–10:30, 1\/8 booked, 7 places left/);
  await expect(lesson(page, 'Group').getByText('Group', { exact: true })).toBeVisible();
  await expect(lesson(page, 'Group')).toContainText('09:00–10:30');
  await expect(lesson(page, 'Group')).toContainText('1/8');

  await page.goto(`/coach/calendar?date=${monday}&view=day`);
  expect(await boundsOf(page, lesson(page, 'Quarter'))).toMatchObject({ top: 11.25 * hour, height: 40 });
  expect(await boundsOf(page, lesson(page, 'Group'))).toMatchObject({ height: 1.5 * hour });
  await expect(grid.getByRole('rowheader')).toHaveCount(48);
  expect((await grid.locator('tbody').boundingBox())!.height).toBe(24 * hour);
  await expectSideBySide();
  // Reads only visible text, because narrow blocks hide the lesson's end time.
  const words = /^Group\s+09:00–10:30\s+1\/8(\s|$)/;
  await expect(lesson(page, 'Group')).toHaveText(words, { useInnerText: true });
  await lesson(page, 'Group').click();
  await expect(page).toHaveURL(new RegExp(`/coach/lesson/${replacement.slotId}$`));
});

test('shows three lessons a day in the month view and links to the others [CAL-4]', async ({ page }) => {
  const coach = await openCoach();
  const date = `${someDay().slice(0, 7)}-15`;
  for (const hours of [15, 8, 10, 12, 17]) {
    await publishAt(coach, { date, hour: hours }, { title: `At ${hours}` });
  }
  const nextDay = addDays(date, 1);
  for (const hours of [9, 11, 13]) await publishAt(coach, { date: nextDay, hour: hours }, { title: 'Three' });
  await openCalendar(page, coach, `date=${date}&view=month`);
  const day = page.getByRole('gridcell').filter({ hasText: 'At 8' });
  await expect(day.getByRole('link')).toHaveText([/08:00.*At 8.*0\/1/, /10:00.*At 10/, /12:00.*At 12/]);
  await expect(page.getByRole('gridcell').filter({ hasText: 'Three' }).getByRole('link')).toHaveCount(3);
  await expect(page.getByRole('button', { name: /more on/ })).toHaveCount(1);
  await expect(day.getByText('+2 more', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `+2 more on ${longDay(date)}` }).click();
  await expect(page).toHaveURL(
    ({ searchParams }) => searchParams.get('date') === date && searchParams.get('view') === 'day',
  );
  await expect(page.getByRole('radio', { name: 'Day' })).toBeChecked();
  await expect(page.getByRole('grid').getByRole('link')).toHaveCount(5);
});

test('moves the current-time line, and opens a day at its first lesson or at 07:00 [CAL-7b]', async ({
  page,
}) => {
  // The clock starts at noon yesterday: a day back, so that the session doesn't expire, and at noon, so that midnight
  // doesn't pass during the first checks.
  const noon = { date: addDays(today(), -1), hour: 12, minute: 0 };
  await page.clock.install({ time: Date.parse(instantOf(noon).instant) });
  const coach = await openCoach();
  await openCalendar(page, coach, 'view=week');
  const line = page.locator('[data-now-line]');
  const minuteOf = (ms: number) => {
    const wall = wallTimeOf(ms);
    return wall.hour * 60 + wall.minute;
  };
  /** The difference between the line and the page's clock, in minutes. */
  const readLag = async () => {
    const top = (await boundsOf(page, line)).top + 1;
    return Math.abs(top / 0.8 - minuteOf(await page.evaluate(() => Date.now())));
  };
  await expect.poll(readLag).toBeLessThan(2);
  const heads = page.getByRole('columnheader').filter({ hasText: String(Number(noon.date.slice(8))) });
  const [box, head] = await boxesOf(page, line, heads.last());
  expect(Math.abs(box.x - head.x)).toBeLessThan(3);
  await page.clock.fastForward('25:00');
  await expect.poll(readLag).toBeLessThan(2);
  await page.getByRole('radio', { name: 'Day' }).click({ force: true });
  await expect(page.getByRole('columnheader')).toHaveCount(2);
  await expect.poll(readLag).toBeLessThan(2);

  const scrolled = () =>
    page.getByRole('grid').evaluate((grid) => Math.round(grid.parentElement!.scrollTop / 48));
  const date = someDay();
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await expect(page.getByText('No lessons scheduled', { exact: true })).toBeVisible();
  await expect.poll(scrolled).toBe(7);
  await expect(page.locator('[data-now-line]')).toHaveCount(0);
  await publishAt(coach, { date, hour: 5 }, { title: 'Dawn' });
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await expect(lesson(page, 'Dawn')).toBeInViewport();
  await expect.poll(scrolled).toBe(5);
  const nextDay = addDays(date, 1);
  for (const [hours, title] of [
    [16, 'Evening'],
    [9, 'Morning'],
    [12, 'Midday'],
  ] as const) {
    await publishAt(coach, { date: nextDay, hour: hours }, { title });
  }
  await page.goto(`/coach/calendar?date=${nextDay}&view=day`);
  await expect(lesson(page, 'Morning')).toBeInViewport();
  await expect.poll(scrolled).toBe(9);
});

test('shows every lesson at its local time on the days the clocks change [CAL-7d]', async ({ page }) => {
  const coach = await openCoach();
  const spring = nextSpringChange();
  await publishAt(coach, { date: spring, hour: 0, minute: 30 }, { title: 'Across' });
  await publishAt(coach, { date: spring, hour: 9 }, { title: 'Morning' });
  await openCalendar(page, coach, `date=${spring}&view=week`);
  expect(await boundsOf(page, lesson(page, 'Across'))).toMatchObject({ top: 0.5 * hour, height: 2 * hour });
  await expect(lesson(page, 'Across')).toHaveAccessibleName(/00:30–02:30/);
  expect(await boundsOf(page, lesson(page, 'Morning'))).toMatchObject({ top: 9 * hour, height: hour });
  await expect(page.getByText('Hour skipped: the clocks go forward')).toBeVisible();
  await expect(cell(page, `${longDay(spring)}, 00:00`)).toHaveCount(1);
  await expect(cell(page, `${longDay(spring)}, 01:00`)).toHaveCount(0);
  await expect(cell(page, `${longDay(addDays(spring, -1))}, 01:00`)).toHaveCount(1);

  const autumn = nextAutumnChange();
  await publishAt(coach, { date: autumn, hour: 1, minute: 30 }, { title: 'Twice', minutes: 45 });
  await publishAt(coach, { date: autumn, hour: 9 }, { title: 'After' });
  await page.goto(`/coach/calendar?date=${autumn}&view=day`);
  // From 01:30 BST to 01:15 GMT: the end is above the start in the grid, so the block is 40 px, the minimum.
  expect(await boundsOf(page, lesson(page, 'Twice'))).toMatchObject({ top: 1.5 * hour, height: 40 });
  await expect(lesson(page, 'Twice')).toHaveAccessibleName(/01:30 BST–01:15 GMT/);
  expect(await boundsOf(page, lesson(page, 'After'))).toMatchObject({ top: 9 * hour, height: hour });
  await expect(page.getByText('Hour repeated: the clocks go back')).toBeAttached();
  expect((await page.getByRole('grid').locator('tbody').boundingBox())!.height).toBe(24 * hour);
});

test('shows the new title and colour of a lesson once its template is saved', async ({ page }) => {
  const coach = await openCoach();
  const date = someDay();
  await publishAt(coach, { date, hour: 9 }, { title: 'Before', sport: 'tennis' });
  await openCalendar(page, coach, `date=${date}`);
  const colour = await colourOf(lesson(page, 'Before'));
  await lesson(page, 'Before').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Before' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'Edit Before' }).click();
  await page.getByLabel('Title').fill('After');
  await page.getByLabel('Sport').selectOption('Swimming');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(toast(page, 'Lesson template saved')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'After' })).toBeVisible();
  await page.goBack();
  await expect(lesson(page, 'After')).toBeVisible();
  expect(await colourOf(lesson(page, 'After'))).not.toBe(colour);
});

test('reports lessons that are loading or failed to load; offers to fill an empty day [CAL-5, UX-4b]', async ({
  page,
}) => {
  const coach = await openCoach();
  const date = someDay();
  await publishAt(coach, { date, hour: 9 }, { title: 'Waiting' });
  await becomePerson(page, coach);
  await stopLiveUpdates(page);
  const list = await holdResponse(page, slotsApi.listCoachSlots);
  await page.goto(`/coach/calendar?date=${date}`);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('Loading lessons...')).toBeAttached();
  list.fail();
  await expect(toast(page, 'Failed to load lesson slots')).toBeVisible();
  await expect(
    page.getByRole('alert').getByText('Failed to load lesson slots', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('No lessons scheduled')).toBeHidden();
  await list.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(lesson(page, 'Waiting')).toBeVisible();
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await expect(lesson(page, 'Waiting')).toBeVisible();
  await expect(page.getByText('No lessons scheduled')).toBeHidden();
  await page.goto(`/coach/calendar?date=${addDays(date, 1)}&view=day`);
  await expect(page.getByText('No lessons scheduled', { exact: true })).toBeVisible();
  await expect(page.getByText('Failed to load lesson slots')).toHaveCount(0);
  await page.getByRole('button', { name: 'Publish lessons' }).click();
  await expect(dialog(page)).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`distinguishes lesson states and names a sole attendee in ${colorScheme} mode [CAL-3b, CAL-7a]`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'Pacific/Auckland',
    });
    const page = await context.newPage();
    const coach = await openCoach();
    const date = addDays(mondayOf(someDay()), 2);
    const titles = ['Nobody', 'Some', 'Full', 'Off', 'Done'];
    const slots = [];
    for (const [index, title] of titles.entries()) {
      const seats = title === 'Full' ? 1 : 4;
      // A lesson of this length has room for the attendee's name.
      const minutes = 90;
      const at = { date, hour: 8 + 2 * index };
      slots.push(await publishAt(coach, at, { title, sport: 'boxing', seats, minutes }));
    }
    const customer = await openCustomer();
    await bookByApi(customer, slots[1]!);
    await bookByApi(customer, slots[2]!);
    await cancel(coach, slots[3]!.slotId);
    // An upcoming lesson can't be completed, so the changed response marks one as completed.
    await changeResponse(page, slotsApi.listCoachSlots, ({ slots: found }) => ({
      slots: found.map((slot) => (slot.title === 'Done' ? { ...slot, status: 'completed' as const } : slot)),
    }));
    await openCalendar(page, coach, `date=${date}`);
    // All lessons have the same sport, so that only the status affects how they look.
    const looks = await Promise.all(
      titles.map((title) =>
        lesson(page, title).evaluate((link) => {
          const style = getComputedStyle(link);
          return `${style.backgroundColor} ${style.borderTopStyle} ${style.borderTopColor}`;
        }),
      ),
    );
    expect(new Set(looks).size).toBe(5);
    await expect(lesson(page, 'Done')).toHaveAccessibleName(/0\/4 booked, completed/);
    await expect(lesson(page, 'Full')).toHaveAccessibleName(/1\/1 booked, full, with Cleo Customer/);
    await expect(lesson(page, 'Full').getByText('Cleo Customer', { exact: true })).toBeVisible();
    await expect(lesson(page, 'Some')).toHaveAccessibleName(/1\/4 booked, 3 places left/);
    await expect(lesson(page, 'Some')).not.toContainText('Cleo Customer');
    await expect(lesson(page, 'Some')).not.toHaveAttribute('title', /Cleo Customer/);
    // The themes differ only in colour, so the dark theme needs only the contrast check.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
    for (const view of ['week', 'month']) {
      await page.goto(`/coach/calendar?date=${date}&view=${view}`);
      await expect(lesson(page, 'Some')).toBeVisible();
      await expect(lesson(page, 'Full')).toHaveAccessibleName(/with Cleo Customer/);
      await expect(lesson(page, 'Full')).toHaveAttribute('title', /with Cleo Customer/);
      await expectNoViolations(page, rules);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/coach/calendar?date=${date}`);
    await expect(lesson(page, 'Some')).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.goto(`/coach/calendar?date=${addDays(date, 30)}`);
    await expect(page.getByText('No lessons scheduled', { exact: true })).toBeVisible();
    await expectNoViolations(page, rules);
    await context.close();
  });
}
