import type { Page } from '@playwright/test';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { call } from '../support/api.ts';
import { bookingOf, cardOf, confirmButton, discover, toast } from '../support/booking-page.ts';
import { publishAt, publishLessons } from '../support/club.ts';
import { someDay, unique } from '../support/coaching.ts';
import { addChild, bookFor, bornYearsAgo } from '../support/family.ts';
import { choice, enterCare, enterChild } from '../support/family-forms.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { changeResponse } from '../support/responses.ts';

const dialogOf = (page: Page) => page.getByRole('dialog').first();

test('books with one press and asks no questions of people without dependants [BASE-8a]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ priceCents: 1500 });
  await becomePerson(page, await openCustomer());
  await page.goto(bookingOf(lesson!));
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £15.00');
  await expect(page.getByText('Who is it for?')).toHaveCount(0);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: "You're booked" })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Book for someone else' })).toHaveCount(0);
});

test('adds a child and care details while booking, then books for the parent too [PART-8b]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ seats: 4, priceCents: 1500 });
  await becomePerson(page, await openCustomer({ fullName: 'Gill Guardian' }));
  await page.goto(bookingOf(lesson!));
  await page.getByRole('button', { name: 'Book for a child or someone else' }).click();
  await enterChild(page, 'Mia Guardian');

  await expect(choice(page, 'Mia Guardian')).toBeChecked();
  await expect(page.getByText(/^Before you book for Mia Guardian, please add/)).toBeVisible();
  await expect(confirmButton(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Add care details' }).click();
  await enterCare(page);
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Mia Guardian is booked' })).toBeVisible();

  // The child's place is taken, so only the parent is left to choose.
  await page.getByRole('button', { name: 'Book for someone else' }).click();
  await expect(choice(page, 'Mia Guardian')).toBeDisabled();
  await expect(choice(page, 'Me')).toBeChecked();
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: "You're booked" })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Book for someone else' })).toHaveCount(0);
  await page.goto(bookingOf(lesson!));
  await expect(page.getByText("You've booked this lesson for everyone.")).toBeVisible();

  await page.goto('/customer/my-bookings');
  const next = page.getByRole('region', { name: 'Next lesson' });
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: lesson!.title });
  await expect(next.or(rows).filter({ hasText: 'For Mia Guardian' })).toHaveCount(1);
  await expect(rows).toHaveCount(1);
});

test('asks who takes part, and shows who is already booked or lacks care details', async ({ page }) => {
  const [lesson] = await publishLessons({ seats: 4 });
  const parent = await openCustomer();
  const mia = await addChild(parent);
  await addChild(parent, { fullName: 'Ben Guardian', care: null });
  await bookFor(parent, mia, lesson!);
  await becomePerson(page, parent);
  await page.goto(bookingOf(lesson!));
  await expect(dialogOf(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(choice(page, 'Mia Guardian')).toBeDisabled();
  await expect(choice(page, 'Mia Guardian')).toHaveAccessibleDescription('Already booked');
  await expect(choice(page, 'Ben Guardian')).toHaveAccessibleDescription('Age 10 · Care details needed');
  await confirmButton(page).click();
  await expect(page.getByText('Choose who takes part.')).toBeVisible();
  // With the keyboard, Tab skips people who are already booked.
  await choice(page, 'Me').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Choose who takes part.')).toBeHidden();
  await expect(confirmButton(page)).toBeEnabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(choice(page, 'Ben Guardian')).toBeChecked();
  await expect(page.getByRole('button', { name: 'Add care details' })).toBeVisible();

  // The lesson's card shows the child's booking; its details offer to book for others.
  await page.goto(`/customer/discover?lesson=${lesson!.slotId}`);
  await expect(dialogOf(page).getByRole('link', { name: 'View booking' })).toBeVisible();
  await expect(dialogOf(page)).toContainText("You've booked this lesson for Mia Guardian.");
  await dialogOf(page).getByRole('button', { name: 'Book for someone else' }).click();
  await expect(page.getByText('Who is it for?')).toBeVisible();

  const due = await changeResponse(page, participantsApi.list, ({ participants }) => ({
    participants: participants.map((one) => ({
      ...one,
      ...(one.kind === 'dependant' && {
        careState: 'due' as const,
        careConfirmedAt: '2026-01-02T12:00:00Z',
      }),
    })),
  }));
  await page.goto(bookingOf(lesson!));
  await choice(page, 'Ben Guardian').check();
  await expect(page.getByText(/more than 6 months ago/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check care details' })).toBeVisible();
  await due.release();
});

test('asks for a missing date of birth, and asks the coach for an exception [PART-1b, PART-9d]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Cara Coach');
  const title = unique('Juniors');
  const ages = { minAge: 8, maxAge: 12 };
  const lesson = await publishAt(coach, { date: someDay(), hour: 9 }, { title, seats: 4, ...ages });
  const parent = await openCustomer();
  await becomePerson(page, parent);
  // Account holders are adults, so someone without dependants can't book a lesson for children.
  await page.goto(`/customer/discover?book=${lesson.slotId}`);
  await expect(dialogOf(page).getByRole('alert')).toHaveText(
    'This lesson is for ages 8 to 12. Please add the child who takes part.',
  );
  await page.getByRole('button', { name: 'Add a child' }).click();
  await expect(page.getByRole('dialog', { name: 'Add someone to your family' })).toBeVisible();
  await addChild(parent, { fullName: 'Tim Guardian', dateOfBirth: bornYearsAgo(4) });
  await page.goto(discover({ ...lesson, priceCents: 0 }));
  await expect(cardOf(page, { ...lesson, priceCents: 0 })).toContainText('Ages 8 to 12');
  await page.goto(`/customer/discover?book=${lesson.slotId}`);
  await choice(page, 'Me').check();
  await expect(choice(page, 'Me')).toHaveAccessibleDescription('Date of birth needed');
  await page.getByRole('button', { name: 'Add date of birth' }).click();
  const details = page.getByRole('dialog', { name: 'Change your details' });
  await details.getByLabel('Day').fill('28');
  await details.getByLabel('Month').fill('5');
  await details.getByLabel('Year').fill('1990');
  await details.getByRole('button', { name: 'Save details' }).click();
  await expect(details).toBeHidden();
  await expect(choice(page, 'Me')).toHaveAccessibleDescription(
    /^Age \d\d\. This lesson is for ages 8 to 12\.$/,
  );

  await choice(page, 'Me').uncheck();
  await choice(page, 'Tim Guardian').check();
  await confirmButton(page).click();
  await expect(dialogOf(page).getByRole('alert')).toContainText(/^This lesson is for ages 8 to 12, and Tim/);
  await page.getByRole('button', { name: 'Ask the coach' }).click();
  await expect(dialogOf(page)).toContainText("We've asked Cara Coach.");
  await page.reload();
  await choice(page, 'Tim Guardian').check();
  await confirmButton(page).click();
  await expect(page.getByRole('button', { name: 'Ask the coach' })).toBeVisible();

  const coachPage = await (await browser.newContext()).newPage();
  await becomePerson(coachPage, coach);
  await coachPage.goto('/coach/templates');
  const request = coachPage.getByRole('main').getByRole('listitem').filter({ hasText: 'Tim Guardian' });
  await expect(request).toContainText(/Tim Guardian, age [45]/);
  await expect(request).toContainText(title);
  await coachPage.getByRole('button', { name: `Decline Tim Guardian for ${title}` }).click();
  await expect(toast(coachPage, 'Request declined')).toBeVisible();
  await coachPage.locator('summary', { hasText: 'Answered' }).click();
  await coachPage.getByRole('button', { name: `Accept Tim Guardian for ${title}` }).click();
  await expect(toast(coachPage, 'Tim Guardian can now join')).toBeVisible();
  await expect(request).toContainText('May join');
  await coachPage.context().close();

  // The coach has said yes in the meantime, so the customer can book in the same dialog.
  await page.getByRole('button', { name: 'Ask the coach' }).click();
  await expect(dialogOf(page)).toContainText('Cara Coach has said yes, so you can book now.');
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Tim Guardian is booked' })).toBeVisible();
  const { bookings } = await call(parent, bookingsApi.listMine, { view: 'upcoming' });
  expect(bookings.map(({ participant }) => participant.name)).toEqual(['Tim Guardian']);
});

test('filters lessons by the age of a chosen child [PART-9c]', async ({ page }) => {
  const coach = await openCoach();
  const title = unique('Ages');
  const date = someDay();
  await publishAt(coach, { date, hour: 9 }, { title: `${title} juniors`, seats: 4, minAge: 8, maxAge: 12 });
  await publishAt(coach, { date, hour: 12 }, { title: `${title} adults`, seats: 4, minAge: 18 });
  const parent = await openCustomer({ card: null });
  await becomePerson(page, parent);
  await page.goto(`/customer/discover?search=${encodeURIComponent(title)}`);
  const cards = page.getByRole('main').getByRole('listitem').filter({ hasText: title });
  await expect(cards).toHaveCount(2);
  await expect(page.getByRole('combobox', { name: 'For' })).toHaveCount(0);
  const dateOfBirth = bornYearsAgo(9);
  await addChild(parent, { knownAs: 'Mimi', dateOfBirth });
  await page.reload();
  await page.getByRole('combobox', { name: 'For' }).selectOption('Mimi');
  await expect(page).toHaveURL(new RegExp(`born=${dateOfBirth.slice(0, 7)}`));
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('juniors');
  await expect(page.getByText('For Mimi', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove filter For Mimi' }).click();
  await expect(cards).toHaveCount(2);
});

test("sets and removes a template's age range and the date on which the age counts", async ({ page }) => {
  await becomePerson(page, await openCoach());
  await page.goto('/coach/templates');
  await page.getByRole('button', { name: 'Create New Template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Template' });
  await expect(dialog.getByLabel('When the age counts')).toHaveCount(0);
  await dialog.getByLabel('Title').fill('Under nines');
  await dialog.getByLabel('Youngest age').fill('9');
  await dialog.getByLabel('Oldest age').fill('8');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByText("The youngest age can't be above the oldest.")).toBeVisible();
  await dialog.getByLabel('Youngest age').fill('');
  await dialog.getByLabel('When the age counts').selectOption('On 31 August before the season starts');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog).toBeHidden();
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Under nines' });
  await expect(card).toContainText('Ages 8 and under');
  await card.getByRole('button', { name: 'Edit Under nines' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Lesson Template' });
  await expect(edit.getByLabel('Youngest age')).toHaveValue('');
  await expect(edit.getByLabel('When the age counts')).toHaveValue('aug31');
  await edit.getByLabel('Oldest age').fill('');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await expect(edit).toBeHidden();
  await expect(card).not.toContainText('Ages');
});
