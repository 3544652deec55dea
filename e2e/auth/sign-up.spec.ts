import type { Page } from '@playwright/test';
import { defaultBrand } from '#domain/default-brand.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { boxesOf, expect, expectNoViolations, test } from '../support/fixtures.ts';
import { demoPassword, newAddress, verifyEmail } from '../support/people.ts';
import { holdResponse, refuseNextAsTooMany } from '../support/responses.ts';

/** Fills in the form at /signup for a new person. */
async function typeNewPerson(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
}

test('creates an account from a name, email and password; says to check the inbox [AUTH-1, AUTH-2]', async ({
  page,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  const subtitle = page.locator('h1 + p');
  await expect(subtitle).toHaveText(`Join ${defaultBrand} today`);
  const frame = page.locator('main form').locator('..');
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Create Account');
  const [card, main] = await boxesOf(page, frame, page.locator('main'));
  expect(Math.abs(card.x + card.width / 2 - (main.x + main.width / 2))).toBeLessThanOrEqual(1);
  expect(card.width).toBeLessThan(main.width / 2);
  await expect(frame).toHaveCSS('border-top-width', '1px');

  // All fields are required; the form isn't submitted until they are filled in.
  const submit = page.locator('form').getByRole('button', { name: /Create Account|Loading/ });
  await expect(submit).toHaveText('Create Account');
  await expect(submit).toBeEnabled();
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('/auth/v1/signup') && sent.push(request.url()));
  const required = [
    ['Full name', 'Enter your name.'],
    ['Email', 'Enter your email address.'],
    ['Password', 'Choose a password.'],
  ] as const;
  await submit.click();
  for (const [, message] of required) await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByLabel('Full name')).toBeFocused();
  for (const [label, message] of required) {
    await typeNewPerson(page, email);
    await page.getByLabel(label).fill('');
    await submit.click();
    await expect(page.getByText(message)).toBeVisible();
  }
  expect(sent).toEqual([]);

  await typeNewPerson(page, email);
  for (const [, message] of required) await expect(page.getByText(message)).toBeHidden();
  const held = await holdResponse(page, '**/auth/v1/signup*');
  await submit.click();
  await expect(submit).toHaveText('Loading...');
  await expect(submit).toBeDisabled();
  await held.release();
  const created = page
    .locator('[data-sonner-toast][data-type="success"]')
    .filter({ has: page.locator('[data-title]').and(page.getByText('Account created!', { exact: true })) });
  await expect(created.locator('[data-description]')).toHaveText(
    'Please check your email to verify your account.',
  );
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(email).first()).toBeVisible();

  // An operator may have changed the brand, which the server writes into the page.
  await page.route('/signup', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll(defaultBrand, 'Leeds Lessons'),
    });
  });
  await page.goto('/signup');
  await expect(subtitle).toHaveText('Join Leeds Lessons today');
});

test('creates a profile at the first sign-in and shares the session between tabs [AUTH-4, AUTH-5, AUTH-11a]', async ({
  page,
  context,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await typeNewPerson(page, email);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const link = linkIn(await readEmail(email, /^Confirm your email/));
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('button', { name: 'Verify and sign in' })).toBeVisible();
  await expectNoViolations(other);
  await other.getByRole('button', { name: 'Verify and sign in' }).click();
  await expect(other.getByText('Email verified')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Welcome back, Vera Visitor!' })).toBeVisible();
  await expect(other).toHaveURL((url) => url.pathname + url.search + url.hash === '/');
  await expect(other.getByRole('banner').getByText('Customer', { exact: true })).toBeVisible();
  // The tab that waits for the confirmation opens the dashboard without a reload.
  await expect(page).toHaveURL(/\/customer\/dashboard$/);

  const stored = await other.evaluate(() => JSON.parse(localStorage.getItem('app.session') ?? '{}'));
  const text = expect.stringMatching(/./);
  const number = expect.any(Number);
  expect(stored).toMatchObject({
    ...{ access_token: text, refresh_token: text, expires_in: number, expires_at: number },
    ...{ token_type: 'bearer', user: { email } },
  });
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Welcome back, Vera Visitor!' })).toBeVisible();

  await other.getByRole('button', { name: 'Sign Out' }).click();
  await expect(other.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: "You're signed out" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('app.session'))).toBeNull();
  await page.goto(link);
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Already verified' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('shows why the server refused a sign-up and keeps the typed text [AUTH-2, UX-1a]', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(newAddress());
  await page.getByLabel('Password').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Create Account' }).click();
  const sentence = 'Choose a password of at most 200 characters.';
  // The toast disappears automatically, so one locator checks its type, title and text.
  const errorToast = (text: string) =>
    page
      .locator('[data-sonner-toast][data-type="error"]')
      .filter({ has: page.locator('[data-title]').and(page.getByText('Error', { exact: true })) })
      .filter({ has: page.locator('[data-description]').and(page.getByText(text, { exact: true })) });
  await expect(errorToast(sentence)).toBeVisible();
  await expect(page.locator('form').getByText(sentence)).toHaveCount(1);
  await expect(page.getByLabel('Full name')).toHaveValue('Vera Visitor');
  await expect(page.getByText('Account created!')).toHaveCount(0);
  await expect(page.locator('form').getByRole('button', { name: 'Create Account' })).toBeEnabled();

  // The toast shows any message from the server, not only messages that the page knows.
  const later = 'Accounts can be created again from Monday.';
  await page.route(
    '**/auth/v1/signup*',
    (route) =>
      route.fulfill({
        status: 422,
        headers: { 'x-supabase-api-version': '2024-01-01' },
        json: { code: 'signup_disabled', msg: later },
      }),
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(errorToast(later)).toBeVisible();
});

test('offers the verification email again when an unverified person signs in [AUTH-11b]', async ({
  page,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const first = await readEmail(email, /^Confirm your email/);

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await refuseNextAsTooMany(page, '**/auth/v1/resend**');
  const resend = page.getByRole('button', { name: 'Send the verification email again' });
  await resend.click();
  await expect(page.getByText('Too many attempts.')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^1:\d\d$/);
  await resend.click();
  await expect(page.getByText('Email sent')).toBeVisible();
  await expect(page.getByRole('timer')).toBeHidden();
  await expect
    .poll(async () => linkIn(await readEmail(email, /^Confirm your email/)))
    .not.toBe(linkIn(first));
  await verifyEmail(page, email);
  await expect(page.getByRole('heading', { name: 'Welcome back, Vera Visitor!' })).toBeVisible();
});

test('offers to replace an invalid verification link; reports an incomplete link', async ({ page }) => {
  const email = newAddress();
  await page.goto('/auth/v1/verify?token=made-up&type=signup&redirect_to=');
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'You need a new link' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByLabel('Email').fill(email);
  await refuseNextAsTooMany(page, '**/auth/v1/resend**');
  await page.getByRole('button', { name: 'Email me a new link' }).click();
  await expect(page.getByRole('timer')).toBeVisible();
  await page.getByRole('button', { name: 'Email me a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(`If ${email} still needs verifying, a new link is on its way.`)).toBeVisible();
  await page.goto('/verify?link=signup&token_hash=');
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
});
