import { accountsApi } from '#domain/accounts/contract.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomeDemo, signUp } from '../support/people.ts';
import { changeResponse } from '../support/responses.ts';

test('denies the admin panel to people without the role, and says why [ROLE-4]', async ({ page }) => {
  await page.goto('/admin/panel?tab=users');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  await expect(
    page.getByText("You don't have permission to access this page.", { exact: true }),
  ).toBeVisible();
  await signUp(page, 'Nora Noadmin');
  await page.goto('/admin/panel');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  const reason = page.locator('h1 + p');
  await expect(reason).toHaveText("You don't have permission to access this page.");
  await expect(reason).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toHaveCount(0);
  await expect(page.getByRole('tab')).toHaveCount(0);
  await expectNoViolationsInBothThemes(page);
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel');
  await expect(page.getByRole('tab')).toHaveText([
    'Overview',
    'Users',
    'Applications',
    'Bookings',
    'Payouts',
    'Settings',
    'Checks',
    'Pictures',
    'Reviews',
  ]);
  await expect(page.getByText("You don't have permission to access this page.")).toHaveCount(0);
});

test('blocks the admin panel until two-step sign-in is set up, and links to its setup', async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  await changeResponse(page, accountsApi.getProfile, ({ profile }) => ({
    profile: { ...profile!, isTwoStepMissing: true },
  }));
  await page.goto('/admin/panel?tab=payouts');
  await expect(page.getByRole('heading', { name: 'Set up two-step sign-in first' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await inspect(page, 'two-step sign-in is missing');
  await page.getByRole('main').getByRole('link', { name: 'Go to your account' }).click();
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
});
