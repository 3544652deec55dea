import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { inspect } from './inspection.ts';

/** The open dialogs. */
export const dialogOf = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

/** The dashboard's section under the heading "Quick Actions". */
export const quickActions = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name: 'Quick Actions', exact: true }) });

/** Opens a URL and waits for the page's heading and, if given, for a text that appears once its data has loaded. */
export async function open(page: Page, path: string, text?: string | RegExp): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (text) await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
}

/** An amount of money, such as "£1,250.00". */
export const amount = /£\d[\d,]*\.\d\d/;

/** Expects at least one element, and nothing but an amount of money in each. */
export async function expectAmounts(found: Locator): Promise<void> {
  await expect(found.first()).toBeVisible();
  for (const text of await found.allInnerTexts()) {
    expect(text.replace(/^-/, '').replace(amount, ''), text).toBe('');
  }
}

/** The values with these labels in the page's lists of figures. */
export const figures = (page: Page, labels: RegExp) =>
  page.locator('dt').filter({ hasText: labels }).locator('xpath=following-sibling::dd');

/** The cells below these headings of a table. */
export async function cellsOf(page: Page, table: string, headings: string[]): Promise<Locator> {
  const found = page.getByRole('table', { name: table, exact: true });
  await expect(found.locator('tbody td').first()).toBeVisible();
  const columns = await found.getByRole('columnheader').allInnerTexts();
  const cells = headings.map((heading) => `td:nth-child(${columns.indexOf(heading) + 1})`);
  return found.locator(`tbody tr > :is(${cells.join(', ')})`);
}

/** Opens a dialog over the page, inspects the dialog and closes it with Escape. */
export async function inspectOver(
  page: Page,
  name: string,
  opener: string | RegExp,
  role: 'button' | 'link' = 'button',
) {
  await page.getByRole(role, { name: opener }).filter({ visible: true }).first().click();
  await expect(dialogOf(page).first()).toBeVisible();
  await inspect(page, name);
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toHaveCount(0);
}
