import type { BrowserContext, Page } from '@playwright/test';

/** Keeps pages from updating by themselves, for tests of what a person does on a page that is out of date. */
export async function stopLiveUpdates(pages: Page | BrowserContext): Promise<void> {
  await pages.routeWebSocket(/\/realtime\//, () => {});
}
