// Takes the README's screenshots of a running demo: `npm start`, then `npx tsx scripts/pictures.ts [URL]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { packageRoot } from '#server/platform/package-root.ts';
import { findChromium } from './find-chromium.mjs';

const address = process.argv[2] ?? 'http://127.0.0.1:3000';
const folder = join(packageRoot, 'docs', 'pictures');
const password = 'demo-lesson-2026';

type Shot = {
  name: string;
  as?: string;
  path: string;
  isPhone?: boolean;
  isDark?: boolean;
  /** Actions on the page before the screenshot. */
  perform?: (page: Page) => Promise<void>;
};

const customer = 'customer@demo.test';
const coach = 'coach@demo.test';

const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

const shots: Shot[] = [
  { name: 'landing', path: '/' },
  { name: 'discover', path: '/customer/discover', as: customer },
  { name: 'calendar', path: `/coach/calendar?view=week&date=${inAWeek}`, as: coach },
  { name: 'earnings', path: '/coach/earnings', as: coach, isDark: true },
  {
    name: 'admin-payouts',
    path: '/admin/panel?tab=payouts',
    as: 'admin@demo.test',
    perform: tickPayableBookings,
  },
  {
    name: 'coach-profile',
    path: '/customer/discover',
    as: customer,
    isPhone: true,
    perform: openCoach,
  },
  { name: 'booking', path: '/customer/discover', as: customer, isPhone: true, perform: startBooking },
  { name: 'my-bookings', path: '/customer/my-bookings', as: customer, isPhone: true, isDark: true },
];

async function tickPayableBookings(page: Page) {
  await page.getByLabel('Only coaches with bank details').check();
  await page.waitForLoadState('networkidle');
  const boxes = page.getByRole('row').getByRole('checkbox', { name: /^Select .+ with / });
  for (const box of (await boxes.all()).slice(0, 4)) await box.check();
}

async function openCoach(page: Page) {
  const withFace = page.locator('[data-slot]').filter({ has: page.locator('img') });
  const profile = await withFace.locator('a[href^="/coaches/"]').first().getAttribute('href');
  await page.goto(profile!);
}

async function startBooking(page: Page) {
  await page.getByRole('link', { name: 'Book Lesson' }).first().click();
  await page.getByRole('button', { name: /^Confirm Booking/ }).waitFor();
}

async function signIn(page: Page, email: string) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

async function take(browser: Browser, shot: Shot) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: shot.isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    hasTouch: Boolean(shot.isPhone),
    colorScheme: shot.isDark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (shot.as) await signIn(page, shot.as);
  await page.goto(shot.path);
  // The browser uses the font from the second visit onwards, when it is cached.
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (shot.as) await page.getByRole('button', { name: /^Notifications/ }).waitFor();
  await page.waitForLoadState('networkidle');
  await shot.perform?.(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(folder, `${shot.name}.png`) });
  await context.close();
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--disable-dev-shm-usage'] });
for (const shot of shots) await take(browser, shot);
await browser.close();
