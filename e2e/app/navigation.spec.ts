import type { Role } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { findPage, isPublicPage, pageTitles } from '#domain/pages.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { call } from '../support/api.ts';
import { builtScript } from '../support/built-script.ts';
import { bookByApi, publishAt, publishLessons, soon } from '../support/club.ts';
import { expect, test, waitForLayout } from '../support/fixtures.ts';
import {
  becomeDemo,
  becomePerson,
  openCoach,
  openCustomer,
  openDemo,
  setRole,
  signIn,
  signUp,
} from '../support/people.ts';
import { permitNotifications } from '../support/push.ts';
import { changeResponse, holdResponse } from '../support/responses.ts';

test('shows a signed-in person a spinner, then the dashboard [LAND-5]', async ({ page }) => {
  await signIn(page, 'customer@demo.test');
  const profile = await holdResponse(page, accountsApi.getProfile);
  await page.goto('/');
  const waiting = page.getByRole('status').filter({ hasText: 'Loading...' });
  await expect(waiting).toHaveText('Loading...');
  await expect(waiting.locator('svg.animate-spin')).toBeVisible();
  await profile.release();
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome back, / })).toBeVisible();
  await expect(waiting.locator('svg')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Quick Actions' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find Your Coach' })).toHaveCount(0);
  await expect(page).toHaveURL((url) => url.pathname === '/');
});

test('opens the right screen at each URL, with its title, and asks for no permission [NAV-1a, NAV-9a, NOTE-8c]', async ({
  page,
}) => {
  const skip = page.getByRole('link', { name: 'Skip to content', exact: true });
  const asked = await permitNotifications(page);
  const opened = new Set<string>();
  const openScreens = async (screens: Record<string, [title: string, heading: string | RegExp]>) => {
    for (const [path, [title, heading]] of Object.entries(screens)) {
      const whole = title ? `${title} · ${defaultBrand}` : defaultBrand;
      expect(await (await page.request.get(path)).text(), path).toContain(`<title>${whole}</title>`);
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(200);
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
      await expect(page, path).toHaveTitle(whole);
      await expect(skip, path).toHaveAttribute('href', '#main');
      await expect(page.locator('main#main'), path).toHaveCount(1);
      expect(await asked(), `${path} asks for permission to notify`).toBe(0);
      opened.add(findPage(new URL(page.url()).pathname, { isDemo: false })!.pattern);
    }
  };
  await openScreens({
    '/': ['', 'Connect with Elite Sports Coaches'],
    '/login': ['Sign in', 'Welcome Back'],
    '/signup': ['Create an account', 'Create Account'],
    '/forgot-password': ['Forgot your password?', 'Forgot your password?'],
    '/reset-password': ['Choose a new password', 'You need a reset link'],
    '/verify?link=signup&token_hash=made-up': ['Open an emailed link', 'Verify your email address'],
    '/team-invitation': ['Team invitation', 'Invitation not found'],
    '/become-a-coach': ['Become a coach', 'Become a coach'],
    '/guardian-invitation': ['Guardian invitation', 'Invitation not found'],
    '/email-change?token=made-up': ['Confirm your email address', 'Confirm the change'],
    '/pictures/00000000-0000-4000-8000-000000000001/report': ['Report a picture', 'Report a picture'],
    '/reviews/00000000-0000-4000-8000-000000000001/report': ['Report a review', 'Report a review'],
  });
  const [lesson] = await publishLessons({ priceCents: 0 });
  const coach = await openDemo('coach@demo.test');
  const { payments } = await call(coach, earningsApi.listPayments, {});
  await becomePerson(page, coach);
  await openScreens({
    '/': ['', /^Welcome back, /],
    '/account': ['Account', 'Account'],
    '/notifications': ['Notifications', 'Notifications'],
    '/coach': ['Calendar', 'Calendar'],
    '/coach/calendar': ['Calendar', 'Calendar'],
    '/coach/templates': ['Lesson templates', 'Your Lesson Templates'],
    '/coach/locations': ['Locations', 'Your Locations'],
    '/coach/earnings': ['Earnings', 'Earnings'],
    [`/coach/earnings/${payments[0]!.payrunId}`]: ['Payment', /^Payment of /],
    '/coach/registers': ['Registers', 'Registers'],
    '/coach/reviews': ['Reviews', 'Reviews'],
    '/coach/business': ['Business', 'Business'],
    '/coach/team': ['Team', 'Team'],
    '/coach/verification': ['Checks and documents', 'Checks and documents'],
    '/coach/bank-details': ['Bank details', 'Bank Details'],
    [`/coach/lesson/${lesson!.slotId}`]: ['Lesson', lesson!.title],
    '/customer/dashboard': ['Dashboard', /^Welcome back, /],
    '/customer/discover': ['Find a lesson', 'Find a lesson'],
    '/customer/coaches': ['My Coaches', 'My Coaches'],
    '/customer/payment-methods': ['Payment methods', 'Payment methods'],
    '/customer/my-bookings': ['My bookings', 'My bookings'],
    '/customer/basket': ['Your basket', 'Your basket is empty'],
  });
  const newCoach = await openCoach();
  const { slotId } = await publishAt(newCoach, soon(), { title: 'Short notice' });
  await becomePerson(page, newCoach);
  await openScreens({
    [`/coach/registers/${slotId}`]: ['Register', 'Short notice'],
    [`/coach/registers/${slotId}/notes`]: ['Notes', 'Notes: Short notice'],
    '/coach/progress': ['Skills and payouts', 'Skills and payouts'],
    [`/coach/participants/${newCoach.userId}`]: ['Progress', 'Not someone you teach'],
    '/welfare-concerns': ['Welfare concerns', 'Welfare concerns'],
  });
  const customer = await openCustomer({ card: null });
  const bookingId = await bookByApi(customer, lesson!);
  await becomePerson(page, customer);
  await openScreens({
    [`/customer/bookings/${bookingId}`]: ['Receipt', lesson!.title],
    '/become-a-coach': ['Become a coach', 'Become a coach'],
    '/account/family': ['My family', 'My family'],
    '/customer/reviews': ['My reviews', 'My reviews'],
    [`/customer/reviews/${bookingId}`]: ['Review a coach', /^Review /],
    [`/reviews/${lesson!.slotId}/decision`]: ['Decision about a review', 'Decision not found'],
    [`/account/family/${customer.userId}`]: ['My family', 'You'],
    [`/account/family/${customer.userId}/progress`]: ['Progress', /: progress$/],
  });
  const admin = await openDemo('admin@demo.test');
  const { payruns } = await call(admin, payoutsApi.listPayruns, {});
  const { disputes } = await call(admin, disputesApi.listDisputes, {});
  const { cases } = await call(admin, moderationApi.listCases, { state: 'decided' });
  await becomePerson(page, admin);
  await openScreens({
    '/dashboard': ['Dashboard', /^Welcome back, /],
    '/admin/panel': ['Admin Panel', 'Admin Panel'],
    [`/admin/bookings/${bookingId}`]: ['Booking', lesson!.title],
    [`/admin/payruns/${payruns[0]!.payrunId}`]: ['Payrun', /^Payrun [0-9a-f]{8}$/],
    [`/admin/disputes/${disputes[0]!.disputeId}`]: ['Dispute', /^Dispute by /],
    '/admin/applications/00000000-0000-4000-8000-000000000001': ['Application', 'Application not found'],
    '/admin/coaches/00000000-0000-4000-8000-000000000001': ['Checks', 'Coach not found'],
    [`/admin/reviews/${cases[0]!.caseId}`]: ['Case about a review', /^Review /],
  });
  const patterns = Object.entries(pageTitles).flatMap(([pattern, title]) =>
    title || pattern === '/' ? [pattern] : [],
  );
  expect([...opened].sort()).toEqual(patterns.sort());
});

test("redirects old and general URLs to the person's own area [NAV-1b, NAV-3]", async ({ page }) => {
  await signUp(page, 'Nadia Navigator');
  const heading = page.getByRole('heading', { level: 1 });
  for (const [from, to, text] of [
    ['/my-bookings', '/customer/my-bookings', 'My bookings'],
    ['/customer', '/customer/dashboard', 'Welcome back, Nadia Navigator!'],
    ['/dashboard', '/customer/dashboard', 'Welcome back, Nadia Navigator!'],
  ]) {
    await page.goto(from!);
    await expect(page).toHaveURL((url) => url.pathname === to);
    await expect(heading).toHaveText(text!);
  }
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await signIn(page, 'coach@demo.test');
  const passed: string[] = [];
  page.on('framenavigated', (frame) => passed.push(new URL(frame.url()).pathname));
  for (const from of ['/coach/dashboard', '/dashboard']) {
    passed.length = 0;
    await page.goto(from);
    await expect(page).toHaveURL((url) => url.pathname === '/coach/calendar');
    await expect(heading).toHaveText('Calendar');
    expect(passed).toContain('/coach/dashboard');
  }
  await page.goto('/coach');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(heading).toHaveText('Calendar');
  await expect(page).toHaveURL((url) => url.pathname === '/coach');
});

test('responds to unknown URLs with a 404 page and a link home [NAV-2]', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  const home = page.getByRole('main').getByRole('link', { name: 'Go to the home page' });
  for (const path of [
    ...['/no-such-page', '/coach/no-such-page', '/customer/bookings/1/2'],
    ...['/admin', '/dashboard/more', '/login/now'],
  ]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(heading).toHaveText('Oops! Page not found');
    await expect(page).toHaveTitle(/^Page not found/);
    await expect(home).toHaveAttribute('href', '/');
  }
  await home.click();
  await expect(heading).toHaveText('Connect with Elite Sports Coaches');
  for (const id of ['nobody', crypto.randomUUID()]) {
    const coachPage = await page.goto(`/coaches/${id}`);
    expect(coachPage?.status(), id).toBe(404);
    await expect(heading).toHaveText('Coach not found');
  }
  // A signed-in person's home is the dashboard.
  await becomeDemo(page, 'customer@demo.test');
  expect((await page.goto('/coach/no-such-page'))?.status()).toBe(404);
  await expect(heading).toHaveText('Oops! Page not found');
  await home.click();
  await expect(heading).toHaveText(/^Welcome back, /);
});

test("lists each role's nav items, with rarely used items under Other [NAV-4]", async ({ page }) => {
  const main = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  const brand = page.getByRole('banner').getByRole('link', { name: defaultBrand });
  const items = [
    ['Book', '/customer/discover'],
    ['My Bookings', '/customer/my-bookings'],
    ['Payment', '/customer/payment-methods'],
    ['Calendar', '/coach/calendar'],
    ['Templates', '/coach/templates'],
    ['Earnings', '/coach/earnings'],
  ] as const;
  await signIn(page, 'coach@demo.test');
  await expect(main.getByRole('link')).toHaveText(items.map(([name]) => name));
  for (const [name, path] of items) {
    const link = main.getByRole('link', { name, exact: true });
    await link.click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Earnings' })).toBeFocused();
  const others = ['Registers', 'Reviews', 'Business', 'Team', 'Bank Details', 'Checks', 'Locations'];
  for (const [name, path] of [
    ['Registers', '/coach/registers'],
    ['Reviews', '/coach/reviews'],
    ['Business', '/coach/business'],
    ['Team', '/coach/team'],
    ['Bank Details', '/coach/bank-details'],
    ['Checks', '/coach/verification'],
    ['Locations', '/coach/locations'],
  ] as const) {
    await main.getByRole('button', { name: 'Other' }).press('Enter');
    await expect(page.getByRole('menuitem')).toHaveText(['My Family', ...others]);
    await page.getByRole('menuitem', { name, exact: true }).press('Enter');
    await expect(page).toHaveURL((url) => url.pathname === path);
    // Waits until the focus is on the new page's heading, because the focus closes an open menu when it moves there.
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  }
  await expect(brand).toHaveAttribute('href', '/');
  await brand.click();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await signIn(page, 'admin@demo.test');
  await expect(main.getByRole('link')).toHaveText(['Book', 'My Bookings', 'Payment', 'Admin', 'My Family']);
  await expect(main.getByRole('button', { name: 'Other' })).toBeHidden();
  await main.getByRole('link', { name: 'Admin' }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/admin/panel');
  await expect(brand).toHaveAttribute('href', '/');

  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto('/');
  const ofCustomers = [...items.slice(0, 3), ['My Family', '/account/family']] as const;
  await expect(main.getByRole('link')).toHaveText(ofCustomers.map(([name]) => name));
  for (const [name, path] of ofCustomers) {
    await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute('href', path);
  }
  await expect(main.getByRole('button')).toHaveCount(0);
  const coach = await openCoach();
  await setRole(coach, 'customer', false);
  await becomePerson(page, coach);
  await page.goto('/');
  await expect(main.getByRole('link')).toHaveText(['Calendar', 'Templates', 'Earnings']);
  await main.getByRole('button', { name: 'Other' }).press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(others);
});

test('denies areas to people without the role, and shows discover to visitors [NAV-7, NAV-8a]', async ({
  page,
}) => {
  const denied = page.getByRole('heading', { level: 1, name: 'Access Denied', exact: true });
  const neededFor = (area: Role) =>
    page.getByText(`You need ${area} permissions to access this area.`, { exact: true });
  // Leaves out pages without a title, because they redirect.
  const pages = Object.entries(pageTitles).filter(([path, title]) => title && !isPublicPage(path));
  const pathsOf = (area: Role) =>
    pages
      .filter(([path]) => path.split('/')[1] === area)
      .map(([path]) => path.replace(/\$\w+/, '00000000-0000-4000-8000-000000000000'));
  for (const [area, count, reason] of [
    ['coach', 17, 'You need coach permissions to access this area.'],
    ['customer', 8, 'You need customer permissions to access this area.'],
    ['admin', 7, "You don't have permission to access this page."],
  ] as const) {
    const paths = pathsOf(area);
    expect(paths, area).toHaveLength(count);
    const open = Object.keys(pageTitles).filter((path) => path.startsWith(`/${area}/`) && isPublicPage(path));
    expect(open).toEqual(area === 'customer' ? ['/customer/discover'] : []);
    for (const path of paths) {
      await page.goto(path);
      await expect(denied).toBeVisible();
      await expect(page.getByText(reason, { exact: true })).toBeVisible();
      const signInLink = page.getByRole('link', { name: 'Sign in to continue' });
      await expect(signInLink).toHaveAttribute('href', `/login?next=${encodeURIComponent(path)}`);
    }
  }
  await page.goto('/customer/discover');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find a lesson');
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /^Book Lesson: / })
      .first(),
  ).toBeVisible();
  await expect(denied).toHaveCount(0);
  await signUp(page, 'Cleo Customer');
  for (const path of pathsOf('coach')) {
    await page.goto(path);
    await expect(denied).toBeVisible();
    await expect(neededFor('coach')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign in to continue' })).toBeHidden();
  }
  const former = await openCustomer({ card: null });
  await setRole(former, 'customer', false);
  await becomePerson(page, former);
  const own = /payment-methods|bookings|reviews/;
  const others = pathsOf('customer').filter((path) => !own.test(path));
  expect(others).toEqual(['/customer/dashboard', '/customer/coaches', '/customer/basket']);
  for (const path of [...others, '/customer/discover']) {
    await page.goto(path);
    await expect(denied).toBeVisible();
    await expect(neededFor('customer')).toBeVisible();
  }
  // The admin role does not open the coach area.
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/coach/calendar');
  await expect(denied).toBeVisible();
  await expect(neededFor('coach')).toBeVisible();
  // The coach and admin roles don't open the customer area.
  await changeResponse(page, accountsApi.getProfile, ({ profile }) => ({
    profile: profile && { ...profile, roles: ['coach', 'admin'] satisfies Role[] },
  }));
  await page.goto('/customer/dashboard');
  await expect(denied).toBeVisible();
  await expect(neededFor('customer')).toBeVisible();
});

test('offers a skip link, sets page titles and moves the focus to the new heading [NAV-9a]', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveTitle(defaultBrand);
  await expect(page.getByRole('link', { name: 'Find Your Coach' })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Find Your Coach' })).toBeFocused();
  await page.getByRole('link', { name: 'Join as Coach' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Join as a coach' })).toBeVisible();
  await expect(page).toHaveTitle(`Create an account · ${defaultBrand}`);
  // Until the app has loaded, a link loads the next page, which screen readers announce by themselves.
  await waitForLayout(page);
  // Navigation within the app loads no page for screen readers to announce, so the focus moves to the heading.
  await page.getByRole('link', { name: 'Sign in', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeFocused();
  await expect(page).toHaveTitle(`Sign in · ${defaultBrand}`);
  // The app's own pages have a skip link as well.
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').locator(':focus')).toBeVisible();
});

test('keeps the focus in a menu that is opened while the next page loads [NAV-9a]', async ({ page }) => {
  await becomeDemo(page, 'coach@demo.test');
  await page.goto('/coach/calendar');
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible();
  const main = page.getByRole('navigation', { name: 'Main' });
  const script = await holdResponse(page, builtScript('src/web/catalogue/templates.tsx'));
  await main.getByRole('link', { name: 'Templates' }).click();
  await script.arrived;
  await main.getByRole('button', { name: 'Other' }).click();
  await expect(page.getByRole('menuitem', { name: 'Business' })).toBeVisible();
  await script.release();
  await expect(page.getByRole('heading', { level: 1, name: 'Your Lesson Templates' })).toBeVisible();
  await expect(page).toHaveTitle(/^Lesson templates/);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'My Family' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'My family' })).toBeFocused();
});
