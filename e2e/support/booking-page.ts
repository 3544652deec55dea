import type { Page } from '@playwright/test';
import { cardOfNumber } from '#server/test-support/test-cards.test-support.ts';
import type { Lesson } from './club.ts';

/** The card of a lesson in the list. */
export const cardOf = (page: Page, { title }: Lesson) =>
  page.getByRole('listitem').filter({ hasText: title });

/** The first toast with exactly this title or description, or with one that matches the pattern. */
export const toast = (page: Page, text: string | RegExp) =>
  page
    .locator('[data-sonner-toast]')
    .filter({ has: page.getByText(text, { exact: true }) })
    .first();

export const confirmButton = (page: Page) => page.getByRole('button', { name: /^Confirm Booking/ });

/** The URL of the list with only this lesson. */
export const discover = ({ title }: Lesson) => `/customer/discover?search=${encodeURIComponent(title)}`;
/** The URL of the list with this lesson's booking dialog open. */
export const bookingOf = ({ slotId }: Pick<Lesson, 'slotId'>) => `/customer/discover?book=${slotId}`;

const { exp_month, exp_year } = cardOfNumber('');
/** A valid card's expiry date as typed: MMYY. */
export const goodExpiry = `${String(exp_month).padStart(2, '0')}${String(exp_year).slice(2)}`;

/** Enters a card into the form and saves it, without waiting for the bank or the Stripe simulator. */
export async function typeCard(page: Page, number: string, expiry = goodExpiry, code = '123'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill(expiry);
  await page.getByLabel('Security code').fill(code);
  await page.getByRole('button', { name: 'Save card' }).click();
}

/** Presses a button on the bank's 3-D Secure page in its frame. */
export async function answerBank(page: Page, outcome: 'Complete' | 'Fail'): Promise<void> {
  await page
    .frameLocator('iframe')
    .getByRole('button', { name: `${outcome} authentication` })
    .click();
}
