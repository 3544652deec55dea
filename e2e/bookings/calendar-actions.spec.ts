import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { addDays, instantOf, mondayOf, wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import {
  boundsOf,
  carry,
  cell,
  dayName,
  dialog,
  hour,
  lesson,
  longDay,
  openCalendar,
} from '../support/calendar-page.ts';
import { bookByApi, publishAt } from '../support/club.ts';
import { someDay, today } from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { changeResponse, holdResponse } from '../support/responses.ts';

// The coach's device is in another time zone, but the screen must show London time.
test.use({ timezoneId: 'America/Los_Angeles' });

test('opens the dialog at a free time and navigates the calendar with the keyboard [CAL-6, CAL-7c]', async ({
  page,
}) => {
  const coach = await openCoach();
  const monday = mondayOf(someDay());
  const booked = await publishAt(coach, { date: monday, hour: 9 }, { title: 'Squad', seats: 4 });
  await openCalendar(page, coach, `date=${monday}&view=week`);
  const create = page.getByRole('button', { name: 'Create Slots', exact: true });
  await expect(create).toHaveText('Create Slots');
  await create.click();
  await expect(page.getByRole('dialog', { name: 'Create New Lesson Slots', exact: true })).toBeVisible();
  await expect(dialog(page).getByRole('heading', { level: 2 })).toHaveText('Create New Lesson Slots');
  // A dialog closes on Escape only once it has taken the focus.
  await expect(dialog(page).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();

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

  // Moves two days back from the free time, then up to the lesson, which hides the free times that it covers.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(cell(page, `${longDay(monday)}, 14:30`)).toBeFocused();
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowUp');
  await expect(lesson(page, 'Squad')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await expect(cell(page, `${longDay(monday)}, 09:30`)).toHaveCount(0);
  // Moves across the start of the week, then a week ahead at the same time of day.
  await page.keyboard.press('ArrowLeft');
  await expect(cell(page, `${longDay(addDays(monday, -1))}, 08:30`)).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(cell(page, `${longDay(addDays(monday, 6))}, 08:30`)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(cell(page, `${longDay(addDays(monday, 1))}, 08:30`)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  // The grid is one tab stop: Tab leaves it and Shift+Tab returns to it.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Hour')).toHaveValue('8');
  await expect(dialog(page).getByLabel('Minutes')).toHaveValue('30');
  await expect(dialog(page).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(cell(page, `${longDay(monday)}, 08:30`)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(booked.slotId));

  await page.goto(`/coach/calendar?date=${addDays(mondayOf(today()), -7)}&view=week`);
  await expect(page.getByText('No lessons scheduled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /Add lessons/ })).toHaveCount(0);

  // In the month view the arrow keys move between days, even across the month's end, and within a day.
  const nextMonth = (date: string) => `${addDays(`${date.slice(0, 7)}-28`, 5).slice(0, 7)}-01`;
  // Uses the month after the lesson's, because the lesson may be on the last day of its own month.
  const empty = nextMonth(monday);
  const last = addDays(nextMonth(empty), -1);
  await page.goto(`/coach/calendar?date=${empty}&view=month`);
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
  await page.keyboard.press('ArrowUp');
  await expect(page.locator(':focus')).toHaveAccessibleName(new RegExp(`^${longDay(last)}`));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Hour')).toHaveValue('9');
});

test('drags an unbooked lesson, undoes the move and reverts a refused move', async ({ page }) => {
  const coach = await openCoach();
  const monday = mondayOf(someDay());
  const moved = await publishAt(coach, { date: monday, hour: 9 }, { title: 'Movable', seats: 4 });
  await publishAt(coach, { date: addDays(monday, 1), hour: 9 }, { title: 'In the way' });
  const full = await publishAt(coach, { date: addDays(monday, 4), hour: 9 }, { title: 'Booked' });
  const customer = await openCustomer();
  await bookByApi(customer, full);
  await openCalendar(page, coach, `date=${monday}&view=week`);
  const movable = lesson(page, 'Movable');
  const target = async (day: number, time: string) => {
    const { x, y } = (await cell(page, `${longDay(addDays(monday, day))}, ${time}`).boundingBox())!;
    return { x: x + 40, y };
  };

  // Escape cancels a drag.
  const before = await boundsOf(page, movable);
  await carry(page, movable, await target(2, '11:00'), false);
  await expect(page.locator('[data-drag-ghost]')).toContainText('11:00');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-drag-ghost]')).toHaveCount(0);
  await page.mouse.up();
  expect(await boundsOf(page, movable)).toEqual(before);
  await expect(page).toHaveURL(/\/coach\/calendar/);

  // Drags the lesson to 10:45 on another day.
  const { x, y } = await target(2, '10:30');
  await carry(page, movable, { x, y: y + 12 });
  // The toast stays while the pointer is over its button.
  await toast(page, 'Lesson moved').getByRole('button', { name: 'Undo' }).hover();
  await expect(toast(page, 'Lesson moved')).toContainText('10:45–11:45');
  await expect(movable).toHaveAccessibleName(/10:45–11:45/);
  expect(await boundsOf(page, movable)).toMatchObject({ top: 10.75 * hour });
  const { slot } = await call(coach, slotsApi.getCoachSlot, { slotId: moved.slotId });
  expect(wallTimeOf(slot.startTime)).toEqual({ date: addDays(monday, 2), hour: 10, minute: 45 });
  const undone = await holdResponse(page, lessonsApi.moveSlot);
  await toast(page, 'Lesson moved').getByRole('button', { name: 'Undo' }).click();
  await expect(movable).toHaveAccessibleName(/09:00–10:00/);
  expect(await boundsOf(page, movable)).toEqual(before);

  // Drags the lesson onto another lesson before the response arrives. Only the server can refuse this move.
  const inTheWay = (await lesson(page, 'In the way').boundingBox())!;
  await carry(page, movable, { x: inTheWay.x + 40, y: inTheWay.y + 24 });
  await expect(movable).toHaveAccessibleName(/09:30–10:30/);
  await undone.release();
  await expect(toast(page, 'Moved back')).toBeVisible();
  await expect(toast(page, /^This overlaps “In the way”/)).toBeVisible();
  await expect(movable).toHaveAccessibleName(/09:00–10:00/);
  expect(await boundsOf(page, movable)).toEqual(before);

  // A booked lesson can't be moved by dragging, and the page says why, even if it was booked after the page loaded.
  await expect(lesson(page, 'Booked')).toHaveAttribute('title', /You can't drag a booked lesson/);
  await carry(page, lesson(page, 'Booked'), await target(3, '12:00'), false);
  await expect(page.locator('[data-drag-ghost]')).toHaveCount(0);
  await expect(toast(page, /can't be dragged. Open “Booked” to move it/)).toBeVisible();
  await page.mouse.up();
  await expect(page).toHaveURL(/\/coach\/calendar/);
  // The page refetches its lessons every minute, and must not learn of the booking before the drag.
  const refetched = await holdResponse(page, slotsApi.listCoachSlots);
  await bookByApi(customer, moved);
  await carry(page, movable, await target(3, '12:00'));
  await expect(toast(page, /^Someone has just booked this lesson/)).toBeVisible();
  await refetched.release();
  await expect(movable).toHaveAccessibleName(/09:00–10:00, 1\/4 booked, 3 places left/);
  expect(await boundsOf(page, movable)).toEqual(before);
});

test('cancels a day, marks its lessons as cancelled and frees their times', async ({ page }) => {
  const coach = await openCoach();
  const date = someDay();
  await publishAt(coach, { date, hour: 9 }, { title: 'Early' });
  await publishAt(coach, { date, hour: 16 }, { title: 'Evening' });
  await openCalendar(page, coach, `date=${date}&view=week`);
  await expect(page.getByRole('button', { name: 'Cancel day' })).toBeHidden();
  await page
    .getByRole('columnheader')
    .getByRole('button', { name: dayName(date) })
    .click();
  await page.getByRole('button', { name: 'Cancel day' }).click();
  const question = page.getByRole('dialog', { name: /^Cancel / });
  await question.getByRole('button', { name: 'Cancel 2 lessons' }).click();
  await expect(toast(page, '2 lessons cancelled')).toBeVisible();
  for (const title of ['Early', 'Evening']) {
    await expect(lesson(page, title)).toHaveAccessibleName(/cancelled/);
  }
  await expect(page.getByRole('button', { name: 'Cancel day' })).toBeHidden();
  // The times of the day are free again, beside the cancelled lessons.
  await expect(cell(page, `${longDay(date)}, 09:00`)).toHaveCount(1);
});

test('marks completed lessons with a tick in each view, unlike other past lessons [CAL-7a]', async ({
  page,
}) => {
  const coach = await openCoach();
  const date = someDay();
  await publishAt(coach, { date, hour: 9 }, { title: 'Open', seats: 4 });
  await publishAt(coach, { date, hour: 11 }, { title: 'Done', seats: 4 });
  const { slots } = await call(coach, slotsApi.listCoachSlots, { from: date, to: date });
  // Lessons can't be published in the past, so the changed responses move both lessons to a past day.
  const pastDay = addDays(today(), -30);
  const atHour = (hour: number) => instantOf({ date: pastDay, hour, minute: 0 }).instant;
  await changeResponse(page, slotsApi.listCoachSlots, () => ({
    slots: slots.map((slot, index) => ({
      ...slot,
      ...{ startTime: atHour(9 + 2 * index), endTime: atHour(10 + 2 * index) },
      status: slot.title === 'Done' ? ('completed' as const) : ('scheduled' as const),
    })),
  }));
  await becomePerson(page, coach);
  for (const [view, width] of [
    ['day', 1280],
    ['week', 1280],
    ['month', 1280],
    ['month', 768],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/coach/calendar?date=${pastDay}&view=${view}`);
    await expect(lesson(page, 'Done')).toHaveAccessibleName(/, completed$/);
    await expect(lesson(page, 'Open')).toHaveAccessibleName(/, ended$/);
    await lesson(page, 'Done').scrollIntoViewIfNeeded();
    await expect(lesson(page, 'Done').locator('svg.lucide-check')).toBeInViewport({ ratio: 1 });
    await expect(lesson(page, 'Open').locator('svg')).toHaveCount(0);
  }
});
