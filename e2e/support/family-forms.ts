import type { Page } from '@playwright/test';
import { bookingOf } from './booking-page.ts';
import type { Lesson } from './club.ts';
import { bornYearsAgo } from './family.ts';
import { expect } from './fixtures.ts';

/** The checkbox of a person in the booking dialog. */
export const choice = (page: Page, name: string) => page.getByRole('checkbox', { name });

/** Adds a nine-year-old in the open dialog. */
export async function enterChild(page: Page, fullName: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add someone to your family' });
  await dialog.getByLabel('Full name').fill(fullName);
  const [year, month, day] = bornYearsAgo(9).split('-') as [string, string, string];
  await dialog.getByLabel('Day').fill(day);
  await dialog.getByLabel('Month').fill(month);
  await dialog.getByLabel('Year').fill(year);
  await dialog.getByLabel('Your relationship to them').selectOption('Parent');
  await dialog.getByLabel(/^I'm 18 or over/).check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Fills in the care details of a child in the open dialog, without notes. */
export async function enterCare(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Care details of/ });
  await dialog.getByLabel('Phone number').fill('0113 496 0000');
  await dialog.getByRole('radio', { name: 'Yes, they may leave without an adult' }).check();
  await dialog.getByRole('radio', { name: "I'd rather not say" }).check();
  await dialog.getByRole('button', { name: 'Save care details' }).click();
  await expect(dialog).toBeHidden();
}

/**
 * Adds a lesson to the basket for these people, from the lesson's dialog; `inBasket` is the expected content of the
 * basket.
 */
export async function addToBasket(
  page: Page,
  lesson: Pick<Lesson, 'slotId'>,
  inBasket: string,
  ...names: string[]
): Promise<void> {
  await page.goto(bookingOf(lesson));
  for (const name of names) await choice(page, name).check();
  await page.getByRole('button', { name: 'Add to basket' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(`${inBasket} in your basket`)).toBeVisible();
}
