import type { Page } from '@playwright/test';
import { accountsApi } from '#domain/accounts/contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { adminHomeApi } from '#domain/admin/home-contract.ts';
import { authApi } from '#domain/auth/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { statementApi } from '#domain/payouts/statement-contract.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { storageApi } from '#domain/storage/contract.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { builtScript } from '../support/built-script.ts';
import { boxesOf, expect, test } from '../support/fixtures.ts';
import { becomeDemo } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

test('shows up to three toasts at the bottom right for four seconds, errors in red [UX-1a, UX-2]', async ({
  page,
}) => {
  await becomeDemo(page, 'admin@demo.test');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.clock.install();
  await page.goto('/admin/panel?tab=payouts');
  const create = page.getByRole('button', { name: 'Create payrun' });
  await expect(create).toBeVisible();
  // The region for toasts loads after the page.
  await expect(page.getByRole('region', { name: /^Notices/ })).toBeAttached();
  await page.clock.pauseAt(Date.now() + 10_000);
  const toasts = page.locator('[data-sonner-toast]');
  const seen = page.locator('[data-sonner-toast][data-visible="true"]');
  for (const count of [1, 2, 3, 4]) {
    await create.click();
    // The clock advances in steps until the module that shows the toast has loaded.
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return toasts.count();
      })
      .toBe(count);
  }
  await expect(seen).toHaveCount(3);
  for (const toast of await seen.all()) {
    await expect(toast.locator('[data-title]')).toHaveText('Error');
    await expect(toast).toContainText('No bookings selected');
    await expect(toast).toHaveAttribute('data-type', 'error');
  }
  const front = page.locator('[data-sonner-toast][data-front="true"]');
  await expect(front).toBeInViewport({ ratio: 1 });
  // Toasts appear above this tab's bar, which stays at the bottom of the window.
  const [box, bar] = await boxesOf(page, front, page.locator('div.sticky').filter({ has: create }));
  expect(page.viewportSize()!.width - box.right).toBeLessThan(40);
  expect(box.bottom).toBeLessThanOrEqual(bar.y);
  expect(bar.y - box.bottom).toBeLessThan(40);

  const toaster = page.locator('[data-sonner-toaster]');
  const colour = () => front.evaluate((toast) => getComputedStyle(toast).backgroundColor);
  await expect(toaster).toHaveAttribute('data-sonner-theme', 'light');
  const byDay = await colour();
  // How far the red channel (0 to 255) is above the other two.
  const redness = () =>
    front.evaluate((toast) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext(
        '2d',
      )!;
      const { backgroundColor } = getComputedStyle(toast);
      canvas.fillStyle = backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return r - Math.max(g, b);
    });
  expect(await redness()).toBeGreaterThan(8);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(toaster).toHaveAttribute('data-sonner-theme', 'dark');
  expect(await colour()).not.toBe(byDay);
  expect(await redness()).toBeGreaterThan(8);
  // The theme that the person chose overrides the system's.
  await page.locator('summary[aria-label="Theme"]').click();
  await page.getByRole('banner').getByText('Light').click();
  await expect(toaster).toHaveAttribute('data-sonner-theme', 'light');
  await expect.poll(colour).toBe(byDay);

  await page.clock.runFor(3_500);
  await expect(toasts).toHaveCount(4);
  await page.clock.runFor(1_000);
  await expect(toasts).toHaveCount(0);
});

test("follows the system's theme until the person chooses one, and keeps the choice [UX-5b]", async ({
  page,
}) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const menu = page.locator('summary[aria-label="Theme"]');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/login');
  const byDay = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await ground();
  expect(byNight).not.toBe(byDay);
  for (const [choice, colour] of [
    ['Light', byDay],
    ['Dark', byNight],
  ] as const) {
    await page.emulateMedia({ colorScheme: choice === 'Light' ? 'dark' : 'light' });
    await menu.click();
    await page.getByRole('banner').getByText(choice).click();
    await expect.poll(ground).toBe(colour);
    await page.goto('/signup');
    expect(await ground()).toBe(colour);
  }
  await menu.click();
  await page.getByRole('banner').getByText('System').click();
  await expect.poll(ground).toBe(byDay);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).toBe(byNight);
  await page.goto('/login');
  expect(await ground()).toBe(byNight);
});

test('changes the theme before the script of the menu has loaded [UX-5b]', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  const script = await holdResponse(page, builtScript('src/web/app/layout/later-parts.tsx'));
  await page.goto('/signup');
  const byDay = await ground();
  await page.locator('summary[aria-label="Theme"]').click();
  await page.getByRole('banner').getByText('Dark').click();
  await expect.poll(ground).not.toBe(byDay);
  const byNight = await ground();
  await script.release();
  await expect(page.getByRole('banner').getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(await ground()).toBe(byNight);
});

/** Delays each page's data and, until it arrives, expects a pulsing placeholder and no spinner. */
async function expectSkeletons(page: Page, screens: [path: string, endpoint: Endpoint][]): Promise<void> {
  for (const [path, endpoint] of screens) {
    const held = await holdResponse(page, endpoint);
    await page.goto(path);
    // A page shows a spinner until the person's roles are known, and only then requests its data.
    await held.arrived;
    const loading = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /^Loading/ });
    await expect(loading.first(), path).toBeAttached();
    await expect(loading.first().locator('.animate-pulse').first(), path).toBeVisible();
    await expect(page.getByRole('main').locator('.animate-spin'), path).toHaveCount(0);
    await held.release();
    await expect(loading, path).toHaveCount(0);
  }
}

const nobodys = '00000000-0000-4000-8000-000000000000';

test('shows skeletons while pages load, and a busy button while a form is saved [UX-4a]', async ({
  page,
}) => {
  await becomeDemo(page, 'coach@demo.test');
  await expectSkeletons(page, [
    ['/coach/templates', catalogueApi.listTemplates],
    ['/coach/locations', catalogueApi.listLocations],
    ['/coach/earnings', earningsApi.getEarnings],
    ['/coach/team', businessesApi.listTeam],
    ['/coach/business', businessesApi.getBusiness],
    ['/coach/bank-details', payoutsApi.getBankDetails],
    ['/coach/calendar', slotsApi.listCoachSlots],
    [`/coach/lesson/${nobodys}`, slotsApi.getCoachSlot],
    ['/coach/registers', registerApi.listOfTeam],
    ['/coach/verification', documentsApi.getMine],
    [`/coach/participants/${nobodys}`, skillsApi.getParticipant],
    [`/coach/earnings/${nobodys}`, statementApi.getStatement],
    [`/account/family/${nobodys}`, participantsApi.get],
    [`/customer/reviews/${nobodys}`, reviewsApi.getOwn],
    ['/customer/dashboard', bookingsApi.getMyStats],
    ['/customer/my-bookings', bookingsApi.listMine],
    ['/customer/coaches', bookingsApi.listMyCoaches],
    [`/customer/bookings/${nobodys}`, bookingsApi.getMine],
    ['/customer/payment-methods', paymentsApi.getPaymentMethod],
    ['/notifications', notificationsApi.listNotifications],
    ['/account', authApi.listSessions],
    ['/account', notificationsApi.getPreferences],
  ]);
  // Opens the list from within the app, because the server would render it on a page load.
  const search = await holdResponse(page, discoverApi.discoverSlots);
  await page.getByRole('banner').getByRole('link', { name: 'Book', exact: true }).click();
  const lessons = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading lessons' });
  await expect(lessons).toBeAttached();
  await expect(lessons.locator('.animate-pulse').first()).toBeVisible();
  await search.arrived;
  await search.release();
  await expect(lessons).toHaveCount(0);

  await page.goto('/coach/locations');
  await page.getByRole('button', { name: /^Add/ }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(`Slow Field ${Date.now()}`);
  await dialog.getByLabel('Town').fill('Leeds');
  let saves = 0;
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().endsWith('/api/coach/locations')) saves += 1;
  });
  const saved = await holdResponse(page, catalogueApi.createLocation);
  const save = dialog.getByRole('button', { name: 'Save location' });
  await save.click();
  const saving = dialog.getByRole('button', { name: 'Saving...' });
  await expect(saving).toHaveAttribute('aria-busy', 'true');
  await saving.click({ force: true });
  await saving.press('Enter');
  await saved.release();
  await expect(dialog).toBeHidden();
  expect(saves).toBe(1);
});

test("shows skeletons while an admin's pages load [UX-4a]", async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  await expectSkeletons(page, [
    ['/dashboard', adminHomeApi.getAdminHome],
    ['/admin/panel?tab=overview', adminApi.getOverview],
    ['/admin/panel?tab=overview', adminApi.listAudit],
    ['/admin/panel?tab=users', adminApi.listUsers],
    ['/admin/panel?tab=payouts', payoutsApi.listPayruns],
    ['/admin/panel?tab=payouts', payoutsApi.listPayableBookings],
    ['/admin/panel?tab=settings', settingsApi.getSettings],
    ['/admin/panel?tab=pictures', storageApi.listReportedPictures],
    ['/admin/panel?tab=applications', applicationQueueApi.list],
    ['/admin/panel?tab=verification', checksApi.listCoaches],
    ['/admin/panel?tab=reviews', moderationApi.listCases],
    [`/admin/bookings/${nobodys}`, deskApi.get],
    [`/admin/payruns/${nobodys}`, payrunApi.getPayrun],
  ]);
});

test('shows a spinner until the answer decides what a page shows [UX-4a]', async ({ page }) => {
  await becomeDemo(page, 'customer@demo.test');
  for (const [path, endpoint, heading] of [
    ['/coach/calendar', accountsApi.getProfile, 'Access Denied'],
    ['/dashboard', accountsApi.getProfile, /^Welcome back, /],
    ['/account', accountsApi.getProfile, 'Account'],
    ['/team-invitation?token=made-up', invitationsApi.getInvitation, 'Invitation not found'],
  ] as const) {
    const held = await holdResponse(page, endpoint);
    await page.goto(path);
    await held.arrived;
    // The spinner in the HTML that the server rendered proves nothing about the app's.
    await expect(page.locator('[data-server-rendered]'), path).toHaveCount(0);
    const spinner = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' });
    await expect(spinner, path).toHaveText('Loading...');
    await expect(spinner.locator('svg.animate-spin'), path).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(0);
    await held.release();
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
    await expect(spinner, path).toHaveCount(0);
  }
});
