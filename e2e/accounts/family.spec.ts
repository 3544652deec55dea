import { careApi } from '#domain/accounts/care-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt, soon } from '../support/club.ts';
import { addChild, bookFor, bornYearsAgo, sectionOf } from '../support/family.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { changeResponse, failResponse, holdResponse } from '../support/responses.ts';

test('explains invalid fields before it adds a child, and lists the family', async ({ page }) => {
  await becomePerson(page, await openCustomer({ card: null, fullName: 'Gill Guardian' }));
  const list = await holdResponse(page, participantsApi.list);
  await page.goto('/account/family');
  await expect(page.getByRole('status').filter({ hasText: 'Loading your family...' })).toBeAttached();
  await list.release();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/^GGGill Guardian \(you\)/]);
  await expect(page.getByText('Nobody else yet')).toBeVisible();

  await page.getByRole('button', { name: 'Add someone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add someone to your family' });
  const add = dialog.getByRole('button', { name: 'Add', exact: true });
  await add.click();
  for (const message of [
    'Enter a name.',
    'Enter the date of birth as day, month and year, for example 28 5 2016.',
    'Choose a relationship.',
    'Confirm that you are 18 or over.',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await expect(dialog.getByLabel('Full name')).toBeFocused();
  await dialog.getByLabel('Full name').fill('Mia Guardian');
  await dialog.getByLabel('Known as').fill('Mimi');
  const [year, month, day] = bornYearsAgo(9).split('-') as [string, string, string];
  await dialog.getByLabel('Day').fill(day);
  await dialog.getByLabel('Month').fill(month);
  await dialog.getByLabel('Year').fill(year.slice(2));
  await expect(dialog.getByRole('group', { name: 'Date of birth' })).toHaveAccessibleDescription(
    /day, month and year/,
  );
  await dialog.getByLabel('Year').fill('2099');
  await dialog.getByLabel('Your relationship to them').selectOption('Parent');
  await dialog.getByLabel(/^I'm 18 or over/).check();
  await add.click();
  await expect(dialog.getByText("The date of birth can't be in the future.")).toBeVisible();
  await dialog.getByLabel('Year').fill(year);
  await add.click();
  await expect(toast(page, 'Mia Guardian added')).toBeVisible();

  // The new person's page lists what is missing before the first booking.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mia Guardian');
  await expect(page.getByText(/^Before you can book for Mia Guardian/)).toBeVisible();
  await page.getByRole('link', { name: 'My family' }).filter({ visible: true }).first().click();
  const mia = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Mia Guardian' });
  await expect(mia).toContainText('Mia Guardian “Mimi”');
  await expect(mia).toContainText('Age 9 · No upcoming lessons');
  await expect(mia).toContainText('Care details missing');
  const offline = await failResponse(page, participantsApi.list);
  await page.reload();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to load your family');
  await offline.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(mia).toBeVisible();
});

test("asks visitors to sign in and hides other people's families", async ({ page }) => {
  const other = await addChild(await openCustomer({ card: null }));
  await page.goto('/account/family');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto(`/account/family/${other}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not in your family list');
  await page.getByRole('main').getByRole('link', { name: 'My family' }).last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My family');
});

test('adds, changes and deletes care details, and gives and withdraws consent [UX-4c]', async ({ page }) => {
  const guardian = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const child = await addChild(guardian, { care: null });
  await becomePerson(page, guardian);
  await page.goto(`/account/family/${child}`);
  await page.getByRole('button', { name: 'Add care details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Care details of Mia Guardian' });
  const save = dialog.getByRole('button', { name: 'Save care details' });
  // The account holder is the first contact.
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Gill Guardian');
  await expect(dialog.getByLabel('Relationship')).toHaveValue('Parent');
  await save.click();
  for (const message of [
    'Enter the phone number in digits, like 0113 496 0000.',
    'Choose yes or no.',
    'Choose whether to give notes.',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Phone number').fill('0113 496 0000');
  await dialog.getByRole('radio', { name: 'No, someone collects them' }).check();
  await dialog.getByRole('radio', { name: "I'll answer five questions" }).check();
  await save.click();
  await expect(dialog.getByText('Name at least one person who may collect the participant.')).toBeVisible();
  await expect(dialog.getByText('Please agree that we may keep these notes, or remove them.')).toBeVisible();
  await expect(dialog.getByText('Enter medical conditions, or “None”.')).toBeVisible();
  await dialog.getByLabel('Who may collect them?').fill('Sam Sitter\n\nGill Guardian');
  await dialog.getByLabel('Collection password').fill('Otter');
  await dialog.getByLabel('Allergies').fill('Nuts: carries an injector');
  await dialog.getByRole('button', { name: 'Enter “None” for the rest' }).click();
  await expect(dialog.getByLabel('Medication')).toHaveValue('None');
  await expect(dialog.getByLabel('Allergies')).toHaveValue('Nuts: carries an injector');
  await dialog.getByRole('checkbox', { name: 'I agree' }).check();
  await dialog.getByRole('button', { name: 'Add another contact' }).click();
  await dialog.getByRole('button', { name: 'Remove the second contact' }).click();
  await save.click();
  await expect(toast(page, 'Care details saved')).toBeVisible();

  const care = sectionOf(page, 'Care details');
  for (const text of [
    'Gill Guardian (Parent), 0113 496 0000',
    'Must be collected',
    'Collected by Sam Sitter, Gill Guardian',
    'Password: Otter',
    'Nuts: carries an injector',
  ]) {
    await expect(care).toContainText(text);
  }
  // Escape asks before it discards what was typed.
  await care.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Medication').fill('Inhaler');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await save.click();
  await expect(care).toContainText('Inhaler');

  const consents = sectionOf(page, 'Consents');
  await consents.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(consents).toContainText('Withdrawn.');
  await expect(care).toContainText("You'd rather not say.");
  await expect(care).not.toContainText('Inhaler');
  await expect(care).toContainText('0113 496 0000');

  await care.getByRole('button', { name: 'Delete care details' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete care details' }).click();
  await expect(care.getByRole('button', { name: 'Add care details' })).toBeVisible();
  await expect(care).not.toContainText('0113 496 0000');
});

test('asks whether old care details are still right', async ({ page }) => {
  const guardian = await openCustomer({ card: null });
  const child = await addChild(guardian);
  const confirmedAt = '2026-01-02T12:00:00Z';
  const old = await changeResponse(page, careApi.getCare, (answer) => ({
    ...answer,
    confirmedAt,
    state: 'due' as const,
  }));
  await becomePerson(page, guardian);
  await page.goto(`/account/family/${child}`);
  const care = sectionOf(page, 'Care details');
  await expect(care).toContainText('You last confirmed these details on Fri 2 Jan');
  await old.release();
  await care.getByRole('button', { name: "They're still correct" }).click();
  await expect(toast(page, 'Care details confirmed')).toBeVisible();
  await expect(care).toContainText('Last confirmed on');
  await expect(care.getByRole('button', { name: "They're still correct" })).toBeHidden();
});

test('records consents with their history', async ({ page }) => {
  const guardian = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const child = await addChild(guardian);
  await becomePerson(page, guardian);
  await page.goto(`/account/family/${child}`);
  const consents = sectionOf(page, 'Consents');
  const photos = consents.getByRole('radiogroup', { name: 'Photos and videos' });
  await expect(photos.getByRole('radio', { checked: true })).toHaveCount(0);
  await photos.getByRole('radio', { name: /^Also on the club/ }).check();
  await expect(toast(page, 'Your choice has been recorded')).toBeVisible();
  await photos.getByRole('radio', { name: /^No photos/ }).check();
  await expect(photos.getByRole('radio', { name: /^No photos/ })).toBeChecked();
  await consents.getByText('History').click();
  const history = consents.getByRole('listitem');
  await expect(history).toHaveText([
    /^Photos and videos: No photos or videosGill Guardian, /,
    /^Photos and videos: Also on the club's own website and social mediaGill Guardian, /,
    /^Notes about health and needs: I agreeGill Guardian, /,
  ]);
  const refused = await failResponse(page, careApi.giveConsent, {
    code: 'conflict',
    message: 'The wording has changed. Please read it again.',
  });
  // After the refusal, the previous choice is shown again.
  await photos.getByRole('radio', { name: /^For coaching only/ }).click();
  await expect(toast(page, 'The wording has changed. Please read it again.')).toBeVisible();
  await expect(photos.getByRole('radio', { name: /^No photos/ })).toBeChecked();
  await refused.release();
});

test('keeps the second of two quick consents if the first cannot be saved', async ({ page }) => {
  const guardian = await openCustomer({ card: null });
  const child = await addChild(guardian);
  await becomePerson(page, guardian);
  await page.goto(`/account/family/${child}`);
  const consents = sectionOf(page, 'Consents');
  const photos = consents.getByRole('radio', { name: /^No photos/ });
  const firstAid = consents
    .getByRole('radiogroup', { name: 'First aid' })
    .getByRole('radio', { name: 'Yes' });
  const saving = await holdResponse(page, careApi.giveConsent, { once: true });
  await photos.click();
  await saving.arrived;
  await firstAid.click();
  await expect(firstAid).toBeChecked();
  await expect(photos).toBeChecked();
  saving.fail();
  await expect(
    toast(page, "We couldn't reach the server. Check your connection and try again."),
  ).toBeVisible();
  await expect(toast(page, 'Your choice has been recorded')).toBeVisible();
  await expect(firstAid).toBeChecked();
  await saving.release();
});

test('lists who opened the care details, and deletes only a child without lessons [UX-4c]', async ({
  page,
}) => {
  const coach = await openCoach('Cara Coach');
  const lesson = await publishAt(coach, soon(), { title: 'Junior tennis', seats: 4 });
  const guardian = await openCustomer({ card: null });
  const child = await addChild(guardian);
  await bookFor(guardian, child, { ...lesson, priceCents: 0 });
  await becomePerson(page, guardian);
  await page.goto(`/account/family/${child}`);
  const readers = sectionOf(page, 'Who opened the care details');
  await expect(readers).toContainText('Nobody has opened them yet.');
  await expect(page.getByText(/^Mia Guardian has 1 upcoming lesson/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeHidden();

  await call(coach, registerApi.open, { slotId: lesson.slotId });
  await page.reload();
  await expect(readers.getByRole('listitem')).toHaveText([/^Cara Coach \(Coach\)For “Junior tennis” on /]);

  const brother = await addChild(guardian, { fullName: 'Ben Guardian' });
  await page.goto(`/account/family/${brother}`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the data' }).click();
  await page.getByLabel('Current password').fill('demo-lesson-2026');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/family-data-\d{4}-\d\d-\d\d\.json$/);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/account/family');
  await expect(page.getByRole('main').getByText('Mia Guardian')).toBeVisible();
  await expect(page.getByRole('main').getByText('Ben Guardian')).toHaveCount(0);
});
