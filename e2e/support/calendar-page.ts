import type { Locator, Page } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { call } from './api.ts';
import { shownDay } from './coaching.ts';
import { expect, waitForLayout } from './fixtures.ts';
import { becomePerson, type Person } from './people.ts';

/** The height of an hour in px. */
export const hour = 48;

/** Signs the coach in and opens the calendar. */
export async function openCalendar(page: Page, coach: Person, search: string): Promise<void> {
  await becomePerson(page, coach);
  await page.goto(`/coach/calendar?${search}`);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
  await waitForLayout(page);
}

/** Locates a lesson in the grid by its title. */
export const lesson = (page: Page, title: string) =>
  page.getByRole('grid').getByRole('link', { name: new RegExp(`^${title}, `) });
/** Locates a free time by its label, such as "Wednesday 24 November, 14:30". */
export const cell = (page: Page, text: string) =>
  page.getByRole('button', { name: `${text}, free. Add lessons` });
export const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Lesson Slots' });
/** Formats a date as "Wednesday 24 November", with the year if it is not the current year. */
export const longDay = (date: string) => shownDay(date, 'long');
/** Formats a date as "Wed 24 November", as in the label of a day's button. */
export const dayName = (date: string) => longDay(date).replace(/^(\w{3})\w*/, '$1');
/** Formats a date's month as "November 2026". */
export const monthName = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${date}T12:00:00Z`),
  );

/** An element's bounds in px; `top` is the distance from the top of the day. */
export async function boundsOf(page: Page, thing: Locator) {
  const day = await page.getByRole('grid').locator('tbody').elementHandle();
  // Measures both elements in one step, because the grid may scroll.
  return thing.evaluate((shown, body) => {
    const { x, y, width, height } = shown.getBoundingClientRect();
    const top = Math.round(y - body!.getBoundingClientRect().y);
    return { x, y, width, height: Math.round(height), top };
  }, day);
}

/** Cancels a lesson as its coach, through the API. */
export async function cancel(coach: Person, slotId: string): Promise<void> {
  await call(coach, lessonsApi.cancelSlot, { slotId, reason: 'Rain' });
}

/**
 * Drags a lesson with the mouse until its top is at `to.y` and the pointer at `to.x`, in px. Releases it unless `drop`
 * is false.
 */
export async function carry(
  page: Page,
  thing: Locator,
  to: { x: number; y: number },
  drop = true,
): Promise<void> {
  const box = (await thing.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 30, box.y + 20, { steps: 3 });
  await page.mouse.move(to.x, to.y + 10, { steps: 8 });
  if (drop) await page.mouse.up();
}
