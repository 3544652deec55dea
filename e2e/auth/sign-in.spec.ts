import { accountsApi } from '#domain/accounts/contract.ts';
import { toast } from '../support/booking-page.ts';
import { builtScript } from '../support/built-script.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import {
  boxesOf,
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  test,
  waitForLayout,
} from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, demoPassword, openCustomer, signIn, signUp, submitSignIn } from '../support/people.ts';
import { failResponse, giveResponse, refuseNextAsTooMany } from '../support/responses.ts';

test('opens the dashboard after signing in, and confirms the sign-in [AUTH-3]', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome Back');
  const button = page.locator('form').getByRole('button', { name: 'Sign In', exact: true });
  await expect(button).toHaveText('Sign In');
  await expect(page.locator('h1 + p')).toHaveText('Sign in to your account');
  const [above, below] = await boxesOf(page, page.locator('h1 + p'), button);
  expect(above.bottom).toBeLessThan(below.y);
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByLabel('Password').press('Enter');
  const welcome = toast(page, 'Welcome back!');
  await expect(welcome.locator('[data-description]')).toHaveText("You've been signed in successfully.");
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
  // /dashboard redirects customers to their own dashboard; an admin stays.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await submitSignIn(page, 'admin@demo.test');
  await expect(welcome).toBeVisible();
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard');
});

test('returns to the page and its query string after signing in [AUTH-3, NAV-8b]', async ({ page }) => {
  await page.goto('/coach/calendar?date=2027-03-28&view=day');
  await page.getByRole('link', { name: 'Sign in to continue' }).click();
  await page.getByLabel('Email').fill('coach@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(toast(page, 'Welcome back!').locator('[data-description]')).toHaveText(
    "You've been signed in successfully.",
  );
  await expect(page).toHaveURL(
    ({ pathname, search }) => pathname + search === '/coach/calendar?date=2027-03-28&view=day',
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Calendar');
  // The Back button does not return to the form.
  await page.goBack();
  await expect(page).not.toHaveURL(/login/);
});

test('never redirects to another site after signing in', async ({ page, baseURL }) => {
  await page.goto('/login?next=%2F%2Fevil.example%2F');
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(`${baseURL}/customer/dashboard`);
});

test('reports a wrong password at its field and keeps the typed text', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill('not-the-password');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(toast(page, 'Error')).toContainText('Invalid login credentials');
  await expect(page.getByText('The email or password is wrong.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('customer@demo.test');
  await expect(page.getByLabel('Password')).toHaveValue('not-the-password');
  await expect(page.getByLabel('Password')).toBeFocused();
});

test('reports that the browser is offline when signing in, and keeps the typed text', async ({
  page,
  context,
}) => {
  // The account client and the region that shows errors load after the page: wait for both before going offline.
  const accountClient = page.waitForResponse(
    builtScript('node_modules/@supabase/auth-js/dist/module/index.js'),
  );
  await page.goto('/login');
  await (await accountClient).finished();
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await expect(page.getByRole('region', { name: /^Notices/ })).toBeAttached();
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.locator('form').getByRole('alert')).toContainText("We couldn't reach the server.");
  await context.setOffline(false);
  await expect(page.getByText("You're offline.")).toBeHidden();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
});

test('reports in the form that the account client failed to load; retries on submit', async ({ page }) => {
  // A repeated request may add a query string to the script's URL.
  const script = await failResponse(
    page,
    `${builtScript('node_modules/@supabase/auth-js/dist/module/index.js')}*`,
  );
  await page.goto('/login');
  const [form, email, password] = [
    page.locator('form'),
    page.getByLabel('Email'),
    page.getByLabel('Password'),
  ];
  await email.fill('customer@demo.test');
  await password.fill(demoPassword);
  const press = () => page.getByRole('button', { name: 'Sign In' }).click();
  await press();
  await expect(form.getByRole('alert')).toContainText("We couldn't reach the server.");
  await expect(email).toHaveValue('customer@demo.test');
  await expect(password).toHaveValue(demoPassword);
  await script.release();
  await press();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
});

test('ignores a session or error text in the URL', async ({ page }) => {
  const [attacker, victim] = [await openCustomer({ card: null }), await signUp(page, 'Vic Tim')];
  const { access_token, refresh_token } = attacker.session;
  const tokens = `access_token=${access_token}&refresh_token=${refresh_token}&expires_in=3600&token_type=bearer`;
  const said =
    'error=access_denied&error_code=otp_expired&error_description=Call+0800+EVIL+to+restore+access';
  for (const path of ['/', '/login', '/verify?link=signup&token_hash=x']) {
    for (const fragment of [`${tokens}&type=recovery`, said]) {
      await page.goto('/favicon.svg');
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}${said}#${fragment}`);
      await expect(page.getByRole('banner').getByText('Vic Tim').first()).toBeVisible();
      await expect(page.getByText('EVIL')).toHaveCount(0);
    }
  }
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('app.session')!).user.email);
  expect(kept).toBe(victim);
  // A signed-in person is warned before a link signs them in as someone else.
  await page.goto('/verify?link=signup&token_hash=x');
  await expect(page.getByRole('main').getByText(victim)).toBeVisible();
  await page.getByRole('link', { name: 'Stay signed in' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back, Vic Tim!' })).toBeVisible();
});

test('resets a forgotten password by email [AUTH-11c, NAV-9d]', async ({ page, context }) => {
  const email = await signUp(page, 'Forgetful Fay');
  const left = await context.browser()!.newContext();
  const elsewhere = await left.newPage();
  await signIn(elsewhere, email);

  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.goto('/login?next=%2Fcustomer%2Fcoaches');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeFocused();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Enter your email address.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  // Both forms have an email field, so wait until the sign-in form is shown.
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  // The typed address and the target page are kept on the way to the reset form and back.
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  const link = linkIn(await readEmail(email, /new password/));
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL(/\/reset-password\?next=%2Fcustomer%2Fcoaches$/);
  await expectNoViolationsInBothThemes(page);
  await page.getByLabel('New password').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await expect(page.getByText('Choose a password of at most 200 characters.').first()).toBeVisible();
  await page.getByLabel('New password').fill('a-better-password');
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page).toHaveURL(/\/customer\/coaches$/);

  await elsewhere.goto('/customer/payment-methods');
  await expect(elsewhere.getByRole('link', { name: 'Sign In', exact: true })).toBeVisible();
  await signIn(elsewhere, email, 'a-better-password');
  await left.close();

  // The link works once. On the second visit, the page says so and offers a new link.
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'You need a new link' })).toBeVisible();
  await page.getByRole('link', { name: 'Email me a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('offers a reset link to a signed-in person who opened the reset page without one', async ({ page }) => {
  await becomePerson(page, await openCustomer());
  await page.goto('/reset-password?next=%2Faccount');
  await page.getByLabel('New password').fill('a-better-password');
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You need a reset link');
  await expect(page.getByRole('link', { name: 'Email me a reset link' })).toHaveAttribute(
    'href',
    '/forgot-password?next=%2Faccount',
  );
  await expect(page.getByText('Please enter your current password')).toHaveCount(0);
});

test('offers a retry when the profile cannot be loaded, and keeps discover usable [AUTH-8a, AUTH-10a, AUTH-10b]', async ({
  page,
}) => {
  // Live updates would refetch the profile automatically.
  await stopLiveUpdates(page);
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  const refusal = { code: 'unprocessable', message: 'The profile cannot be read.' } as const;
  const unreadable = await failResponse(page, accountsApi.getProfile, refusal);
  const uncreated = await failResponse(page, accountsApi.createProfile, refusal);
  await signIn(page, 'customer@demo.test');
  await expect(page.getByRole('banner').getByText('customer@demo.test')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Customer', { exact: true })).toBeVisible();
  await expect.poll(() => logged.join()).toContain('Failed to fetch the profile');
  await expect(page.getByText('Error', { exact: true })).toBeHidden();
  const notice = page.locator('[data-sonner-toast]');
  const notLoaded = page.getByText("We couldn't load your profile");
  logged.length = 0;
  await page.goto('/customer/discover');
  await expect.poll(() => logged.join()).toContain('Failed to fetch the profile');
  await waitForLayout(page);
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
  for (const absent of [page.getByText('Access Denied'), notLoaded, notice]) {
    await expect(absent).toHaveCount(0);
  }
  for (const path of ['/', '/dashboard', '/customer/my-bookings', '/coach/calendar', '/admin/panel']) {
    await page.goto(path);
    await expect(notLoaded).toBeVisible();
    await expect(page.getByText('Access Denied')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveText('Try again');
    await waitForLayout(page);
    await expect(notice).toHaveCount(0);
  }
  await page.goto('/customer/my-bookings');
  await expect(notLoaded).toBeVisible();
  // A profile that is missing and cannot be created is handled in the same way.
  logged.length = 0;
  const missing = await giveResponse(page, accountsApi.getProfile, { profile: null });
  await unreadable.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => logged.join()).toContain('Failed to fetch the profile');
  await expect(notLoaded).toBeVisible();
  await expect(notice).toHaveCount(0);
  await missing.release();
  await uncreated.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Bookings' })).toBeVisible();
});

test('stays on the page and counts down after too many attempts', async ({ page }) => {
  await page.clock.install();
  await refuseNextAsTooMany(page, '**/auth/v1/token?grant_type=password');
  await page.goto('/login');
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill('not-the-password');
  // The clock keeps running until the pause takes effect, so the pause is set for a minute ahead.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toHaveText('Too many attempts.');
  await expect(page.getByRole('timer')).toHaveText('1:30');
  await page.clock.runFor(31_000);
  await expect(page.getByRole('timer')).toHaveText('0:59');
  await expect(page.getByLabel('Email')).toHaveValue('customer@demo.test');
  await page.clock.runFor(60_000);
  await expect(page.getByRole('timer')).toBeHidden();
});

test('renews an expired access token in the background', async ({ page }) => {
  await signIn(page, 'customer@demo.test');
  const before = await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('app.session') ?? '{}');
    localStorage.setItem(
      'app.session',
      JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 60 }),
    );
    return session.refresh_token as string;
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible();
  const after = await page.evaluate(() => JSON.parse(localStorage.getItem('app.session') ?? '{}'));
  expect(after.refresh_token).not.toBe(before);
});

test("hides the previous person's name after another person signs up", async ({ page }) => {
  await signUp(page, 'First Person');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await signUp(page, 'Second Person');
  await expect(page.getByText('First Person')).toHaveCount(0);
});
