import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { fromOwnAddress, takeNewAddress } from './api.ts';

export { expect };

/** Waits until the app itself shows the page, with its fonts, so that the layout is final. */
export async function waitForLayout(page: Page): Promise<void> {
  await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  await page.evaluate(async () => void (await document.fonts.ready));
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
      // A test may end while the page still waits for a response that the test gives.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(errors, 'errors on the page').toEqual([]);
    },
    { auto: true },
  ],
});
