import { expect, type Page } from '@playwright/test';
import { becomeDemo } from './people.ts';

/** Opens a tab of the admin panel as the demo's admin. */
export async function openTab(
  page: Page,
  tab: 'Overview' | 'Users' | 'Bookings' | 'Settings',
): Promise<void> {
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel');
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible();
  await page.getByRole('tab', { name: tab }).click();
}

/** The role switches of a person on the Users tab. */
export const rolesOf = (page: Page, name: string) => page.getByRole('group', { name: `Roles of ${name}` });
