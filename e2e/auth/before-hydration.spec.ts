import type { Page } from '@playwright/test';
import { builtScript } from '../support/built-script.ts';
import { expect, test } from '../support/fixtures.ts';
import { demoPassword } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

/** Opens a server-rendered page and delays the app's script until the returned function is called. */
async function openWithoutApp(page: Page, address: string): Promise<() => Promise<void>> {
  const script = await holdResponse(page, builtScript('index.html'));
  await page.goto(address, { waitUntil: 'commit' });
  await expect(page.locator('[data-server-rendered] form')).toBeVisible();
  return async () => {
    await expect(page.locator('[data-server-rendered]')).toHaveCount(1);
    await script.release();
    await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  };
}

test('signs in with what was typed and sent before the app loaded', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const begin = await openWithoutApp(page, '/login?next=%2Faccount');
  await page.getByLabel('Email').pressSequentially('customer@demo.test');
  await page.getByLabel('Password').pressSequentially(demoPassword);
  await page.getByLabel('Password').press('Enter');
  // The browser must not send the form, which would put the password into the URL.
  expect(new URL(page.url()).searchParams.has('password')).toBe(false);
  await begin();
  await expect(page).toHaveURL(/\/account$/);
  expect(complaints).toEqual([]);
});

test('keeps what was typed on sign-up and forgotten password before the app loaded', async ({ page }) => {
  const begin = await openWithoutApp(page, '/signup?next=%2Fbecome-a-coach');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join as a coach');
  await page.getByLabel('Full name').pressSequentially('Vera Visitor');
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.getByLabel('Password').pressSequentially('short');
  await page.getByRole('button', { name: 'Create account and apply' }).click();
  await begin();
  await expect(page.getByText('Enter your email address.')).toBeVisible();
  await expect(page.getByText('Choose a password of at least 8 characters.')).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('Vera Visitor');
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'text');

  const beginAgain = await openWithoutApp(page, '/forgot-password');
  await page.getByLabel('Email').pressSequentially('nobody@demo.test');
  await beginAgain();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome Back');
  await expect(page.getByLabel('Email')).toHaveValue('nobody@demo.test');
});

test('says at /reset-password that a visitor needs a link, before the app loads', async ({ page }) => {
  await holdResponse(page, builtScript('index.html'));
  await page.goto('/reset-password?next=%2Faccount', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You need a reset link');
  await expect(page.getByRole('link', { name: 'Email me a reset link' })).toHaveAttribute(
    'href',
    '/forgot-password?next=%2Faccount',
  );
});
