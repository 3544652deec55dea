import {
  demoPassword,
  expect,
  expectNoViolations,
  linkIn,
  newAddress,
  readMail,
  signIn,
  signUp,
  test,
} from './fixtures.ts';

test('[AUTH-1] [AUTH-2] [AUTH-4] [AUTH-5] a visitor signs up, follows the mail and stays signed in, in every tab', async ({
  page,
  context,
}) => {
  const email = newAddress();
  await page.goto('/signup');
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  await expect(page.getByText('Join Touchline today')).toBeVisible();

  // Everything is required, and nothing is sent before it is there.
  const submit = page.locator('form').getByRole('button', { name: /Create Account|Loading/ });
  await submit.click();
  await expect(page.getByText('Please enter your name.')).toBeVisible();
  await expect(page.getByText('Please enter your email address.')).toBeVisible();
  await expect(page.getByText('Please choose a password.')).toBeVisible();
  await expect(page.getByLabel('Full name')).toBeFocused();

  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/auth/v1/signup*', async (route) => {
    await held;
    await route.continue();
  });
  await submit.click();
  await expect(submit).toHaveText('Loading...');
  await expect(submit).toBeDisabled();
  answer();
  await expect(page.getByText('Account created!')).toBeVisible();
  await expect(page.getByText('Please check your email to verify your account.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(email).first()).toBeVisible();

  const mail = await readMail(page, email, /verify|confirm/i);
  const other = await context.newPage();
  await other.goto(linkIn(mail));
  await expect(other.getByText('Email verified')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Welcome back, Vera Visitor!' })).toBeVisible();
  await expect(other).toHaveURL(/^[^#]*\/$/);
  await expect(other.getByRole('banner').getByText('Customer', { exact: true })).toBeVisible();
  // The tab that waited for the mail goes on by itself.
  await expect(page).toHaveURL(/\/customer\/dashboard$/);

  const stored = await other.evaluate(() => JSON.parse(localStorage.getItem('touchline.session') ?? '{}'));
  expect(Object.keys(stored)).toEqual(
    expect.arrayContaining([
      'access_token',
      'refresh_token',
      'expires_in',
      'expires_at',
      'token_type',
      'user',
    ]),
  );
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Welcome back, Vera Visitor!' })).toBeVisible();

  await other.getByRole('button', { name: 'Sign Out' }).click();
  await expect(other.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('touchline.session'))).toBeNull();
});

test('[AUTH-3] signing in leads to the dashboard and says so', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page.getByText('Sign in to your account')).toBeVisible();
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByLabel('Password').press('Enter');
  await expect(page.getByText('Welcome back!', { exact: true })).toBeVisible();
  await expect(page.getByText("You've been signed in successfully.")).toBeVisible();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
});

test('[AUTH-3] [NAV-8] signing in from a page leads back to it, with what stood in its address', async ({
  page,
}) => {
  await page.goto('/coach/calendar?date=2027-03-28&view=day');
  await page.getByRole('link', { name: 'Sign in to continue' }).click();
  await page.getByLabel('Email').fill('coach@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/coach\/calendar\?date=2027-03-28&view=day$/);
  // Going back does not return to the form.
  await page.goBack();
  await expect(page).not.toHaveURL(/login/);
});

test('nobody is sent to another site after signing in', async ({ page, baseURL }) => {
  await page.goto('/login?next=%2F%2Fevil.example%2F');
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(`${baseURL}/customer/dashboard`);
});

test('a wrong password is told at the field and as an error, and what was typed stays', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill('not-the-password');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Error', { exact: true })).toBeVisible();
  await expect(page.getByText('Invalid login credentials')).toBeVisible();
  await expect(page.getByText("This email and password don't go together.")).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('customer@demo.test');
  await expect(page.getByLabel('Password')).toHaveValue('not-the-password');
  await expect(page.getByLabel('Password')).toBeFocused();
});

test('without a connection signing in says so and keeps what was typed', async ({ page, context }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('customer@demo.test');
  await page.getByLabel('Password').fill(demoPassword);
  // What tells of failures arrives after the page, and could not be fetched any more.
  await expect(page.getByRole('region', { name: /^Notices/ })).toBeAttached();
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText("We couldn't reach the server.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You're offline.")).toBeHidden();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
});

test('[AUTH-2] a refused sign-up shows the reason of the server and keeps what was typed', async ({
  page,
}) => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(newAddress());
  await page.getByLabel('Password').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Error', { exact: true })).toBeVisible();
  await expect(page.getByText('Choose a password of at most 200 characters.')).toHaveCount(2);
  await expect(page.getByLabel('Full name')).toHaveValue('Vera Visitor');
});

test('who has not verified yet is told when signing in and can have the mail again', async ({ page }) => {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const first = await readMail(page, email, /verify|confirm/i);

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: 'Send the verification email again' }).click();
  await expect(page.getByText('Email sent')).toBeVisible();
  await expect
    .poll(async () => linkIn(await readMail(page, email, /verify|confirm/i)))
    .not.toBe(linkIn(first));
  await page.goto(linkIn(await readMail(page, email, /verify|confirm/i)));
  await expect(page.getByRole('heading', { name: 'Welcome back, Vera Visitor!' })).toBeVisible();
});

test('a used or made-up verification link says so', async ({ page }) => {
  await page.goto('/auth/v1/verify?token=made-up&type=signup');
  await expect(page.getByText('Error', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page).toHaveURL(/^[^#]*\/login$/);
});

test('a forgotten password is replaced through the mail', async ({ page, context }) => {
  const email = await signUp(page, 'Forgetful Fay');
  const left = await context.browser()!.newContext();
  const elsewhere = await left.newPage();
  await signIn(elsewhere, email);

  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeFocused();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Please enter your email address.')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expectNoViolations(page);

  const link = linkIn(await readMail(page, email, /new password/));
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL(/\/reset-password$/);
  await expectNoViolations(page);
  await page.getByLabel('New password').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await expect(page.getByText('Choose a password of at most 200 characters.').first()).toBeVisible();
  await page.getByLabel('New password').fill('a-better-password');
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);

  await elsewhere.goto('/customer/payment-methods');
  await expect(elsewhere.getByRole('link', { name: 'Sign In', exact: true })).toBeVisible();
  await signIn(elsewhere, email, 'a-better-password');
  await left.close();

  // The link worked once: a second time it says so and offers another.
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
  await page.getByRole('link', { name: 'Send me a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('[AUTH-10] a profile that cannot be read is only logged', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  await page.route('**/api/profile', (route) => route.abort());
  await signIn(page, 'customer@demo.test');
  await expect(page.getByRole('banner').getByText('customer@demo.test')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Customer', { exact: true })).toBeVisible();
  await expect.poll(() => logged.join()).toContain('Failed to fetch the profile');
  await expect(page.getByText('Error', { exact: true })).toBeHidden();
});

test('a session that was ended elsewhere ends here with the next call', async ({ page, request }) => {
  await signUp(page, 'Ended Elsewhere');
  const { access_token } = await page.evaluate(() =>
    JSON.parse(localStorage.getItem('touchline.session') ?? '{}'),
  );
  const ended = await request.post('/auth/v1/logout?scope=global', {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(ended.ok()).toBe(true);
  await page.goto('/customer/payment-methods');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In', exact: true })).toBeVisible();
});

test('an access token that ran out is renewed without anybody noticing', async ({ page }) => {
  await signIn(page, 'customer@demo.test');
  const before = await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('touchline.session') ?? '{}');
    localStorage.setItem(
      'touchline.session',
      JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 60 }),
    );
    return session.refresh_token as string;
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible();
  const after = await page.evaluate(() => JSON.parse(localStorage.getItem('touchline.session') ?? '{}'));
  expect(after.refresh_token).not.toBe(before);
});

test('what one person saw is gone for the next one at the same browser', async ({ page }) => {
  await signUp(page, 'First Person');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await signUp(page, 'Second Person');
  await expect(page.getByText('First Person')).toHaveCount(0);
});
