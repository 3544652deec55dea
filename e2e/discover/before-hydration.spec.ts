import type { Page } from '@playwright/test';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { call } from '../support/api.ts';
import { publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCustomer } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

const cards = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('h3') });
const shown = (page: Page, label: string) =>
  page.getByRole('search').getByLabel(label, { exact: true }).filter({ visible: true });

/** Opens a server-rendered page and delays the app's script until the returned function is called. */
async function openWithoutApp(page: Page, address: string): Promise<() => Promise<void>> {
  const script = await holdResponse(page, /\/assets\/index-.*\.js$/);
  await page.goto(address, { waitUntil: 'commit' });
  await expect(cards(page).first()).toBeVisible();
  await expect(page.locator('[data-server-rendered]')).toHaveCount(1);
  return async () => {
    await expect(page.locator('[data-server-rendered]')).toHaveCount(1);
    await script.release();
    await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  };
}

for (const person of ['visitor', 'customer']) {
  test(`applies a ${person}'s typing, selections and clicks from before the app loaded`, async ({ page }) => {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const [lesson] = await publishLessons({ seats: 2 });
    const { slot } = await call(null, slotsApi.getOpenSlot, { slotId: lesson!.slotId });
    if (person === 'customer') await becomePerson(page, await openCustomer());
    const begin = await openWithoutApp(page, '/customer/discover?type=group&sort=price_low');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible({
      visible: person === 'visitor',
    });
    await page.getByRole('button', { name: 'Remove filter Group' }).click();
    await shown(page, 'Sport').selectOption('Tennis');
    await shown(page, 'Coach').pressSequentially(slot.coachName.slice(0, 4));
    await shown(page, 'Search lessons').pressSequentially(lesson!.title);
    await begin();
    await expect(cards(page)).toHaveCount(1);
    await expect(cards(page).getByRole('heading')).toHaveText(lesson!.title);
    const readAddress = () => Object.fromEntries(new URL(page.url()).searchParams);
    await expect.poll(readAddress).toEqual({ sort: 'price_low', sport: 'tennis', search: lesson!.title });
    await expect(shown(page, 'Search lessons')).toBeFocused();
    await expect(shown(page, 'Search lessons')).toHaveValue(lesson!.title);
    await shown(page, 'Coach').click();
    await expect(page.getByRole('option', { name: slot.coachName })).toBeVisible();
    const signOut = page.getByRole('banner').getByRole('button', { name: 'Sign Out' });
    await expect(signOut).toBeVisible({ visible: person === 'customer' });
    expect(complaints).toEqual([]);
  });
}

test('opens the date picker and the filters clicked before the app loaded', async ({ page }) => {
  const begin = await openWithoutApp(page, '/customer/discover');
  const from = page.getByRole('search').getByRole('button', { name: 'From date' }).filter({ visible: true });
  // People click again when nothing seems to happen.
  await from.click();
  await from.click();
  await begin();
  await expect(page.getByRole('grid')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  const beginOnPhone = await openWithoutApp(page, '/customer/discover?sport=tennis');
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await beginOnPhone();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel('Sport')).toHaveValue('tennis');
});
