import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { addDays, mondayOf, wallTimeOf, weekdayOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
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
import { failResponse, holdResponse } from '../support/responses.ts';

// The coach's device is in another time zone; every time on the screen must still be London's.
test.use({ timezoneId: 'America/Los_Angeles' });

// Each test has its own coach, because other tests use the templates and times of the demo's coach.

test('lists templates as cards, the newest first, and edits a template [TPL-1, TPL-2a]', async ({ page }) => {
  const [title, older] = [unique('Junior tennis'), unique('Before it')];
  await becomePerson(page, await openCoach());
  await page.goto('/coach/templates');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Lesson Templates');
  await expect(page.getByText('No lesson templates yet', { exact: true })).toBeVisible();
  await createTemplate(page, { title: older });
  await createTemplate(page, {
    ...{ title, minutes: '90', price: '12.5', isGroup: true },
    description: 'Rackets are provided.',
  });

  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(cards.getByRole('heading')).toHaveText([title, older]);
  await expect(page.getByText('No lesson templates yet')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Create New Template', exact: true })).toBeVisible();
  const newest = cards.first();
  for (const text of ['Rackets are provided.', '1 hour 30 minutes', '£12.50', '2–4 people', 'Group']) {
    await expect(newest.getByText(text, { exact: true })).toBeVisible();
  }
  for (const text of ['1 hour', '£50.00', '1 person', 'Individual']) {
    await expect(cards.last().getByText(text, { exact: true })).toBeVisible();
  }

  await newest.getByRole('button', { name: `Edit ${title}` }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Lesson Template' });
  await expect(editing.getByLabel('Title')).toHaveValue(title);
  await expect(editing.getByLabel('Description')).toHaveValue('Rackets are provided.');
  await expect(editing.getByLabel('Duration')).toHaveValue('90');
  await expect(editing.getByLabel('Price')).toHaveValue('12.50');
  await expect(editing.getByRole('radio', { name: 'Group' })).toBeChecked();
  await expect(editing.getByLabel('Smallest group')).toHaveValue('2');
  await expect(editing.getByLabel('Largest group')).toHaveValue('4');
  await editing.getByLabel('Title').fill(`${title} again`);
  await editing.getByLabel('Description').fill('Bring a racket.');
  await editing.getByLabel('Duration').fill('45');
  await editing.getByLabel('Price').fill('13.25');
  await editing.getByRole('radio', { name: 'Individual' }).check({ force: true });
  await editing.getByRole('button', { name: 'Save changes' }).click();
  await expect(toast(page, 'Lesson template saved')).toHaveAttribute('data-type', 'success');
  await page.reload();
  await expect(cards.getByRole('heading')).toHaveText([`${title} again`, older]);
  for (const text of ['Bring a racket.', '45 minutes', '£13.25', '1 person', 'Individual']) {
    await expect(newest.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(newest.getByText('Group', { exact: true })).toHaveCount(0);
});

test('starts a template with defaults and reports errors at their fields [TPL-3, TPL-4]', async ({
  page,
}) => {
  const [title, coach] = [unique('Junior tennis'), await openCoach()];
  await becomePerson(page, coach);
  await page.goto('/coach/templates');
  await page.getByRole('button', { name: 'Create New Template' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create New Template' });
  await expect(dialog.getByLabel('Duration')).toHaveValue('60');
  await expect(dialog.getByLabel('Price')).toHaveValue('50.00');

  await expect(dialog.getByLabel('Smallest group')).toBeHidden();
  await expect(dialog.getByLabel('Largest group')).toBeHidden();
  await dialog.getByRole('radio', { name: 'Group' }).check({ force: true });
  await expect(dialog.getByLabel('Smallest group')).toHaveValue('2');
  await expect(dialog.getByLabel('Largest group')).toHaveValue('4');
  await dialog.getByLabel('Description').fill('Rackets are provided.');
  await dialog.getByLabel('Duration').fill('14');
  await dialog.getByLabel('Price').fill('a tenner');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByText('Enter a title.')).toBeVisible();
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await expect(dialog.getByText('A lesson must last at least 15 minutes.')).toBeVisible();
  await expect(dialog.getByText('Enter the price in pounds, like 45 or 45.50.')).toBeVisible();
  await dialog.getByLabel('Duration').fill('301');
  await expect(dialog.getByText("A lesson can't last longer than 300 minutes (5 hours).")).toBeVisible();

  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Duration').fill('90');
  await dialog.getByLabel('Price').fill('12.505');
  await dialog.getByLabel('Smallest group').fill('9');
  await dialog.getByLabel('Largest group').fill('8');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByText("The smallest group can't be larger than the largest.")).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue('Rackets are provided.');
  await dialog.getByLabel('Smallest group').fill('1');
  await dialog.getByLabel('Largest group').fill('21');
  await expect(dialog.getByText('A group must have at least 2 places.')).toBeVisible();
  await expect(dialog.getByText("A group can't have more than 20 places.")).toBeVisible();
  await dialog.getByLabel('Smallest group').fill('3');
  await dialog.getByLabel('Largest group').fill('8');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(page.getByText('Lesson template created')).toBeVisible();
  await expect(page.getByText('3–8 people', { exact: true })).toBeVisible();
  await expect(page.getByText('£12.51', { exact: true })).toBeVisible();
  // Checks what is saved if only a title is entered, and what was saved above.
  await createTemplate(page, { title: 'As suggested' });
  const { templates } = await call(coach, catalogueApi.listTemplates, {});
  expect(templates).toMatchObject([
    {
      ...{ title: 'As suggested', durationMinutes: 60, basePriceCents: 5000 },
      ...{ lessonType: 'individual', minCapacity: 1, maxCapacity: 1 },
    },
    {
      ...{ title, durationMinutes: 90, basePriceCents: 1251 },
      ...{ lessonType: 'group', minCapacity: 3, maxCapacity: 8 },
    },
  ]);
});

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
  await expect(individual.getByText('1 hour · Individual · 1 person')).toBeVisible();
  const dialog = await openCreateSlots(page, today(), title);
  const tomorrow = addDays(today(), 1);
  await expect(dialog.getByRole('option', { name: title })).toHaveText(`${title} (£8.00)`);
  await expect(dialog.getByText('45 minutes · Group · 2–4 people')).toBeVisible();
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
  const previousDay = addDays(today(), -1);
  const isSameMonth = previousDay.slice(0, 7) === tomorrow.slice(0, 7);
  if (isSameMonth) await expect(day(previousDay)).toBeDisabled();
  await expect(calendar.getByRole('button', { name: /previous month/i })).toBeDisabled();

  await calendar.getByRole('button', { name: /next month/i }).click();
  const nextMonth = `${addDays(`${tomorrow.slice(0, 7)}-28`, 5).slice(0, 7)}-15`;
  await day(nextMonth).click();
  await day(addDays(nextMonth, 1)).click();
  await expect(dialog.getByText('3 slots will be created')).toBeVisible();
  await dialog.getByLabel('Start date').click();
  const picker = page.getByRole('dialog', { name: 'Calendar' });
  await expect(picker.getByRole('button', { name: /previous month/i })).toBeDisabled();
  if (isSameMonth) await expect(picker.locator(`[data-day="${previousDay}"] button`)).toBeDisabled();
  // The number is shown at once, before the server has compared the plan with the calendar.
  const check = await holdResponse(page, slotsApi.previewSlots);
  await picker.getByRole('button', { name: /next month/i }).click();
  await picker.locator(`[data-day="${nextMonth}"]`).getByRole('button').click();
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(nextMonth));
  await expect(dialog.getByText('2 slots will be created')).toBeVisible();
  const createTwo = dialog.getByRole('button', { name: 'Create 2 Lesson Slot(s)' });
  await expect(createTwo).toBeEnabled();
  await expect(dialog.getByText('Checking your calendar...')).toBeVisible();
  await check.arrived;
  await check.release();
  await expect(dialog.getByText('Checking your calendar...')).toBeHidden();
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
  await expect(dialog.getByRole('button', { name: 'Create 0 Lesson Slot(s)' })).toBeDisabled();
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  await expect(createTwo).toBeEnabled();
});

test('marks and skips slots that are already published or overlap [SLOT-4, SLOT-5, SLOT-8b]', async ({
  page,
}) => {
  const title = unique('Early circuit');
  const other = unique('Boxing basics');
  const monday = mondayOf(someDay());
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

test('asks before deleting a template and keeps its lessons readable [TPL-2b, TPL-5a, TPL-5c]', async ({
  page,
}) => {
  const title = unique('Farewell game');
  const date = someDay();
  await becomePerson(page, await openCoach());
  await createTemplate(page, { title, description: 'One last time.' });
  const dialog = await openCreateSlots(page, date, title);
  await chooseTime(page, '2', '0');
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();

  await page.goto('/coach/templates');
  await page.getByRole('button', { name: `Delete ${title}` }).click();
  const question = page.getByRole('alertdialog');
  await expect(
    question.getByText(
      'Are you sure you want to delete this lesson template? This action cannot be undone.',
      { exact: true },
    ),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.getByRole('button', { name: `Delete ${title}` }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Lesson template deleted')).toHaveAttribute('data-type', 'success');
  await expect(toast(page, 'Failed to load lesson templates')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: title })).toBeHidden();

  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText('One last time.')).toBeVisible();

  await failResponse(page, catalogueApi.listTemplates);
  await page.goto('/coach/templates');
  await expect(toast(page, 'Failed to load lesson templates')).toHaveAttribute('data-type', 'error');
  await expect(page.getByText('No lesson templates yet')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});
