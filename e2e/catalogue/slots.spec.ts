import type { Locator } from '@playwright/test';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { addDays, mondayOf, wallTimeOf, weekdayOf } from '#domain/time.ts';
import {
  addLocation,
  chooseTime,
  createTemplate,
  nextAutumnChange,
  nextSpringChange,
  openCreateSlots,
  shownDay,
  someDay,
  today,
  unique,
} from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

// The coach's device is in another time zone, but the screen must show London time.
test.use({ timezoneId: 'America/Los_Angeles' });

// Each test has its own coach, because other tests use the templates and times of the demo's coach.

test('creates eight weekly lessons at 05:15 in London across a clock change [SLOT-2b, SLOT-7, SLOT-8c]', async ({
  page,
}) => {
  const title = unique('Dawn squad');
  const change = nextSpringChange();
  const first = addDays(mondayOf(change), -7 * 3 + 2);
  await becomePerson(page, await openCoach());
  await createTemplate(page, { title, minutes: '45', price: '8', isGroup: true });

  const dialog = await openCreateSlots(page, first, title);
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(first));
  await dialog.getByRole('radio', { name: 'Weekly Repeat' }).check({ force: true });
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  for (const day of days) {
    const isFirst = day === days[weekdayOf(first) - 1];
    await expect(dialog.getByRole('button', { name: day, exact: true, pressed: isFirst })).toBeVisible();
  }
  const create = (count: number) => dialog.getByRole('button', { name: `Create ${count} Lesson Slot(s)` });
  const toggles = dialog.getByRole('group', { name: 'Repeat on' }).getByRole('button');
  await expect(toggles).toHaveText(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  await expect(dialog.getByLabel('Number of weeks')).toHaveValue('4');
  await expect(create(4)).toBeEnabled();
  await expect(dialog.getByText(/^The clocks go/)).toHaveCount(0);
  const weeks = dialog.getByLabel('Number of weeks');
  for (const [typed, count] of [
    ['1', 1],
    ['0', 0],
    ['', 1],
    ['13', 0],
    ['12', 12],
  ] as const) {
    await weeks.fill(typed);
    await expect(create(count)).toBeEnabled({ enabled: count > 0 });
    await expect(dialog.getByText('Repeat for 1 to 12 weeks.')).toBeVisible({ visible: count === 0 });
  }
  const otherDay = days[weekdayOf(first) % 7]!;
  const toggle = dialog.getByRole('button', { name: otherDay, exact: true });
  await toggle.click();
  await expect(create(24)).toBeEnabled();
  await toggle.click();
  await weeks.fill('8');
  await chooseTime(page, '5', '15');
  await expect(dialog.getByText('8 slots will be created')).toBeVisible();
  await expect(
    dialog.getByText('The clocks go forward in between; every lesson still starts at 05:15.'),
  ).toBeVisible();

  // A location can be added without leaving the dialog.
  const location = unique('Lido');
  await addLocation(dialog, location);
  await dialog.getByLabel('Location').selectOption('No location');
  await dialog.getByLabel('Location').selectOption(`${location}, Leeds`);

  const answer = page.waitForResponse(
    (response) => response.url().endsWith('/api/coach/slots') && response.request().method() === 'POST',
  );
  await dialog.getByRole('button', { name: 'Create 8 Lesson Slot(s)' }).click();
  await expect(page.getByText('8 lesson slots created')).toBeVisible();
  await expect(dialog).toBeHidden();
  const { slots } = (await (await answer).json()) as OutputOf<typeof slotsApi.createSlots>;
  expect(slots.map((slot) => wallTimeOf(slot.startTime))).toEqual(
    Array.from({ length: 8 }, (_, week) => ({ date: addDays(first, week * 7), hour: 5, minute: 15 })),
  );
  expect(new Set(slots.map((slot) => slot.startTime.slice(11, 16)))).toEqual(new Set(['05:15', '04:15']));
  for (const slot of slots) {
    expect(slot).toMatchObject({ status: 'scheduled', bookedCount: 0, priceCents: 800, maxCapacity: 4 });
  }

  for (const week of [0, 7]) {
    await page.goto(`/coach/calendar?date=${addDays(first, week * 7)}&view=week`);
    const row = page.getByRole('link', { name: title });
    await expect(row).toContainText('05:15–06:00');
    await expect(row).toContainText('0/4 booked');
    await expect(row).toContainText(location);
  }
});

test('warns before creating a lesson at a time that the clocks skip or repeat [SLOT-7]', async ({ page }) => {
  const title = unique('Night run');
  const change = nextSpringChange();
  await becomePerson(page, await openCoach());
  await createTemplate(page, { title });
  const dialog = await openCreateSlots(page, change, title);
  await chooseTime(page, '1', '30');
  await expect(
    dialog.getByText('The clocks go forward that night, so this lesson would start at 02:30.'),
  ).toBeVisible();
  await expect(dialog.getByText('02:30–03:30')).toBeVisible();
  const again = await openCreateSlots(page, nextAutumnChange(), title);
  await chooseTime(page, '1', '30');
  await expect(
    again.getByText(
      'The clocks go back that night, so 01:30 happens twice. This lesson would start the first time.',
    ),
  ).toBeVisible();
  // A weekly plan says that the clocks change between its lessons.
  await again.getByRole('radio', { name: 'Weekly Repeat' }).check({ force: true });
  await again.getByLabel('Hour').selectOption('9');
  await expect(again.getByText(/^The clocks go/)).toHaveCount(0);
  const week = await openCreateSlots(page, addDays(nextAutumnChange(), -7), title);
  await week.getByRole('radio', { name: 'Weekly Repeat' }).check({ force: true });
  await expect(
    week.getByText('The clocks go back in between; every lesson still starts at 09:00.'),
  ).toBeVisible();
});

test('plans slots on specific dates, refuses past dates and counts each day once [SLOT-1, SLOT-2a, SLOT-3]', async ({
  page,
}) => {
  const title = unique('Rowing taster');
  await becomePerson(page, await openCoach());
  const another = unique('Another');
  await createTemplate(page, { title: another, price: '20' });
  await createTemplate(page, { title, minutes: '45', price: '8', isGroup: true });
  // With two templates, neither is preselected, so no slot can be created yet.
  await page.goto(`/coach/calendar?date=${today()}`);
  await page.getByRole('button', { name: 'Create Slots' }).click();
  const opened = page.getByRole('dialog', { name: 'Create New Lesson Slots' });
  await expect(opened.getByRole('heading', { level: 2 })).toHaveText('Create New Lesson Slots');
  await expect(opened.getByLabel('Lesson template')).toHaveValue('');
  const createOne = page.getByRole('button', { name: 'Create 1 Lesson Slot(s)' });
  await expect(createOne).toHaveText('Create 1 Lesson Slot(s)');
  await expect(createOne).toBeDisabled();
  const individual = await openCreateSlots(page, today(), another);
  await expect(individual.getByText('1 hour · Individual · 1 person', { exact: true })).toBeVisible();
  const dialog = await openCreateSlots(page, today(), title);
  const tomorrow = addDays(today(), 1);
  await expect(dialog.getByRole('option', { name: title })).toHaveText(`${title} (£8.00)`);
  await expect(dialog.getByText('45 minutes · Group · 2–4 people', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Specific Dates' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'Weekly Repeat' })).not.toBeChecked();
  for (const choice of ['Specific Dates', 'Weekly Repeat']) {
    await expect(dialog.getByText(choice, { exact: true })).toBeVisible();
  }
  await expect(dialog.getByText('1 slot will be created')).toBeVisible();
  await expect(createOne).toBeEnabled();
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(tomorrow));
  await expect(dialog.getByLabel('Hour')).toHaveValue('9');
  await expect(dialog.getByLabel('Minutes')).toHaveValue('0');
  await expect(dialog.getByLabel('Hour').getByRole('option')).toHaveText(
    Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
  );
  await expect(dialog.getByLabel('Minutes').getByRole('option')).toHaveText(['00', '15', '30', '45']);
  const calendar = dialog.getByRole('group', { name: 'Additional dates' });
  const day = (date: string) => calendar.locator(`[data-day="${date}"]`).getByRole('button');
  const [yesterday, monthOfToday] = [addDays(today(), -1), today().slice(0, 7)];
  /** Expects no past days in a calendar, which opens on tomorrow's month and then shows it again. */
  async function expectNoPast(shown: Locator): Promise<void> {
    const [previous, next] = [/previous month/i, /next month/i].map((name) =>
      shown.getByRole('button', { name }),
    );
    const isLastOfMonth = tomorrow.slice(0, 7) !== monthOfToday;
    if (isLastOfMonth) await previous!.click();
    await expect(previous!).toBeDisabled();
    const isFirstOfMonth = yesterday.slice(0, 7) !== monthOfToday;
    if (!isFirstOfMonth) {
      await expect(shown.locator(`[data-day="${yesterday}"]`).getByRole('button')).toBeDisabled();
    }
    if (isLastOfMonth) await next!.click();
  }
  await expectNoPast(calendar);

  await calendar.getByRole('button', { name: /next month/i }).click();
  const nextMonth = `${addDays(`${tomorrow.slice(0, 7)}-28`, 5).slice(0, 7)}-15`;
  await day(nextMonth).click();
  await day(addDays(nextMonth, 1)).click();
  await expect(dialog.getByText('3 slots will be created')).toBeVisible();
  await dialog.getByLabel('Start date').click();
  const picker = page.getByRole('dialog', { name: 'Calendar' });
  await expectNoPast(picker);
  // The number is shown immediately, before the server has compared the plan with the calendar.
  const check = await holdResponse(page, slotsApi.previewSlots);
  await picker.getByRole('button', { name: /next month/i }).click();
  await picker.locator(`[data-day="${nextMonth}"]`).getByRole('button').click();
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(nextMonth));
  await expect(dialog.getByText('2 slots will be created')).toBeVisible();
  const createTwo = dialog.getByRole('button', { name: 'Create 2 Lesson Slot(s)' });
  await expect(createTwo).toBeEnabled();
  await expect(dialog.getByText('Checking your calendar...')).toBeVisible();
  await check.arrived;
  // The form is rendered again between the press of the mouse button and its release.
  await calendar.getByRole('button', { name: /next month/i }).hover();
  await page.mouse.down();
  await check.release();
  await expect(dialog.getByText('Checking your calendar...')).toBeHidden();
  await page.mouse.up();
  const monthAfter = addDays(`${nextMonth.slice(0, 7)}-28`, 5).slice(0, 7);
  await expect(day(`${monthAfter}-15`)).toBeVisible();
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
  await expect(dialog.getByRole('button', { name: 'Create 0 Lesson Slot(s)' })).toBeDisabled();
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  await expect(createTwo).toBeEnabled();
});

test('marks and skips slots that already exist or overlap another lesson [SLOT-4, SLOT-5, SLOT-8b]', async ({
  page,
}) => {
  const title = unique('Early circuit');
  const other = unique('Boxing basics');
  const monday = mondayOf(someDay());
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/coach/slots')) sent.push(request.url());
  });
  await becomePerson(page, await openCoach());
  await createTemplate(page, { title });
  await createTemplate(page, { title: other });

  let dialog = await openCreateSlots(page, monday, title);
  const nothingToMake = dialog.getByText('No slots to create', { exact: true });
  const nothingChosen = dialog.getByText('Please select dates or repeat days', { exact: true });
  const allLeftOut = dialog.getByText('Every date is left out. Choose other dates or another time.', {
    exact: true,
  });
  await chooseTime(page, '3', '0');
  await expect(dialog.getByText('1 slot will be created')).toBeVisible();
  for (const text of [nothingToMake, nothingChosen, allLeftOut]) await expect(text).toBeHidden();
  await dialog.getByRole('checkbox').uncheck();
  for (const text of [nothingToMake, allLeftOut]) await expect(text).toBeVisible();
  await expect(nothingChosen).toBeHidden();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();

  dialog = await openCreateSlots(page, monday, title);
  await chooseTime(page, '3', '0');
  await expect(dialog.getByText("Already published, so it's left out.")).toBeVisible();
  await expect(nothingToMake).toBeVisible();
  await expect(allLeftOut).toBeVisible();
  await expect(nothingChosen).toBeHidden();
  await expect(dialog.getByRole('button', { name: 'Create 0 Lesson Slot(s)' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  dialog = await openCreateSlots(page, monday, other);
  await dialog.getByRole('radio', { name: 'Weekly Repeat' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Monday' }).click();
  await expect(nothingToMake).toBeVisible();
  await expect(nothingChosen).toBeVisible();
  await expect(allLeftOut).toBeHidden();
  await dialog.getByRole('button', { name: 'Monday' }).click();
  await chooseTime(page, '3', '30');
  await expect(dialog.getByText(`Overlaps “${title}”, so it's left out.`)).toBeVisible();
  await expect(dialog.getByText(/left out\.$/)).toHaveCount(1);
  // So far, only the first lesson has been sent.
  expect(sent).toHaveLength(1);
  await expect(dialog.getByRole('button', { name: 'Create 3 Lesson Slot(s)' })).toBeEnabled();
  await dialog.getByRole('checkbox').last().uncheck();
  await dialog.getByRole('button', { name: 'Create 2 Lesson Slot(s)' }).click();
  await expect(page.getByText('2 lesson slots created')).toBeVisible();
  await page.goto(`/coach/calendar?date=${monday}&view=day`);
  await expect(page.getByRole('link', { name: title })).toHaveCount(1);
  await expect(page.getByRole('link', { name: other })).toHaveCount(0);
  await page.goto(`/coach/calendar?date=${addDays(monday, 7)}&view=day`);
  await expect(page.getByRole('link', { name: other })).toContainText('03:30–04:30');
});
