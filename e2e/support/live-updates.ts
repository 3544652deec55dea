import type { BrowserContext, Page } from '@playwright/test';

/** Blocks live updates, for tests of pages that show outdated data or a failed load. */
export async function stopLiveUpdates(pages: Page | BrowserContext): Promise<void> {
  await pages.routeWebSocket(/\/realtime\//, () => {});
}
