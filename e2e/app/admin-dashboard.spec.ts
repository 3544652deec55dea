import type { Role } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/people.ts';
import { changeResponse } from '../support/responses.ts';

test('keeps an admin, even one who coaches, on the general dashboard [NAV-3, NAV-4, DASH-1]', async ({
  page,
}) => {
  await signIn(page, 'admin@demo.test');
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Ada Admin!');
  await expect(page.locator('h1 + p')).toHaveText('Platform overview and management tools');
  await expect(page.getByText('Your athletic journey continues here')).toBeHidden();
  await changeResponse(page, accountsApi.getProfile, ({ profile }) => ({
    profile: profile && { ...profile, roles: ['customer', 'coach', 'admin'] satisfies Role[] },
  }));
  await page.goto('/dashboard');
  await expect(page.getByRole('banner').getByText('Customer, Coach, Admin', { exact: true })).toBeVisible();
  await expect(page.getByText('Platform overview and management tools', { exact: true })).toBeVisible();
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard');
  const main = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link')).toHaveText([
    ...['Book', 'My Bookings', 'Payment', 'Calendar', 'Templates', 'Earnings', 'Admin'],
  ]);
  await expect(main.getByRole('button')).toHaveText('Other');
});
