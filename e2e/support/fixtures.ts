import AxeBuilder from '@axe-core/playwright';
import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test';

export { expect };

export const demoPassword = 'demo-lesson-2026';

let visitors = 0;

/** An address not used yet in this run. */
export function newAddress(): string {
  visitors += 1;
  return `visitor-${process.pid}-${Date.now().toString(36)}-${visitors}@test.example`;
}

/** Signs in through the screen and waits for the person's own area. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Signs in with the demo's password in this browser, without the screen. */
export async function becomeDemo(page: Page, email: string): Promise<void> {
  const answer = await page.request.post('/auth/v1/token?grant_type=password', {
    data: { email, password: demoPassword },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await page.goto('/favicon.svg');
  await page.evaluate((session) => localStorage.setItem('app.session', session), await answer.text());
}

type OutboxEmail = { to: string; subject: string; text: string };

/** Waits until the app itself shows the page, with its fonts, so that the layout is final. */
export async function waitForLayout(page: Page): Promise<void> {
  await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  await page.evaluate(async () => void (await document.fonts.ready));
}

/** The newest email to this address with a matching subject, once it is sent. */
export async function readEmail(
  { request }: { request: APIRequestContext },
  to: string,
  subject: RegExp,
): Promise<OutboxEmail> {
  let found: OutboxEmail | undefined;
  await expect
    .poll(async () => {
      const answer = await request.get('/sandbox/outbox', { params: { to } });
      const { emails } = (await answer.json()) as { emails: OutboxEmail[] };
      found = emails.find((received) => subject.test(received.subject));
      return Boolean(found);
    })
    .toBe(true);
  return found!;
}

/** The first link in an email. */
export function linkIn(received: OutboxEmail): string {
  const link = /https?:\/\/\S+/.exec(received.text)?.[0];
  if (!link) throw new Error(`No link in: ${received.text}`);
  return link;
}

/** Opens the link of a sign-up email and presses its button. */
export async function verifyEmail(page: Page, email: string): Promise<void> {
  await page.goto(linkIn(await readEmail(page, email, /^Confirm your email/)));
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
}

/** Signs a new visitor up through the screens and the email; ends signed in. */
export async function signUp(page: Page, fullName = 'Vera Visitor'): Promise<string> {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill(fullName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await verifyEmail(page, email);
  await expect(page.getByText(fullName).first()).toBeVisible();
  return email;
}

/** Refuses the next such request as one too many, for the 90 seconds from then on. */
export async function refuseNextAsTooMany(page: Page, url: string, method = 'POST'): Promise<void> {
  const message = 'Too many attempts.';
  let isRefused = false;
  await page.route(url, (route) => {
    if (isRefused || route.request().method() !== method) return route.fallback();
    isRefused = true;
    return route.fulfill({
      status: 429,
      headers: { 'retry-after': '90', 'x-supabase-api-version': '2024-01-01' },
      json: {
        ...{ code: 'over_request_rate_limit', msg: message },
        error: { code: 'too_many_requests', message, details: { retryAfterSeconds: 90 } },
      },
    });
  });
}

/**
 * Fails if axe finds a serious problem on the current page; `rules`: checks only these. Toasts are left out: one may
 * begin to fade while axe measures it. Their colours are pairs of ui/colour-contrast.test.ts.
 */
export async function expectNoViolations(page: Page, rules?: string[]): Promise<void> {
  // Colours are measured once nothing fades any more; endless animations are left out.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
  // Half of an inspection is loading axe's own script, which a page may have from the previous one.
  const hasAxe = await Promise.all(page.frames().map((frame) => frame.evaluate(() => 'axe' in window)));
  // Only the legacy mode opens no page of its own for every inspection.
  const axe = new AxeBuilder({ page, ...(hasAxe.every(Boolean) && { axeSource: ';' }) })
    .setLegacyMode()
    .exclude('[data-sonner-toaster]')
    .options({
      resultTypes: ['violations'],
      ...(rules && { runOnly: { type: 'rule', values: rules } }),
    });
  const { violations } = await axe.analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, page.url()).toEqual([]);
}

/** The same in both themes, which differ in colours only. Leaves the page in light mode. */
export async function expectNoViolationsInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page);
}

/**
 * Fails a test if the page logged an error or requested something that failed. Every test has its own network
 * address, so that none uses up another's limits.
 */
export const test = base.extend<{ noPageErrors: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  extraHTTPHeaders: async ({}, use) => {
    await use({ 'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}` });
  },
  noPageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('response', (response) => {
        if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`);
      });
      await use(undefined);
      // A test may end while the page still waits for a response that the test gives.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(errors, 'errors on the page').toEqual([]);
    },
    { auto: true },
  ],
});
