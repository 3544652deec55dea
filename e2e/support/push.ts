import type { Page } from '@playwright/test';

/**
 * Simulates a person who has not been asked about notifications yet, and allows them when asked. Returns a function
 * that counts the page's requests for permission since it loaded. Headless Chromium can't show notifications, so it
 * always reports that they are denied.
 */
export async function permitNotifications(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = window as unknown as { asked: number };
    counted.asked = 0;
    const read = () => (sessionStorage.getItem('permission') ?? 'default') as NotificationPermission;
    Object.defineProperty(Notification, 'permission', { get: read });
    Notification.requestPermission = async () => {
      counted.asked += 1;
      sessionStorage.setItem('permission', 'granted');
      return 'granted';
    };
  });
  return () => page.evaluate(() => (window as unknown as { asked: number }).asked);
}

/** Makes the page forget that the person allowed notifications, once it is loaded again. */
export const forgetPermission = (page: Page) => page.evaluate(() => sessionStorage.removeItem('permission'));
