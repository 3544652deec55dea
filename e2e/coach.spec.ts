import type { Locator, Page } from '@playwright/test';
import { addDays, mondayOf, wallTimeOf, weekdayOf } from '#domain/time.ts';
import { expect, signIn, test } from './fixtures.ts';

// The coach sits elsewhere: every time on the screen must be London's all the same.
test.use({ timezoneId: 'America/Los_Angeles' });

const today = () => wallTimeOf(Date.now()).date;

/** A day beyond the demo club's lessons, another one in every run on the same database. */
const someDay = () => addDays(today(), 200 + Math.floor(Math.random() * 400));
const unique = (title: string) => `${title} ${Date.now().toString(36)}`;

/** The next last Sunday of March, on which London's clocks skip 01:00–02:00, at least five weeks ahead. */
function nextSpringChange(): string {
  for (let year = Number(today().slice(0, 4)); ; year += 1) {
    const last = `${year}-03-31`;
    const sunday = addDays(last, -(weekdayOf(last) % 7));
    if (sunday > addDays(today(), 35)) return sunday;
  }
}

/** "Wed 7 Apr 2027", the way dates read on the screen; without the year where it is this one. */
function shownDay(date: string): string {
  const isThisYear = date.slice(0, 4) === today().slice(0, 4);
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
    .format(new Date(`${date}T12:00:00Z`))
    .replace(',', '');
}

async function createTemplate(
  page: Page,
  template: { title: string; minutes?: string; price?: string; isGroup?: boolean; description?: string },
) {
  await page.goto('/coach/templates');
  await page.getByRole('button', { name: 'Create New Template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Template' });
  await dialog.getByLabel('Title').fill(template.title);
  await dialog.getByLabel('Description').fill(template.description ?? '');
  if (template.minutes) await dialog.getByLabel('Duration').fill(template.minutes);
  if (template.price) await dialog.getByLabel('Price').fill(template.price);
  if (template.isGroup) await dialog.getByRole('radio', { name: 'Group' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the dialog for new slots from the calendar at a date and picks the template there. */
async function openCreateSlots(page: Page, date: string, title: string) {
  await page.goto(`/coach/calendar?date=${date}`);
  await page.getByRole('button', { name: 'Create Slots' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Lesson Slots' });
  const option = dialog.getByRole('option', { name: title });
  await dialog.getByLabel('Lesson template').selectOption(await option.getAttribute('value'));
  return dialog;
}

/** Adds a location from within the dialog for new slots; it is chosen afterwards. */
async function addLocation(dialog: Locator, place: string) {
  await dialog.getByRole('button', { name: 'Add a location' }).click();
  await dialog.getByLabel('Name').fill(place);
  await dialog.getByLabel('Address').fill('14 Park Road');
  await dialog.getByLabel('Town').fill('Leeds');
  await dialog.getByLabel('Postcode').fill('ls6 3aa');
  await dialog.getByRole('button', { name: 'Save location' }).click();
  await expect(dialog.getByLabel('Location').locator('option:checked')).toHaveText(`${place}, Leeds`);
}

async function chooseTime(page: Page, hour: string, minute: string) {
  await page.getByLabel('Hour').selectOption(hour);
  await page.getByLabel('Minutes').selectOption(minute);
}

test('[TPL-1] [TPL-2] [TPL-3] [TPL-4] a coach writes a template, is told what is wrong at its field, and changes it', async ({
  page,
}) => {
  const title = unique('Junior tennis');
  await signIn(page, 'coach@demo.test');
  await page.goto('/coach/templates');
  await expect(page.getByRole('heading', { name: 'Your Lesson Templates' })).toBeVisible();
  await page.getByRole('button', { name: 'Create New Template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Template' });
  await expect(dialog.getByLabel('Duration')).toHaveValue('60');
  await expect(dialog.getByLabel('Price')).toHaveValue('50.00');

  await dialog.getByRole('radio', { name: 'Group' }).check({ force: true });
  await expect(dialog.getByLabel('Smallest group')).toHaveValue('2');
  await expect(dialog.getByLabel('Largest group')).toHaveValue('4');
  await dialog.getByLabel('Description').fill('Rackets are provided.');
  await dialog.getByLabel('Duration').fill('14');
  await dialog.getByLabel('Price').fill('a tenner');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByText('Give the lesson a title.')).toBeVisible();
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await expect(dialog.getByText('A lesson lasts at least 15 minutes.')).toBeVisible();
  await expect(dialog.getByText('Give the price in pounds, like 45 or 45.50.')).toBeVisible();

  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Duration').fill('90');
  await dialog.getByLabel('Price').fill('12.5');
  await dialog.getByLabel('Smallest group').fill('9');
  await dialog.getByLabel('Largest group').fill('8');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByText('The smallest group cannot be larger than the largest.')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toHaveValue('Rackets are provided.');
  await dialog.getByLabel('Smallest group').fill('1');
  await dialog.getByLabel('Largest group').fill('21');
  await expect(dialog.getByText('A group has at least 2 places.')).toBeVisible();
  await expect(dialog.getByText('A group has at most 20 places.')).toBeVisible();
  await dialog.getByLabel('Smallest group').fill('3');
  await dialog.getByLabel('Largest group').fill('8');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(page.getByText('Lesson template created')).toBeVisible();

  const newest = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })
    .first();
  await expect(newest.getByRole('heading')).toHaveText(title);
  for (const words of ['Rackets are provided.', '1 hour 30 minutes', '£12.50', '3–8 people', 'Group']) {
    await expect(newest.getByText(words, { exact: true })).toBeVisible();
  }

  await newest.getByRole('button', { name: `Edit ${title}` }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Lesson Template' });
  await expect(editing.getByLabel('Price')).toHaveValue('12.50');
  await editing.getByRole('radio', { name: 'Individual' }).check({ force: true });
  await editing.getByRole('button', { name: 'Save changes' }).click();
  await expect(newest.getByText('1 person')).toBeVisible();
  await expect(newest.getByText('Individual')).toBeVisible();
});

test('[SLOT-1] [SLOT-2] [SLOT-3] [SLOT-6] [SLOT-7] [CAL-6] eight weekly lessons keep 05:15 in London across the clock change', async ({
  page,
}) => {
  const title = unique('Dawn squad');
  const change = nextSpringChange();
  const first = addDays(mondayOf(change), -7 * 3 + 2);
  await signIn(page, 'coach@demo.test');
  await createTemplate(page, { title, minutes: '45', price: '8', isGroup: true });

  const dialog = await openCreateSlots(page, first, title);
  await expect(dialog.getByRole('option', { name: title })).toHaveText(`${title} (£8.00)`);
  await expect(dialog.getByText('45 minutes · Group · 2–4 people')).toBeVisible();
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(first));
  await expect(dialog.getByLabel('Hour')).toHaveValue('9');
  await dialog.getByRole('radio', { name: 'Weekly Repeat' }).check({ force: true });
  await expect(dialog.getByLabel('Number of weeks')).toHaveValue('4');
  await expect(dialog.getByRole('button', { name: 'Create 4 Lesson Slot(s)' })).toBeEnabled();
  await dialog.getByLabel('Number of weeks').fill('');
  await expect(dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' })).toBeEnabled();
  await dialog.getByLabel('Number of weeks').fill('13');
  await expect(dialog.getByText('Repeat for 1 to 12 weeks.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create 0 Lesson Slot(s)' })).toBeDisabled();
  await dialog.getByLabel('Number of weeks').fill('8');
  await chooseTime(page, '5', '15');
  await expect(dialog.getByText('8 slots will be created')).toBeVisible();
  await expect(
    dialog.getByText('The clocks go forward in between; every lesson still starts at 05:15.'),
  ).toBeVisible();

  // The place is added on the spot.
  const place = unique('Lido');
  await addLocation(dialog, place);

  const answer = page.waitForResponse(
    (response) => response.url().endsWith('/api/coach/slots') && response.request().method() === 'POST',
  );
  await dialog.getByRole('button', { name: 'Create 8 Lesson Slot(s)' }).click();
  await expect(page.getByText('8 lesson slots created')).toBeVisible();
  await expect(dialog).toBeHidden();
  const { slots } = (await (await answer).json()) as {
    slots: {
      startTime: string;
      status: string;
      bookedCount: number;
      priceCents: number;
      maxCapacity: number;
    }[];
  };
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
    await expect(row).toContainText(place);
  }
});

test('[SLOT-7] a time that the clocks skip is said before anything is created', async ({ page }) => {
  const title = unique('Night run');
  const change = nextSpringChange();
  await signIn(page, 'coach@demo.test');
  await createTemplate(page, { title });
  const dialog = await openCreateSlots(page, change, title);
  await chooseTime(page, '1', '30');
  await expect(
    dialog.getByText('The clocks go forward that night, so this lesson would start at 02:30.'),
  ).toBeVisible();
  await expect(dialog.getByText('02:30–03:30')).toBeVisible();
});

test('[SLOT-1] [SLOT-2] specific dates: none in the past, each day once, at quarters of an hour', async ({
  page,
}) => {
  const title = unique('Rowing taster');
  await signIn(page, 'coach@demo.test');
  await createTemplate(page, { title });
  const dialog = await openCreateSlots(page, today(), title);
  const tomorrow = addDays(today(), 1);
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(tomorrow));
  await expect(dialog.getByLabel('Hour').getByRole('option')).toHaveText(
    Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
  );
  await expect(dialog.getByLabel('Minutes').getByRole('option')).toHaveText(['00', '15', '30', '45']);
  const calendar = dialog.getByRole('group', { name: 'Additional dates' });
  const day = (date: string) => calendar.locator(`[data-day="${date}"]`).getByRole('button');
  const previousDay = addDays(today(), -1);
  if (previousDay.slice(0, 7) === tomorrow.slice(0, 7)) await expect(day(previousDay)).toBeDisabled();
  await expect(calendar.getByRole('button', { name: /previous month/i })).toBeDisabled();

  await calendar.getByRole('button', { name: /next month/i }).click();
  const nextMonth = `${addDays(`${tomorrow.slice(0, 7)}-28`, 5).slice(0, 7)}-15`;
  await day(nextMonth).click();
  await expect(dialog.getByText('2 slots will be created')).toBeVisible();
  await dialog.getByLabel('Start date').click();
  const picker = page.getByRole('dialog', { name: 'Calendar' });
  await picker.getByRole('button', { name: /next month/i }).click();
  await picker.locator(`[data-day="${nextMonth}"]`).getByRole('button').click();
  await expect(dialog.getByLabel('Start date')).toHaveText(shownDay(nextMonth));
  await expect(dialog.getByText('1 slot will be created')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' })).toBeEnabled();
});

test('[SLOT-4] [SLOT-5] [SLOT-8] what is published already or overlaps is shown with its name and left out', async ({
  page,
}) => {
  const title = unique('Early circuit');
  const other = unique('Boxing basics');
  const monday = mondayOf(someDay());
  await signIn(page, 'coach@demo.test');
  await createTemplate(page, { title });
  await createTemplate(page, { title: other });

  let dialog = await openCreateSlots(page, monday, title);
  await chooseTime(page, '3', '0');
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();

  dialog = await openCreateSlots(page, monday, title);
  await chooseTime(page, '3', '0');
  await expect(dialog.getByText('You have published this one already, so it is left out.')).toBeVisible();
  await expect(dialog.getByText('No slots to create')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create 0 Lesson Slot(s)' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  dialog = await openCreateSlots(page, monday, other);
  await dialog.getByRole('radio', { name: 'Weekly Repeat' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Monday' }).click();
  await expect(dialog.getByText('No slots to create')).toBeVisible();
  await expect(dialog.getByText('Please select dates or repeat days')).toBeVisible();
  await dialog.getByRole('button', { name: 'Monday' }).click();
  await chooseTime(page, '3', '30');
  await expect(dialog.getByText(`Overlaps “${title}”, so it is left out.`)).toBeVisible();
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

test('[TPL-5] deleting a template asks first and leaves its published lessons readable', async ({ page }) => {
  const title = unique('Farewell game');
  const date = someDay();
  await signIn(page, 'coach@demo.test');
  await createTemplate(page, { title, description: 'One last time.' });
  const dialog = await openCreateSlots(page, date, title);
  await chooseTime(page, '2', '0');
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();

  await page.goto('/coach/templates');
  await page.getByRole('button', { name: `Delete ${title}` }).click();
  const question = page.getByRole('alertdialog');
  await expect(
    question.getByText('Are you sure you want to delete this lesson template? This action cannot be undone.'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.getByRole('button', { name: `Delete ${title}` }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Lesson template deleted')).toBeVisible();
  await expect(page.getByRole('heading', { name: title })).toBeHidden();

  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.getByText('One last time.')).toBeVisible();

  await page.route('**/api/coach/templates', (route) => route.abort());
  await page.goto('/coach/templates');
  await expect(page.getByText('Failed to load lesson templates').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

/** Reads an endpoint as the person signed in on the page. */
function readApi<Answer>(page: Page, path: string): Promise<Answer> {
  return page.evaluate(async (address) => {
    const session = JSON.parse(localStorage.getItem('touchline.session') ?? '{}');
    const answer = await fetch(address, { headers: { authorization: `Bearer ${session.access_token}` } });
    return answer.json();
  }, path);
}

test("[LES-2] [LES-3] past lessons show who came; another coach's lesson is not found", async ({ page }) => {
  await signIn(page, 'coach@demo.test');
  type Listing = { slots: { slotId: string; coachId: string; bookedCount: number }[] };
  type Attendees = { attendees: { fullName: string | null; email: string; attended: boolean | null }[] };
  const past = await readApi<Listing>(
    page,
    `/api/coach/slots?from=${addDays(today(), -28)}&to=${addDays(today(), -1)}`,
  );
  let held: { slotId: string; came: Attendees['attendees'][number] } | undefined;
  for (const { slotId, bookedCount } of past.slots) {
    if (held || bookedCount === 0) continue;
    const { attendees } = await readApi<Attendees>(page, `/api/coach/slots/${slotId}/attendees`);
    const came = attendees.find(({ attended }) => attended);
    if (came) held = { slotId, came };
  }
  await page.goto(`/coach/lesson/${held!.slotId}`);
  const attendee = page.getByRole('listitem').filter({ hasText: held!.came.email });
  await expect(attendee).toContainText(held!.came.fullName ?? 'Anonymous');
  await expect(attendee.getByText('Attended', { exact: true })).toBeVisible();
  await expect(attendee.getByText('Completed', { exact: true })).toBeVisible();
  await expect(attendee.getByText(/^£\d+\.\d\d$/)).toBeVisible();

  const { templates } = await readApi<{ templates: { coachId: string }[] }>(page, '/api/coach/templates');
  const open = await readApi<Listing>(page, '/api/slots?limit=50');
  const others = open.slots.find(({ coachId }) => coachId !== templates[0]!.coachId);
  await page.goto(`/coach/lesson/${others!.slotId}`);
  await expect(page.getByText('Lesson not found').last()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to calendar' })).toBeVisible();
});

test('[LES-1] [LES-3] [CAL-3] a coach opens a lesson from the calendar and sees who comes', async ({
  page,
  browser,
}) => {
  const title = unique('Open trial');
  const date = someDay();
  await signIn(page, 'coach@demo.test');
  await createTemplate(page, { title, price: '0', isGroup: true, description: 'Bring water.' });
  const dialog = await openCreateSlots(page, date, title);
  await chooseTime(page, '4', '0');
  const place = unique('Woodhouse Moor');
  await addLocation(dialog, place);
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`/coach/calendar?date=${date}&view=day`);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByText('Nobody has booked yet')).toBeVisible();
  const slotId = new URL(page.url()).pathname.split('/').at(-1);

  const customer = await browser.newPage();
  await signIn(customer, 'customer@demo.test');
  await customer.goto(`/customer/discover?search=${encodeURIComponent(title)}&book=${slotId}`);
  await customer.getByRole('button', { name: /Confirm Booking/ }).click();
  await expect(customer.getByText(/booked/i).first()).toBeVisible();
  // A page of the coach is no business of the customer's.
  await customer.goto(`/coach/lesson/${slotId}`);
  await expect(customer.getByRole('heading', { name: title })).toBeHidden();
  await customer.close();

  await expect(async () => {
    await page.reload();
    await expect(page.getByText('1/4').first()).toBeVisible({ timeout: 2000 });
  }).toPass();
  const main = page.getByRole('main');
  const facts = [shownDay(date), '04:00–05:00', 'Scheduled', 'Group', '£0.00', 'Bring water.'];
  for (const words of [...facts, place, '14 Park Road', 'Leeds LS6 3AA']) {
    await expect(main.getByText(words).first()).toBeVisible();
  }
  const attendee = main.getByRole('listitem').filter({ hasText: 'customer@demo.test' });
  await expect(attendee.getByRole('link')).toHaveAttribute('href', 'mailto:customer@demo.test');
  await expect(attendee).toContainText(`Booked ${shownDay(today())}`);
  await expect(attendee.getByText('Booked', { exact: true })).toBeVisible();

  await page.route('**/api/coach/slots/*', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Failed to load lesson details').first()).toBeVisible();
  await page.unroute('**/api/coach/slots/*');

  await page.goto('/coach/lesson/00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('Lesson not found').last()).toBeVisible();
  await page.getByRole('link', { name: 'Back to calendar' }).click();
  await expect(page).toHaveURL(/\/coach\/calendar/);
});

test('[CAL-5] an empty day says so, and a calendar that cannot be loaded offers another try', async ({
  page,
}) => {
  await signIn(page, 'coach@demo.test');
  await page.goto(`/coach/calendar?date=${addDays(today(), 700)}&view=day`);
  await expect(page.getByText('No lessons scheduled')).toBeVisible();
  await page.route('**/api/coach/slots?**', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Failed to load lesson slots').first()).toBeVisible();
});
