import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { fromOwnAddress, takeNewAddress } from './api.ts';

export { expect };

/** Waits until the app has hydrated the page and its styles and fonts are loaded, so that the layout is final. */
export async function waitForLayout(page: Page): Promise<void> {
  await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  await page.waitForFunction(() => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
    // A font is first requested when text with this font is laid out, which reading a height causes.
    const isLaidOut = sheets.every(({ sheet }) => sheet) && document.body.offsetHeight > 0;
    return isLaidOut && document.fonts.status === 'loaded';
  });
}

type Box = { x: number; y: number; width: number; height: number; right: number; bottom: number };

/** The bounds of elements in the window, in px. All are read in one frame of the final layout. */
export async function boxesOf<const All extends Locator[]>(
  page: Page,
  ...elements: All
): Promise<{ [Index in keyof All]: Box }> {
  await waitForLayout(page);
  const found = await Promise.all(elements.map((element) => element.elementHandle()));
  const boxes = await page.evaluate(
    (shown) =>
      shown.map((element) => {
        const { x, y, width, height, right, bottom } = element!.getBoundingClientRect();
        return { x, y, width, height, right, bottom };
      }),
    found,
  );
  return boxes as { [Index in keyof All]: Box };
}

/**
 * Fails if axe finds a serious or critical problem on the current page. `rules` limits the check to these rules.
 * Excludes toasts, which may fade while axe measures them; ui/colour-contrast.test.ts checks their contrast.
 */
export async function expectNoViolations(page: Page, rules?: string[]): Promise<void> {
  // Colours are measured once all fades have ended; endless animations are ignored.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
  // Loading axe takes half of an inspection's time, so a page that still has axe doesn't load it again.
  const hasAxe = await Promise.all(page.frames().map((frame) => frame.evaluate(() => 'axe' in window)));
  // Without its legacy mode axe opens another page for every inspection.
  const axe = new AxeBuilder({ page, ...(hasAxe.every(Boolean) && { axeSource: ';' }) })
    .setLegacyMode()
    .exclude('[data-sonner-toaster]')
    .options({
      resultTypes: ['violations'],
      // Finds only problems of moderate impact, and takes an eighth of the time to inspect a long list.
      rules: { region: { enabled: false } },
      ...(rules && { runOnly: { type: 'rule', values: rules } }),
    });
  const { violations } = await axe.analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, page.url()).toEqual([]);
}

/**
 * Runs `expectNoViolations` in dark mode for contrast alone, because the themes differ only in colour, and in light
 * mode for all rules. Leaves the page in light mode.
 */
export async function expectNoViolationsInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page);
}

/**
 * Fails a test if its page throws an error or gets a 5xx response. Every test has its own IP address, so that
 * tests don't use up each other's rate limits.
 */
export const test = base.extend<{ noPageErrors: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
  extraHTTPHeaders: async ({}, use) => {
    takeNewAddress();
    await use(fromOwnAddress());
  },
  noPageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('response', (response) => {
        if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`);
      });
      await use(undefined);
      // A test may end while the page still waits for a response that the test provides.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(errors, 'errors on the page').toEqual([]);
    },
    { auto: true },
  ],
});
