import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Moves the focus to a control with Tab alone, in at most 150 steps. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  // The element is located once, because finding it by role at each step takes ten times as long as the step.
  let control = await target.elementHandle();
  for (let steps = 0; steps < 150; steps += 1) {
    const state = await control!.evaluate((element) => {
      if (element === document.activeElement) return 'reached';
      return element.isConnected ? 'elsewhere' : 'gone';
    });
    if (state === 'reached') return;
    if (state === 'gone') control = await target.elementHandle();
    await page.keyboard.press('Tab');
  }
  await expect(target, 'reached with Tab').toBeFocused();
}

/** Moves to a control with Tab and presses a key there. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Tabs to a field and replaces its text. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
