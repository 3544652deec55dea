import { catalogueApi } from '#domain/catalogue/contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { chooseTime, createTemplate, openCreateSlots, someDay, unique } from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach } from '../support/people.ts';
import { failResponse } from '../support/responses.ts';

// The coach's device is in another time zone, but the screen must show London time.
test.use({ timezoneId: 'America/Los_Angeles' });

// Each test has its own coach, because other tests use the templates and times of the demo's coach.

test('lists templates as cards, newest first, and edits a template [TPL-1, TPL-2a]', async ({ page }) => {
  const [title, older] = [unique('Junior tennis'), unique('Before it')];
  await becomePerson(page, await openCoach());
  await page.goto('/coach/templates');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Lesson Templates');
  await expect(page.getByText('No lesson templates yet', { exact: true })).toBeVisible();
  await createTemplate(page, { title: older, description: 'Bring water.' });
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
  for (const text of ['Bring water.', '1 hour', '£50.00', '1 person', 'Individual']) {
    await expect(cards.last().getByText(text, { exact: true })).toBeVisible();
  }
  await expect(cards.last().getByRole('button', { name: `Edit ${older}` })).toBeVisible();

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
  // Checks the values saved for a template with only a title, and the values saved above.
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
