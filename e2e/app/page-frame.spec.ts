import { bookingsApi } from '#domain/bookings/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { wallTimeOf } from '#domain/time.ts';
import { builtScript } from '../support/built-script.ts';
import { bookByApi, publishAt, publishLessons } from '../support/club.ts';
import { someDay } from '../support/coaching.ts';
import { boxesOf, expect, test, waitForLayout } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, openCoach, openCustomer, setRole, signIn } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

declare global {
  interface Window {
    layoutShift: number;
  }
}

test('shows name or email, roles, and sign-in or sign-out in the header [DASH-1, NAV-5]', async ({
  page,
}) => {
  await page.goto('/');
  const header = page.getByRole('banner');
  const [toSignIn, toSignUp] = [
    header.getByRole('link', { name: 'Sign In' }),
    header.getByRole('link', { name: 'Get Started' }),
  ];
  await expect(toSignIn).toHaveAttribute('href', '/login');
  await expect(toSignIn).toHaveText('Sign In');
  await expect(toSignUp).toHaveAttribute('href', '/signup');
  await expect(toSignUp).toHaveText('Get Started');
  await expect(header.getByRole('button', { name: 'Sign Out' })).toBeHidden();
  // Within the app, the header's links also name the page to return to.
  await page.goto('/customer/discover');
  await waitForLayout(page);
  for (const [name, path] of [
    ['Sign In', '/login'],
    ['Get Started', '/signup'],
  ] as const) {
    const link = header.getByRole('link', { name, exact: true });
    await expect(link).toHaveText(name);
    await expect(link).toHaveAttribute('href', `${path}?next=%2Fcustomer%2Fdiscover`);
  }
  await expect(header.getByRole('button', { name: 'Sign Out' })).toHaveCount(0);
  await expect(header.getByText('Customer', { exact: true })).toHaveCount(0);
  await signIn(page, 'coach@demo.test');
  await expect(header.getByRole('link', { name: 'Tess Trial', exact: true })).toHaveText('Tess Trial');
  await expect(header.getByText('Customer, Coach', { exact: true })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Sign In' })).toBeHidden();
  await expect(header.getByRole('link', { name: 'Get Started' })).toBeHidden();
  await expect(header.getByText('coach@demo.test')).toHaveCount(0);
  const signOut = header.getByRole('button', { name: 'Sign Out' });
  await expect(signOut).toHaveText('Sign Out');
  await signOut.click();
  await expect(header.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(signOut).toBeHidden();
  await expect(header.getByRole('link', { name: 'Tess Trial' })).toHaveCount(0);

  // The header shows the email address of a person without a name, and "Customer" for a person without a role.
  const nameless = await openCustomer({ card: null, fullName: '' });
  await setRole(nameless, 'customer', false);
  await becomePerson(page, nameless);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome back, ${nameless.email}!`);
  await expect(header.getByRole('link', { name: nameless.email, exact: true })).toHaveText(nameless.email);
  await expect(header.getByText('Customer', { exact: true })).toBeVisible();
  await expect(signOut).toBeVisible();
});

test('shows the tab bar on phones, inside and outside the areas [NAV-6]', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeDemo(page, 'customer@demo.test');
  for (const path of ['/', '/account', '/customer/discover']) {
    await page.goto(path);
    const tabs = page.getByRole('navigation', { name: 'Customer' });
    await expect(tabs.getByRole('link')).toHaveText(['Book', 'Bookings', 'Payment', 'My Coaches', 'Family']);
    await expect(tabs).toBeInViewport();
  }
  await becomeDemo(page, 'coach@demo.test');
  await page.goto('/account');
  await expect(page.getByRole('navigation', { name: 'Coach' })).toBeInViewport();
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=payouts');
  const tabs = page.getByRole('navigation', { name: 'Customer' });
  await expect(tabs).toBeInViewport();
  const payable = page.getByRole('table', { name: 'Payable bookings' });
  await payable.getByRole('row').nth(1).scrollIntoViewIfNeeded();
  const create = page.getByRole('button', { name: 'Create payrun' });
  await expect(create).toBeInViewport({ ratio: 1 });
  const [bar, button] = await boxesOf(page, tabs, create);
  expect(button.bottom).toBeLessThanOrEqual(bar.y);
});

test('shows a fixed tab bar in the coach and customer areas below 768 px [NAV-6]', async ({ page }) => {
  await page.setViewportSize({ width: 767, height: 844 });
  await signIn(page, 'coach@demo.test');
  for (const [area, tabs] of [
    [
      'Coach',
      {
        Calendar: '/coach/calendar',
        Earnings: '/coach/earnings',
        Templates: '/coach/templates',
        Business: '/coach/business',
        Team: '/coach/team',
      },
    ],
    [
      'Customer',
      {
        Book: '/customer/discover',
        Bookings: '/customer/my-bookings',
        Payment: '/customer/payment-methods',
        'My Coaches': '/customer/coaches',
        Family: '/account/family',
      },
    ],
  ] as const) {
    await page.goto(Object.values(tabs)[0]!);
    const bar = page.getByRole('navigation', { name: area });
    await expect(bar.getByRole('link')).toHaveText(Object.keys(tabs));
    for (const [name, path] of Object.entries(tabs)) {
      await bar.getByRole('link', { name, exact: true }).click();
      await expect(page).toHaveURL((url) => url.pathname === path);
      for (const end of ['top', 'bottom']) {
        await page.evaluate(
          (isBottom) => window.scrollTo(0, isBottom ? document.body.scrollHeight : 0),
          end === 'bottom',
        );
        await expect(bar).toBeInViewport({ ratio: 1 });
        // A page with another layout renders its own bar.
        const frame = async () => {
          const box = await bar.boundingBox();
          return box && [box.x, box.width, box.y + box.height];
        };
        await expect.poll(frame, { message: `${path}, ${end}` }).toEqual([0, 767, 844]);
      }
    }
    await page.setViewportSize({ width: 768, height: 844 });
    await expect(bar).toBeHidden();
    await page.setViewportSize({ width: 767, height: 844 });
    await expect(bar).toBeVisible();
  }
});

test('shows a tab bar on phones, and a menu with name, pages, theme and Sign Out [NAV-5, NAV-6]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'coach@demo.test');
  const tabs = page.getByRole('navigation', { name: 'Coach' });
  await expect(tabs).toBeInViewport();
  // The menu is opened before the next page is shown, and stays open.
  const script = await holdResponse(page, builtScript('src/web/catalogue/templates.tsx'));
  await tabs.getByRole('link', { name: 'Templates' }).click();
  await script.arrived;
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Tess Trial', exact: true })).toHaveText('Tess Trial');
  await expect(menu.getByText('Customer, Coach', { exact: true })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Sign Out' })).toHaveText('Sign Out');
  // An open menu hides the rest of the page from `getByRole`.
  for (const text of ['Sign In', 'Get Started']) {
    await expect(page.getByText(text, { exact: true })).toHaveCount(0);
  }
  await script.release();
  await expect(page).toHaveTitle(/^Lesson templates/);
  await expect(menu.getByRole('link', { name: 'Templates' })).toHaveAttribute('aria-current', 'page');
  await menu.getByText('Dark').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await menu.getByRole('link', { name: 'My Bookings' }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Customer' })).toBeInViewport();
  await page.getByRole('button', { name: 'Menu' }).click();
  await menu.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
});

test("moves the focus to each new page's heading, even if its data loads later [NAV-9a]", async ({
  page,
}) => {
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const [coach, customer] = [await openCoach(), await openCustomer({ card: null })];
  const lesson = await publishAt(coach, { date: someDay(), hour: 9 }, { title: 'Squad training' });
  await bookByApi(customer, lesson);
  // The headings of these pages are the lesson's title, which comes with the data.
  for (const [person, endpoint, path] of [
    [customer, bookingsApi.getMine, '/customer/my-bookings'],
    [coach, slotsApi.getCoachSlot, `/coach/calendar?date=${wallTimeOf(lesson.startTime).date}`],
  ] as const) {
    await becomePerson(page, person);
    await page.goto(path);
    const data = await holdResponse(page, endpoint);
    await page.getByRole('main').getByRole('link', { name: 'Squad training' }).first().click();
    await data.arrived;
    await expect(page.getByRole('main')).toBeFocused();
    await data.release();
    await expect(heading('Squad training')).toBeFocused();
  }
  const main = page.getByRole('navigation', { name: 'Main' });
  for (const [name, title] of [
    ['Book', 'Find a lesson'],
    ['My Bookings', 'My bookings'],
    ['Payment', 'Payment methods'],
    ['Calendar', 'Calendar'],
    ['Templates', 'Your Lesson Templates'],
    ['Earnings', 'Earnings'],
  ] as const) {
    await main.getByRole('link', { name, exact: true }).click();
    await expect(heading(title)).toBeFocused();
  }
});

test("keeps the dashboard's layout stable while the next lesson loads", async ({ page }) => {
  const person = await openCustomer();
  await becomePerson(page, person);
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window.layoutShift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const readShift = () => page.evaluate(() => window.layoutShift);
  const next = page.getByRole('region', { name: 'Next lesson' });
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await expect(next).toContainText('No upcoming lessons');
    expect(await readShift()).toBeLessThanOrEqual(0.02);
  }
  const [lesson] = await publishLessons();
  await bookByApi(person, lesson!);
  await page.goto('/');
  await expect(next).toContainText(lesson!.title);
  expect(await readShift()).toBeLessThanOrEqual(0.02);
});

test('shows toasts at the top on phones, bottom right on desktops; lets taps through [UX-2]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeDemo(page, 'customer@demo.test');
  await page.goto('/account');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Sam Sample ');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Sam  Sample');
  await page.getByRole('button', { name: 'Save name' }).click();
  const toast = page.locator('[data-sonner-toast]');
  // Each toast is read in one step, because it disappears after four seconds.
  const readPhoneToast = () =>
    toast.evaluateAll(([element]) => {
      if (!element?.checkVisibility({ visibilityProperty: true })) return 'not shown';
      const { left, top, bottom, width, height } = element.getBoundingClientRect();
      const pressed = document.elementFromPoint(left + width / 2, top + height / 2);
      return { isAtTop: top >= 0 && bottom < 422, isPressedThrough: !element.contains(pressed) };
    });
  await expect.poll(readPhoneToast).toEqual({ isAtTop: true, isPressedThrough: true });
  await expect(toast).toHaveCount(0);

  // On a larger screen the toast is at the bottom right. It has the theme that the person chose, not the system's.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('summary[aria-label="Theme"]').click();
  await page.getByRole('banner').getByText('Dark').click();
  await page.getByRole('textbox', { name: 'Full name' }).fill('Sam   Sample');
  await page.getByRole('button', { name: 'Save name' }).click();
  const readDesktopToast = () =>
    toast.evaluateAll(([element]) => {
      if (!element?.checkVisibility({ visibilityProperty: true })) return 'not shown';
      const { right, bottom } = element.getBoundingClientRect();
      return {
        isAtBottomRight: 1280 - right < 40 && 800 - bottom < 40,
        type: element.getAttribute('data-type'),
        theme: element.closest('[data-sonner-toaster]')?.getAttribute('data-sonner-theme'),
      };
    });
  await expect.poll(readDesktopToast).toEqual({ isAtBottomRight: true, type: 'success', theme: 'dark' });
});

test('reports a broken page, offers a retry and keeps the header usable', async ({ page }) => {
  await page.route(builtScript('src/web/auth/sign-in/login.tsx'), (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export const LoginScreen = () => null.broken;' }),
  );
  await page.goto('/signup');
  await waitForLayout(page);
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByText("This page couldn't be shown")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: defaultBrand }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect with Elite Sports Coaches');
});
