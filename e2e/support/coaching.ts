import type { Locator, Page } from '@playwright/test';
import { addDays, wallTimeOf, weekdayOf } from '#domain/time.ts';
import { expect } from './fixtures.ts';

/** Today's date in London. */
export const today = () => wallTimeOf(Date.now()).date;

/** A random day after the demo club's lessons, so that runs on the same database use different days. */
export const someDay = () => addDays(today(), 200 + Math.floor(Math.random() * 400));
/** A title that no other run has used. */
export const unique = (title: string) => `${title} ${Date.now().toString(36)}`;

/** The last Sunday of this month in the first year in which it is more than five weeks ahead. */
function nextLastSunday(month: '03' | '10'): string {
  for (let year = Number(today().slice(0, 4)); ; year += 1) {
    const last = `${year}-${month}-31`;
    const sunday = addDays(last, -(weekdayOf(last) % 7));
    if (sunday > addDays(today(), 35)) return sunday;
  }
}

/** The first day more than five weeks ahead on which London's clocks skip 01:00–02:00. */
export const nextSpringChange = () => nextLastSunday('03');
/** The first day more than five weeks ahead on which London's clocks show 01:00–02:00 twice. */
export const nextAutumnChange = () => nextLastSunday('10');

/** Formats a date as screens do: "Wed 7 Apr 2027" or "Wednesday 7 April 2027", without the year if it is this year. */
export function shownDay(date: string, length: 'short' | 'long' = 'short'): string {
  const isThisYear = date.slice(0, 4) === today().slice(0, 4);
  return new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'UTC', weekday: length, day: 'numeric', month: length },
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
    .format(new Date(`${date}T12:00:00Z`))
    .replace(',', '');
}

/** The London time, such as "09:05", this many minutes after an instant. */
export function clockAt(instant: string, minutesLater = 0): string {
  const { hour, minute } = wallTimeOf(Date.parse(instant) + minutesLater * 60_000);
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Creates a lesson template through the screens. */
export async function createTemplate(
  page: Page,
  template: { title: string; minutes?: string; price?: string; isGroup?: boolean; description?: string },
) {
  await page.goto('/coach/templates');
  await page.getByRole('button', { name: 'Create New Template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Template' });
  await dialog.getByLabel('Title').fill(template.title);
  await dialog.getByLabel('Description').fill(template.description ?? '');
  if (template.minutes) await dialog.getByLabel('Duration').fill(template.minutes);
  if (template.price) await dialog.getByLabel('Price').fill(template.price);
  if (template.isGroup) await dialog.getByRole('radio', { name: 'Group' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the calendar at a date, then the dialog for new slots, and selects the template. */
export async function openCreateSlots(page: Page, date: string, title: string) {
  await page.goto(`/coach/calendar?date=${date}`);
  await page.getByRole('button', { name: 'Create Slots' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Lesson Slots' });
  const option = dialog.getByRole('option', { name: title });
  await dialog.getByLabel('Lesson template').selectOption(await option.getAttribute('value'));
  return dialog;
}

/** Adds a location in the dialog for new slots, which then selects the new location. */
export async function addLocation(dialog: Locator, location: string) {
  await dialog.getByRole('button', { name: 'Add a location' }).click();
  await dialog.getByLabel('Name').fill(location);
  await dialog.getByLabel('Address').fill('14 Park Road');
  await dialog.getByLabel('Town').fill('Leeds');
  await dialog.getByLabel('Postcode').fill('ls6 3aa');
  await dialog.getByRole('button', { name: 'Save location' }).click();
  const select = dialog.getByRole('combobox', { name: /^Location/ });
  await expect(select.locator('option:checked')).toHaveText(`${location}, Leeds`);
}

/** Selects the start time in the dialog for new slots. */
export async function chooseTime(page: Page, hour: string, minute: string) {
  await page.getByLabel('Hour').selectOption(hour);
  await page.getByLabel('Minutes').selectOption(minute);
}
