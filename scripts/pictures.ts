// Takes the pictures of the README from a running demo: `npm start`, then `npx tsx scripts/pictures.ts [URL]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { packageRoot } from '#server/platform/package-root.ts';
import { findChromium } from './find-chromium.mjs';

const address = process.argv[2] ?? 'http://127.0.0.1:3000';
const folder = join(packageRoot, 'docs', 'pictures');
const password = 'demo-lesson-2026';

type Shot = { name: string; as?: string; path: string; isPhone?: boolean; isDark?: boolean; open?: string };

const shots: Shot[] = [
  { name: 'landing', path: '/' },
  { name: 'discover', path: '/customer/discover', as: 'customer@demo.test' },
  {
    name: 'booking',
    path: '/customer/discover',
    as: 'customer@demo.test',
    open: 'Book Lesson',
    isPhone: true,
  },
  { name: 'my-bookings', path: '/customer/my-bookings', as: 'customer@demo.test', isPhone: true },
  { name: 'calendar', path: '/coach/calendar', as: 'coach@demo.test', isDark: true },
  { name: 'earnings', path: '/coach/earnings', as: 'coach@demo.test' },
  {
    name: 'create-slots',
    path: '/coach/calendar',
    as: 'coach@demo.test',
    open: 'Create Slots',
    isPhone: true,
  },
];

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
  if (shot.open) {
    await page
      .getByRole(shot.open === 'Book Lesson' ? 'link' : 'button', { name: shot.open })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
  }
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(folder, `${shot.name}.png`) });
  await context.close();
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--disable-dev-shm-usage'] });
for (const shot of shots) await take(browser, shot);
await browser.close();
