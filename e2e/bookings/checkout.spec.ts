import type { Page } from '@playwright/test';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { call } from '../support/api.ts';
import { answerBank, bookingOf, confirmButton, toast } from '../support/booking-page.ts';
import { bookByApi, type Lesson, publishLessons, readBookedCount } from '../support/club.ts';
import { addChild } from '../support/family.ts';
import { addToBasket, choice } from '../support/family-forms.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCustomer } from '../support/people.ts';

const rows = (page: Page) => page.getByRole('main').getByRole('listitem');

test('books for two children and a parent with one 3-D Secure check; cancels one [BASE-8b, PART-10c, PART-10d]', async ({
  page,
}) => {
  const lessons = await publishLessons({ count: 3, seats: 3, priceCents: 2000 });
  const [first, second, third] = lessons as [Lesson, Lesson, Lesson];
  const parent = await openCustomer({ card: testCards.asksAlways, fullName: 'Gill Guardian' });
  await addChild(parent);
  await addChild(parent, { fullName: 'Ben Guardian' });
  await becomePerson(page, parent);
  await addToBasket(page, first, '1 place', 'Mia Guardian');
  await addToBasket(page, second, '2 places', 'Ben Guardian');
  await addToBasket(page, third, '3 places', 'Me');
  await page.getByRole('link', { name: 'Go to basket' }).click();

  await expect(page.getByRole('heading', { name: 'Your basket', level: 1 })).toBeVisible();
  await expect(rows(page)).toHaveText([/For Mia Guardian/, /For Ben Guardian/, /For you/]);
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £60.00');
  await inspect(page, 'basket of three places');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('heading', { name: "You're booked" })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await inspect(page, 'checkout booked');
  expect(await Promise.all(lessons.map(readBookedCount))).toEqual([1, 1, 1]);

  await page.getByRole('link', { name: 'Receipt' }).click();
  const participant = page.getByRole('main').locator('dt').filter({ hasText: /^For$/ }).locator('+ dd');
  await expect(participant).toHaveText('Mia Guardian');
  const together = page.getByRole('region', { name: 'Paid together' });
  await expect(together.getByRole('listitem')).toHaveCount(3);
  await expect(together).toContainText('One payment of£60.00');
  await page.getByRole('button', { name: 'Cancel Booking' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(toast(page, '£20.00 is on its way back.')).toBeVisible();
  await expect(together).toContainText('Left after refunds£40.00');
  await expect(together.getByText('Refunded £20.00')).toHaveCount(1);
  expect(await Promise.all(lessons.map(readBookedCount))).toEqual([0, 1, 1]);
  await page.goto('/customer/basket');
  await expect(page.getByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
});

test('books a lesson for two people together, and offers no more than the seats left [PART-10d]', async ({
  page,
}) => {
  const [lesson, other] = await publishLessons({ count: 2, seats: 2, priceCents: 1500 });
  const parent = await openCustomer({ fullName: 'Gill Guardian' });
  await addChild(parent);
  await addChild(parent, { fullName: 'Ben Guardian' });
  await becomePerson(page, parent);
  await page.goto(bookingOf(lesson!));
  await choice(page, 'Mia Guardian').check();
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £15.00');
  await choice(page, 'Ben Guardian').check();
  await expect(choice(page, 'Me')).toBeDisabled();
  await expect(choice(page, 'Me')).toHaveAccessibleDescription('No places left');
  await expect(page.getByText('Total price for 2 places')).toBeVisible();
  await expect(page.getByText('2 of 2 places taken, including yours')).toBeVisible();
  await expect(
    page.getByText('This applies to each place: you can cancel each one separately.'),
  ).toBeVisible();
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £30.00');
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Ben Guardian and Mia Guardian are booked' })).toBeVisible();
  const { bookings } = await call(parent, bookingsApi.listMine, { view: 'upcoming' });
  expect(bookings.map(({ participant }) => participant.name).sort()).toEqual([
    'Ben Guardian',
    'Mia Guardian',
  ]);

  // A customer without dependants has no participant to choose: one click books the lesson.
  await becomePerson(page, await openCustomer());
  await page.goto(bookingOf(other!));
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
});

test("names the seat that can't be booked, and books the others without it [PART-10b]", async ({ page }) => {
  const [first, second] = (await publishLessons({ count: 2, seats: 1, priceCents: 2000 })) as [
    Lesson,
    Lesson,
  ];
  const customer = await openCustomer({ card: testCards.asksAlways });
  await becomePerson(page, customer);
  await addToBasket(page, first, '1 place');
  await addToBasket(page, second, '2 places');
  await page.goto(bookingOf(second));
  await expect(page.getByText('This lesson is already in your basket.')).toBeVisible();
  await page.goto('/customer/basket');
  await confirmButton(page).click();
  await page.getByRole('button', { name: 'Stop without confirming' }).click();
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: "You didn't finish your bank's check, so your places aren't booked." }),
  ).toBeVisible();
  expect([await readBookedCount(first), await readBookedCount(second)]).toEqual([0, 0]);

  // Someone takes the last place while the basket is on the screen.
  await bookByApi(await openCustomer(), second);
  const full = rows(page).filter({ hasText: second.title }).nth(1);
  await expect(full).toContainText('Fully Booked. Remove this lesson to book the others.');
  await expect(confirmButton(page)).toBeDisabled();
  await full.getByRole('button', { name: /^Remove/ }).click();
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £20.00');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('heading', { name: "You're booked" })).toBeVisible();
  expect(await readBookedCount(first)).toBe(1);
});

test("keeps each account's basket separate", async ({ page }) => {
  const [lesson] = await publishLessons({ seats: 3 });
  const customer = await openCustomer();
  await becomePerson(page, customer);
  await addToBasket(page, lesson!, '1 place');
  await page.reload();
  await expect(page.getByText('1 place in your basket')).toBeVisible();
  await becomePerson(page, await openCustomer());
  await page.goto('/customer/basket');
  await expect(page.getByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
  await becomePerson(page, customer);
  await page.goto('/customer/basket');
  await expect(rows(page)).toHaveCount(1);
});
