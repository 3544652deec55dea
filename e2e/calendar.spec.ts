import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { addDays, mondayOf, wallTimeOf } from '#domain/time.ts';
import { becomePerson, bookByApi, call, openCustomer, type Person, toast } from './club.ts';
import { nextAutumnChange, nextSpringChange, someDay, today } from './coaching.ts';
import { expect, expectNoViolations, test } from './fixtures.ts';
import { openCoach, publishAt } from './own-coach.ts';

// The coach sits elsewhere: every time on the screen must be London's all the same.
test.use({ timezoneId: 'America/Los_Angeles' });

const hour = 48;

/** Signs a new coach in and opens the calendar. */
async function openCalendar(page: Page, coach: Person, search: string): Promise<void> {
  await becomePerson(page, coach);
  await page.goto(`/coach/calendar?${search}`);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
}

const lesson = (page: Page, title: string) =>
  page.getByRole('grid').getByRole('link', { name: new RegExp(`^${title}, `) });
const cell = (page: Page, words: string) => page.getByRole('button', { name: `${words}, free. Add lessons` });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Lesson Slots' });
/** "Wednesday 24 November", with the year where it is not this one. */
function longDay(date: string): string {
  const isThisYear = date.slice(0, 4) === today().slice(0, 4);
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
    .format(new Date(`${date}T12:00:00Z`))
    .replace(',', '');
}
const monthName = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${date}T12:00:00Z`),
  );

/** Where something stands: pixels from the top of the day, and its box. */
async function place(page: Page, thing: Locator) {
  const box = (await thing.boundingBox())!;
  const day = (await page.getByRole('grid').locator('tbody').boundingBox())!;
  return { ...box, top: Math.round(box.y - day.y), height: Math.round(box.height) };
}

async function cancel(request: APIRequestContext, coach: Person, slotId: string): Promise<void> {
  await call(request, coach, 'POST', `/api/coach/slots/${slotId}/cancellation`, { reason: 'Rain' });
}

/** Carries a lesson by the mouse so that its top comes to lie on a place; `drop` lets it go. */
async function carry(page: Page, thing: Locator, to: { x: number; y: number }, drop = true): Promise<void> {
  const box = (await thing.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 30, box.y + 20, { steps: 3 });
  await page.mouse.move(to.x, to.y + 10, { steps: 8 });
  if (drop) await page.mouse.up();
}

test('[CAL-1] day, week and month go back and forth by their own length, Monday first; a phone has the day alone', async ({
  page,
  request,
}) => {
  const monday = mondayOf(someDay());
  const wednesday = addDays(monday, 2);
  await openCalendar(page, await openCoach(request), `date=${wednesday}`);
  const title = page.getByRole('heading', { level: 2 });
  const days = page.getByRole('columnheader').getByRole('button');
  await expect(page.getByRole('radio', { name: 'Week' })).toBeChecked();
  await expect(days).toHaveText(
    Array.from({ length: 7 }, (_, day) => new RegExp(`${Number(addDays(monday, day).slice(8))}$`)),
  );
  await expect(days.first()).toContainText('Mon');

  await page.getByRole('button', { name: 'Next week' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, 7)}`));
  await page.getByRole('button', { name: 'Previous week' }).click();
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, -7)}`));

  await page.getByRole('radio', { name: 'Day' }).check({ force: true });
  await expect(page).toHaveURL(/view=day/);
  await expect(title).toHaveText(longDay(addDays(wednesday, -7)));
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(title).toHaveText(longDay(addDays(wednesday, -6)));
  await page.getByRole('button', { name: 'Previous day' }).click();
  await expect(title).toHaveText(longDay(addDays(wednesday, -7)));

  await page.getByRole('radio', { name: 'Month' }).check({ force: true });
  await expect(title).toHaveText(monthName(addDays(wednesday, -7)));
  await expect(page.getByRole('columnheader')).toHaveText(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
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

  // A phone shows the day whatever the address says.
  await page.setViewportSize({ width: 767, height: 844 });
  await page.goto(`/coach/calendar?date=${wednesday}&view=month`);
  await expect(page.getByRole('radiogroup', { name: 'View' })).toBeHidden();
  await expect(page.getByRole('columnheader')).toHaveCount(2);
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(new RegExp(`date=${addDays(wednesday, 1)}`));
  await page.getByRole('navigation', { name: 'Days of this week' }).getByRole('button').first().click();
  await expect(page).toHaveURL(new RegExp(`date=${monday}`));
});

test('[CAL-2] [CAL-3] an hour is 48 px, short lessons are 24 or 40 px high, and lessons at the same time stand side by side', async ({
  page,
  request,
}) => {
  const coach = await openCoach(request);
  const monday = mondayOf(someDay());
  const at = (date: string, hours: number, minute = 0) => ({ date, hour: hours, minute });
  const dropped = await publishAt(request, coach, at(monday, 9), { title: 'Dropped' });
  await cancel(request, coach, dropped.slotId);
  const group = { title: 'Group', minutes: 90, places: 8 };
  const replacement = await publishAt(request, coach, at(monday, 9), group);
  await publishAt(request, coach, at(monday, 11, 15), { title: 'Quarter', minutes: 15 });
  await publishAt(request, coach, at(addDays(monday, 3), 23), { title: 'Night', minutes: 120 });
  await publishAt(request, coach, at(addDays(monday, 5), 23, 45), { title: 'Late', minutes: 15 });

  await openCalendar(page, coach, `date=${monday}&view=week`);
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('rowheader')).toHaveCount(48);
  expect((await grid.locator('tbody').boundingBox())!.height).toBe(24 * hour);
  expect(await place(page, lesson(page, 'Group'))).toMatchObject({ top: 9 * hour, height: 1.5 * hour });
  expect(await place(page, lesson(page, 'Quarter'))).toMatchObject({ top: 11.25 * hour, height: 24 });
  // Before midnight there is no room downwards.
  const late = await place(page, lesson(page, 'Late'));
  expect([late.top + late.height, late.height]).toEqual([24 * hour, 24]);
  const [evening, morning] = [lesson(page, 'Night').first(), lesson(page, 'Night').last()];
  expect(await place(page, evening)).toMatchObject({ top: 0, height: hour });
  expect(await place(page, morning)).toMatchObject({ top: 23 * hour, height: hour });
  const [left, right] = await Promise.all(
    ['Dropped', 'Group'].map((title) => place(page, lesson(page, title))),
  );
  const [first, second] = [left!, right!].sort((a, b) => a.x - b.x) as [typeof left & {}, typeof right & {}];
  expect(left!.top).toBe(right!.top);
  expect(first.x + first.width).toBeLessThanOrEqual(second.x);
  // Who looks away from colours reads how things stand.
  await expect(lesson(page, 'Dropped')).toHaveAccessibleName(/09:00–10:00, 0\/1 booked, cancelled/);
  await expect(lesson(page, 'Dropped').getByText('Dropped')).toHaveCSS(
    'text-decoration-line',
    'line-through',
  );
  await expect(lesson(page, 'Group')).toHaveAccessibleName(/09:00–10:30, 0\/8 booked, nobody yet/);
  await expect(lesson(page, 'Group')).toContainText('09:00–10:30');
  await expect(lesson(page, 'Group')).toContainText('0/8');

  await page.goto(`/coach/calendar?date=${monday}&view=day`);
  expect(await place(page, lesson(page, 'Quarter'))).toMatchObject({ top: 11.25 * hour, height: 40 });
  expect(await place(page, lesson(page, 'Group'))).toMatchObject({ height: 1.5 * hour });
  await lesson(page, 'Group').click();
  await expect(page).toHaveURL(new RegExp(`/coach/lesson/${replacement.slotId}$`));
});

test('[CAL-4] a day of the month shows three lessons and leads to the others', async ({ page, request }) => {
  const coach = await openCoach(request);
  const date = `${someDay().slice(0, 7)}-15`;
  for (const hours of [15, 8, 10, 12, 17]) {
    await publishAt(request, coach, { date, hour: hours }, { title: `At ${hours}` });
  }
  await publishAt(request, coach, { date: addDays(date, 1), hour: 9 }, { title: 'Alone' });
  await openCalendar(page, coach, `date=${date}&view=month`);
  const day = page.getByRole('gridcell').filter({ hasText: 'At 8' });
  await expect(day.getByRole('link')).toHaveText([/08:00.*At 8.*0\/1/, /10:00.*At 10/, /12:00.*At 12/]);
  await expect(page.getByRole('button', { name: /more on/ })).toHaveCount(1);
  await page.getByRole('button', { name: `+2 more on ${longDay(date)}` }).click();
  await expect(page).toHaveURL(new RegExp(`date=${date}.*view=day|view=day.*date=${date}`));
  await expect(page.getByRole('grid').getByRole('link')).toHaveCount(5);
});

test('[CAL-7] the line for now moves by itself, and the day opens at its first lesson or at seven', async ({
  page,
  request,
}) => {
  // An hour back, so that the session does not run out when the clock goes on.
  const began = Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000;
  await page.clock.install({ time: began });
  const coach = await openCoach(request);
  await openCalendar(page, coach, 'view=week');
  const line = page.locator('[data-now-line]');
  const minuteOf = (ms: number) => {
    const wall = wallTimeOf(ms);
    return wall.hour * 60 + wall.minute;
  };
  const topOf = async () => (await place(page, line)).top + 1;
  const isAt = (ms: number) => async () => Math.abs((await topOf()) - minuteOf(ms) * 0.8) <= 1;
  await expect.poll(isAt(began)).toBe(true);
  const box = (await line.boundingBox())!;
  const head = await page
    .getByRole('columnheader')
    .filter({ hasText: String(Number(wallTimeOf(began).date.slice(8))) })
    .last()
    .boundingBox();
  expect(Math.abs(box.x - head!.x)).toBeLessThan(3);
  await page.clock.fastForward('25:00');
  await expect.poll(isAt(began + 25 * 60_000)).toBe(true);

  const scrolled = () =>
    page.getByRole('grid').evaluate((grid) => Math.round(grid.parentElement!.scrollTop / 48));
  const date = someDay();
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await expect(page.getByText('No lessons scheduled')).toBeVisible();
  expect(await scrolled()).toBe(7);
  await expect(page.locator('[data-now-line]')).toHaveCount(0);
  await publishAt(request, coach, { date, hour: 5 }, { title: 'Dawn' });
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await expect(lesson(page, 'Dawn')).toBeInViewport();
  expect(await scrolled()).toBe(5);
});

test('[CAL-7] on the days the clocks change every lesson stands at its wall time and none is lost', async ({
  page,
  request,
}) => {
  const coach = await openCoach(request);
  const spring = nextSpringChange();
  await publishAt(request, coach, { date: spring, hour: 0, minute: 30 }, { title: 'Across' });
  await publishAt(request, coach, { date: spring, hour: 9 }, { title: 'Morning' });
  await openCalendar(page, coach, `date=${spring}&view=week`);
  expect(await place(page, lesson(page, 'Across'))).toMatchObject({ top: 0.5 * hour, height: 2 * hour });
  await expect(lesson(page, 'Across')).toHaveAccessibleName(/00:30–02:30/);
  expect(await place(page, lesson(page, 'Morning'))).toMatchObject({ top: 9 * hour, height: hour });
  await expect(page.getByText('No such hour: the clocks go forward')).toBeVisible();
  await expect(cell(page, `${longDay(spring)}, 00:00`)).toHaveCount(1);
  await expect(cell(page, `${longDay(spring)}, 01:00`)).toHaveCount(0);
  await expect(cell(page, `${longDay(addDays(spring, -1))}, 01:00`)).toHaveCount(1);

  const autumn = nextAutumnChange();
  await publishAt(request, coach, { date: autumn, hour: 1, minute: 30 }, { title: 'Twice', minutes: 45 });
  await publishAt(request, coach, { date: autumn, hour: 9 }, { title: 'After' });
  await page.goto(`/coach/calendar?date=${autumn}&view=day`);
  // From half past one in summer to a quarter past one in winter: down to the end of the hour that comes twice.
  expect(await place(page, lesson(page, 'Twice'))).toMatchObject({ top: 1.5 * hour, height: 40 });
  await expect(lesson(page, 'Twice')).toHaveAccessibleName(/01:30 BST–01:15 GMT/);
  expect(await place(page, lesson(page, 'After'))).toMatchObject({ top: 9 * hour, height: hour });
  await expect(page.getByText('Comes twice: the clocks go back')).toBeAttached();
  expect((await page.getByRole('grid').locator('tbody').boundingBox())!.height).toBe(24 * hour);
});

test('[CAL-7] lessons are published from a free time and opened, by keyboard and by pointer; past times offer nothing', async ({
  page,
  request,
}) => {
  const coach = await openCoach(request);
  const monday = mondayOf(someDay());
  const booked = await publishAt(request, coach, { date: monday, hour: 9 }, { title: 'Squad', places: 4 });
  await openCalendar(page, coach, `date=${monday}&view=week`);

  const ghost = cell(page, `${longDay(addDays(monday, 2))}, 14:30`);
  await ghost.hover();
  await expect(ghost.getByText('+ 14:30')).toHaveCSS('opacity', '1');
  await ghost.click();
  await expect(dialog(page).getByLabel('Hour')).toHaveValue('14');
  await expect(dialog(page).getByLabel('Minutes')).toHaveValue('30');
  await expect(dialog(page).getByText('1 slot will be created')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(ghost).toBeFocused();

  // From there the arrows lead on: two days back and up to the lesson, which covers its times.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(cell(page, `${longDay(monday)}, 14:30`)).toBeFocused();
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowUp');
  await expect(lesson(page, 'Squad')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await expect(cell(page, `${longDay(monday)}, 09:30`)).toHaveCount(0);
  // Over the edge of the week, and a page on at the same time of day.
  await page.keyboard.press('ArrowLeft');
  await expect(cell(page, `${longDay(addDays(monday, -1))}, 08:30`)).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(cell(page, `${longDay(addDays(monday, 6))}, 08:30`)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  // One stop for the Tab key: out of the grid and in again.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Hour')).toHaveValue('8');
  await expect(dialog(page).getByLabel('Minutes')).toHaveValue('30');
  await page.keyboard.press('Escape');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(booked.slotId));

  await page.goto(`/coach/calendar?date=${addDays(mondayOf(today()), -7)}&view=week`);
  await expect(page.getByText('No lessons scheduled')).toBeVisible();
  await expect(page.getByRole('button', { name: /Add lessons/ })).toHaveCount(0);

  // In the month the arrows go from week to week, and over its end to the next.
  const last = addDays(`${addDays(`${monday.slice(0, 7)}-28`, 5).slice(0, 7)}-01`, -1);
  await page.goto(`/coach/calendar?date=${monday}&view=month`);
  await page
    .getByRole('button', { name: `${longDay(last)}, ` })
    .first()
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(new RegExp(longDay(addDays(last, 1))));
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator(':focus')).toHaveAccessibleName(new RegExp(longDay(last)));
  await page.keyboard.press('ArrowDown');
  await expect(page.locator(':focus')).toHaveAccessibleName(`Add lessons, ${longDay(last)}`);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Hour')).toHaveValue('9');
});

test('an unbooked lesson is dragged to another time and back; what the server refuses goes back by itself', async ({
  page,
  request,
}) => {
  const coach = await openCoach(request);
  const monday = mondayOf(someDay());
  const moved = await publishAt(request, coach, { date: monday, hour: 9 }, { title: 'Movable', places: 4 });
  await publishAt(request, coach, { date: addDays(monday, 1), hour: 9 }, { title: 'In the way' });
  const full = await publishAt(request, coach, { date: addDays(monday, 4), hour: 9 }, { title: 'Booked' });
  const customer = await openCustomer(request);
  await bookByApi(request, customer, full);
  await openCalendar(page, coach, `date=${monday}&view=week`);
  const movable = lesson(page, 'Movable');
  const target = async (day: number, time: string) => {
    const { x, y } = (await cell(page, `${longDay(addDays(monday, day))}, ${time}`).boundingBox())!;
    return { x: x + 40, y };
  };

  // Escape puts it back, also on the way.
  const before = await place(page, movable);
  await carry(page, movable, await target(2, '11:00'), false);
  await expect(page.locator('[data-drag-ghost]')).toContainText('11:00');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-drag-ghost]')).toHaveCount(0);
  await page.mouse.up();
  expect(await place(page, movable)).toEqual(before);
  await expect(page).toHaveURL(/\/coach\/calendar/);

  // Another day, at a quarter to eleven.
  const { x, y } = await target(2, '10:30');
  await carry(page, movable, { x, y: y + 12 });
  await expect(toast(page, 'Lesson moved')).toContainText('10:45–11:45');
  await expect(movable).toHaveAccessibleName(/10:45–11:45/);
  expect(await place(page, movable)).toMatchObject({ top: 10.75 * hour });
  const { slot } = await call<{ slot: { startTime: string } }>(
    request,
    coach,
    'GET',
    `/api/coach/slots/${moved.slotId}`,
  );
  expect(wallTimeOf(slot.startTime)).toEqual({ date: addDays(monday, 2), hour: 10, minute: 45 });
  await toast(page, 'Lesson moved').getByRole('button', { name: 'Undo' }).click();
  await expect(movable).toHaveAccessibleName(/09:00–10:00/);
  expect(await place(page, movable)).toEqual(before);

  // Onto another lesson, which only the server may judge.
  const inTheWay = (await lesson(page, 'In the way').boundingBox())!;
  await carry(page, movable, { x: inTheWay.x + 40, y: inTheWay.y + 24 });
  await expect(toast(page, 'This overlaps “In the way”')).toBeVisible();
  await expect(movable).toHaveAccessibleName(/09:00–10:00/);
  expect(await place(page, movable)).toEqual(before);

  // What is booked stays and says why; so does what was booked since the calendar was read.
  await expect(lesson(page, 'Booked')).toHaveAttribute('title', /Booked lessons cannot be dragged/);
  await carry(page, lesson(page, 'Booked'), await target(3, '12:00'), false);
  await expect(page.locator('[data-drag-ghost]')).toHaveCount(0);
  await page.mouse.up();
  await bookByApi(request, customer, moved);
  await carry(page, movable, await target(3, '12:00'));
  await expect(toast(page, 'Somebody has just taken a place in this lesson')).toBeVisible();
  await expect(movable).toHaveAccessibleName(/09:00–10:00, 1\/4 booked, 3 places left/);
  expect(await place(page, movable)).toEqual(before);
});

test('[CAL-5] a calendar says that it loads, that it failed and tries again, and that a day is empty with what to do next', async ({
  page,
  request,
}) => {
  const coach = await openCoach(request);
  const date = someDay();
  await publishAt(request, coach, { date, hour: 9 }, { title: 'Waiting' });
  await becomePerson(page, coach);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/coach/slots?**', async (route) => {
    await held;
    await route.abort();
  });
  await page.goto(`/coach/calendar?date=${date}`);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('Loading lessons...')).toBeAttached();
  release();
  await expect(toast(page, 'Failed to load lesson slots')).toBeVisible();
  await expect(page.getByRole('alert').getByText('Failed to load lesson slots')).toBeVisible();
  await page.unroute('**/api/coach/slots?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(lesson(page, 'Waiting')).toBeVisible();
  await page.goto(`/coach/calendar?date=${addDays(date, 1)}&view=day`);
  await expect(page.getByText('No lessons scheduled')).toBeVisible();
  await page.getByRole('button', { name: 'Publish lessons' }).click();
  await expect(dialog(page)).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`[CAL-7] states can be told apart and read without faults, ${colorScheme}`, async ({
    browser,
    request,
  }) => {
    test.slow();
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'Pacific/Auckland',
    });
    const page = await context.newPage();
    const coach = await openCoach(request);
    const date = addDays(mondayOf(someDay()), 2);
    const sports = ['football', 'yoga', 'boxing', 'swimming'];
    const slots = [];
    for (const [index, sport] of sports.entries()) {
      const title = ['Nobody', 'Some', 'Full', 'Off'][index]!;
      const places = title === 'Full' ? 1 : 4;
      slots.push(await publishAt(request, coach, { date, hour: 8 + index }, { title, sport, places }));
    }
    const customer = await openCustomer(request);
    await bookByApi(request, customer, slots[1]!);
    await bookByApi(request, customer, slots[2]!);
    await cancel(request, coach, slots[3]!.slotId);
    await openCalendar(page, coach, `date=${date}`);
    const looks = await Promise.all(
      ['Nobody', 'Some', 'Full', 'Off'].map((title) =>
        lesson(page, title).evaluate((link) => {
          const style = getComputedStyle(link);
          return `${style.backgroundColor} ${style.borderTopStyle} ${style.borderTopColor}`;
        }),
      ),
    );
    expect(new Set(looks).size).toBe(4);
    await expect(lesson(page, 'Full')).toHaveAccessibleName(/1\/1 booked, full/);
    await expect(lesson(page, 'Some')).toHaveAccessibleName(/1\/4 booked, 3 places left/);
    for (const view of ['week', 'day', 'month']) {
      await page.goto(`/coach/calendar?date=${date}&view=${view}`);
      await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
      await expect(lesson(page, 'Some')).toBeVisible();
      await expectNoViolations(page);
    }
    await page.goto(`/coach/calendar?date=${addDays(date, 30)}&view=day`);
    await expect(page.getByText('No lessons scheduled')).toBeVisible();
    await expectNoViolations(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/coach/calendar?date=${date}`);
    await expect(lesson(page, 'Some')).toBeVisible();
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await context.close();
  });
}
