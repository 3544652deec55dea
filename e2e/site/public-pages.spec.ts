import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { defaultBrand } from '#domain/default-brand.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { coachPath } from '#domain/pages.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { builtScript } from '../support/built-script.ts';
import { publishLessons } from '../support/club.ts';
import { boxesOf, expect, expectNoViolations, test } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, openDemo, signIn } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

/** An upcoming lesson of the demo coach. */
async function findCoachLesson() {
  const { userId } = await openDemo('coach@demo.test');
  const { slots } = await call(null, discoverApi.discoverSlots, { coachId: userId, limit: 1 });
  return slots[0]!;
}

/** The URL of the demo coach's page. */
const findCoachPage = async () => coachPath(await findCoachLesson());

/** Fails if the page is wider than the window. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const findExcess = () =>
    page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
  await expect.poll(findExcess, page.url()).toBe(0);
}

test('shows visitors the headline, counted figures and six features [LAND-1, LAND-2c, LAND-3]', async ({
  page,
}) => {
  await page.goto('/');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Connect with Elite Sports Coaches');
  const pitch = page.locator('h1 + p');
  await expect(pitch).toHaveText(
    'Book personalized coaching sessions, track your progress, and achieve your athletic goals with professional instructors.',
  );
  const [above, below] = await boxesOf(page, heading, pitch);
  expect(above.bottom).toBeLessThanOrEqual(below.y);
  const figures = page.locator('dl > div');
  await expect(figures.getByRole('definition')).toHaveText([/^\d[\d,]*$/, /^\d[\d,]*$/, /^\d[\d,]*$/]);
  await expect(figures.getByRole('term')).toHaveText([
    ...['active coaches', /^five-star reviews?$/, 'lessons completed'],
  ]);
  for (const figure of await figures.all()) await expect(figure).toBeVisible();
  const features = page.getByRole('region', { name: 'Everything you need around the lesson' });
  const cards = features.getByRole('listitem');
  await expect(cards).toHaveCount(6);
  await expect(cards.getByRole('heading')).toHaveText([
    'Easy booking',
    'Secure payments',
    // The server of these tests requires nothing of coaches, so the page doesn't say that they are checked.
    'Coaches for every level',
    'Trusted platform',
    'Progress tracking',
    'Instant notifications',
  ]);
  for (const card of await cards.all()) await expect(card).toBeVisible();
  const upcoming = page.getByRole('region', { name: 'Next available lessons' }).getByRole('listitem');
  await expect(upcoming).toHaveCount(3);
  await expect(upcoming.first()).toContainText('£');
});

test('links the landing page to discover and sign-up with four buttons [LAND-4]', async ({ page }) => {
  await page.goto('/');
  const buttons = page.getByRole('main').locator('a[href="/customer/discover"], a[href^="/signup"]');
  await expect(buttons).toHaveText([
    ...['Find Your Coach', 'Join as Coach', 'Get Started Today', 'Browse Coaches'],
  ]);
  for (const [name, path, heading] of [
    ['Find Your Coach', '/customer/discover', 'Find a lesson'],
    ['Browse Coaches', '/customer/discover', 'Find a lesson'],
    ['Join as Coach', '/signup', 'Join as a coach'],
    ['Get Started Today', '/signup', 'Create Account'],
  ] as const) {
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  }
});

test("shows the landing page and a coach's page without JavaScript [UX-3]", async ({ browser }) => {
  const [lesson] = await publishLessons({ seats: 4 });
  const { coachId, coachAddress } = await findCoachLesson();
  const coachPage = `/coaches/${coachAddress}`;
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect with Elite Sports Coaches');
  await expect(page.getByRole('heading', { level: 3, name: 'Progress tracking' })).toBeVisible();
  await expect(page.getByText('lessons completed', { exact: true })).toBeVisible();
  await expect(page.getByText('Loading...')).toBeHidden();
  // The page offers nothing that needs JavaScript.
  await expect(page.getByRole('radiogroup', { name: 'Theme' })).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeHidden();
  const strip = page.getByRole('region', { name: 'Next available lessons' }).getByRole('listitem');
  await expect(strip).toHaveText([/£\d[\d,]*\.\d\d/, /£\d[\d,]*\.\d\d/, /£\d[\d,]*\.\d\d/]);
  await strip.first().getByRole('link').last().click();
  await expect(page).toHaveURL(/\/coaches\/[a-z0-9-]+$/);
  await expect(page.getByRole('heading', { level: 2, name: 'Upcoming lessons' })).toBeVisible();

  const response = await page.goto(coachPage);
  expect(response?.status()).toBe(200);
  await expect(page.getByRole('main')).toContainText('Tennis coach');
  await expect(page.getByRole('link', { name: 'See all lessons' })).toHaveAttribute(
    'href',
    `/customer/discover?coachId=${coachId}`,
  );
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveAttribute(
    'href',
    `/login?next=${encodeURIComponent(coachPage)}`,
  );
  expect(lesson).toBeDefined();
  const missing = await page.goto('/coaches/nobody');
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coach not found');
  await context.close();
});

test('loads under 3 kB of script on public pages and satisfies the CSP', async ({ browser }) => {
  for (const path of ['/', await findCoachPage()]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const files: string[] = [];
    page.on('request', (sent) => {
      if (['script', 'stylesheet'].includes(sent.resourceType())) files.push(sent.url());
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    const scripts = await page.locator('script:not([type])').allTextContents();
    expect(scripts.length, path).toBeGreaterThan(0);
    expect(gzipSync(scripts.join('\n')).byteLength, `${path}: script after gzip`).toBeLessThan(3_000);
    // Everything for the first paint is in the page itself.
    expect(files, path).toEqual([]);
    // The page does not wait for the font, which replaces the fallback once it is loaded.
    const fontOf = () => page.evaluate(() => getComputedStyle(document.body).fontFamily);
    await expect.poll(fontOf).toMatch(/^"Inter Variable"/);
    await page.reload();
    expect(await fontOf()).toMatch(/^"Inter Variable"/);
    expect(complaints, path).toEqual([]);
    await context.close();
  }
});

test('has a skip link and a title on each server-rendered page [NAV-9a]', async ({ page }) => {
  const skip = page.getByRole('link', { name: 'Skip to content', exact: true });
  const pages: [path: string, heading: string, title?: string | RegExp][] = [
    ['/', 'Connect with Elite Sports Coaches', defaultBrand],
    [await findCoachPage(), 'Tess Trial', /^Tess Trial, Tennis coach/],
    [`${await findCoachPage()}/reviews`, 'Reviews of Tess Trial'],
    ['/coaches/nobody', 'Coach not found'],
    ['/reviews-policy', 'How reviews work'],
    ['/unsubscribe?token=made-up', "This link doesn't work"],
    ['/terms', 'Terms'],
    ['/privacy', 'Privacy'],
    ['/help', 'Help'],
    ['/contact', 'Contact'],
  ];
  for (const [path, heading, title = `${heading} · ${defaultBrand}`] of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
    await expect(page, path).toHaveTitle(title);
    await expect(skip, path).toHaveAttribute('href', '#main');
    await expect(page.locator('main#main'), path).toHaveCount(1);
    await page.keyboard.press('Tab');
    await expect(skip, path).toBeFocused();
  }
});

test('opens the app at / for a browser with a session [LAND-5, NAV-5]', async ({ page }) => {
  await becomeDemo(page, 'customer@demo.test');
  const script = await holdResponse(page, builtScript('index.html'));
  await page.goto('/', { waitUntil: 'commit' });
  const waiting = page.getByRole('status').filter({ hasText: 'Loading...' });
  await expect(waiting).toBeVisible();
  await expect(waiting.locator('svg.animate-spin')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeHidden();
  await script.release();
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome back, / })).toBeVisible();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'My Bookings' })).toBeVisible();

  await page.goto(await findCoachPage());
  await expect(header.getByRole('link', { name: 'Sign In' })).toBeHidden();
  await expect(header.getByRole('link', { name: 'Get Started' })).toBeHidden();
  await header.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome back, / })).toBeVisible();

  // Signing out opens the server-rendered landing page. After that, the brand link opens it as well.
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Find Your Coach' })).toBeVisible();
  await expect(page).toHaveTitle(defaultBrand);
  await page.goto('/login');
  await page.getByRole('banner').getByRole('link', { name: defaultBrand }).click();
  await expect(page.getByRole('link', { name: 'Find Your Coach' })).toBeVisible();
});

test('avoids redirect loops when a session cannot be renewed', async ({ page }) => {
  const { session } = await openDemo('customer@demo.test');
  await becomePerson(page, { session: { ...session, expires_at: Math.floor(Date.now() / 1000) - 60 } });
  let visits = 0;
  // Token requests fail until the page is requested again; otherwise the app would continue at the first response.
  await page.route('**/auth/v1/token**', (route) => (visits > 1 ? route.continue() : route.abort()));
  page.on('request', (asked) => {
    if (asked.isNavigationRequest()) visits += 1;
  });
  await page.clock.install();
  await page.goto('/');
  // The client keeps retrying for a while; the fake clock skips that time.
  await expect
    .poll(
      async () => {
        await page.clock.runFor(10_000);
        return page.getByText("We couldn't load your account").isVisible();
      },
      { intervals: [100], timeout: 120_000 },
    )
    .toBe(true);
  expect(visits).toBe(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome back, / })).toBeVisible();
});

test("links a coach's name to the coach's public page", async ({ page }) => {
  const { coachId, coachName, coachAddress, slotId } = await findCoachLesson();
  const coachPage = `/coaches/${coachAddress}`;
  await page.goto(`/customer/discover?coachId=${coachId}`);
  await expect(page.getByRole('main').getByRole('link', { name: coachName }).first()).toHaveAttribute(
    'href',
    coachPage,
  );
  await page.goto(`/customer/discover?lesson=${slotId}`);
  await page.getByRole('dialog').getByRole('link', { name: coachName }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(coachName);
  await page
    .getByRole('link', { name: /^Book Lesson: / })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toContainText('Login Required');

  await signIn(page, 'coach@demo.test');
  await page.goto('/coach/business');
  const address = page.getByLabel('Link to your public profile');
  await expect(address).toHaveValue(new RegExp(`^https?://.+${coachPage}$`));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(toast(page, 'Link copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await address.inputValue());
  await page.getByRole('link', { name: 'See your public profile' }).click();
  await expect(page).toHaveURL((url) => url.pathname === coachPage);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(coachName);
});

test('has no serious axe violations or overflow on public pages [NAV-9d, UX-5a]', async ({ page }) => {
  const paths = ['/', await findCoachPage(), '/coaches/nobody'];
  for (const path of paths) {
    for (const width of [360, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await expectNoSidewaysScroll(page);
    }
  }
  for (const theme of ['Light', 'Dark']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/');
    await page.locator('summary[aria-label="Theme"]').press('Enter');
    await page.getByRole('banner').getByRole('radio', { name: theme }).check({ force: true });
    await page.keyboard.press('Escape');
    await expect(page.locator('summary[aria-label="Theme"]')).toBeFocused();
    if (theme === 'Dark') await page.setViewportSize({ width: 360, height: 740 });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
      await expectNoViolations(page);
    }
  }
});

test('serves the manifest and the icons that make the app installable [UX-5c]', async ({ page, request }) => {
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(page.locator('link[rel="manifest"]')).toHaveAttribute('href', '/manifest.webmanifest');
    const client = await page.context().newCDPSession(page);
    const { errors } = await client.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
    const reasons = installabilityErrors.map(({ errorId }) => errorId);
    expect(reasons.filter((reason) => reason !== 'in-incognito')).toEqual([]);
  }
  const manifest = await (await request.get('/manifest.webmanifest')).json();
  expect(manifest).toMatchObject({ name: defaultBrand, start_url: '/', display: 'standalone' });
  for (const { src, type } of [
    ...manifest.icons,
    { src: '/icons/apple-touch-icon.png', type: 'image/png' },
  ]) {
    const icon = await request.get(src);
    expect(icon.status(), src).toBe(200);
    expect(icon.headers()['content-type'], src).toContain(type);
  }
});
