import type { Page } from '@playwright/test';
import {
  becomePerson,
  bookByApi,
  bookingOf,
  confirmButton,
  type Lesson,
  openCustomer,
  type Person,
  publishLessons,
  testCards,
  toast,
} from './club.ts';
import { expect, expectNoViolations, test } from './fixtures.ts';

/** Goes through every customer screen and dialog, calling `look` on each once it shows what it is for. */
async function visitAll(
  page: Page,
  { person, lesson, bookingId }: { person: Person; lesson: Lesson; bookingId: string },
  look: (name: string) => Promise<void>,
): Promise<void> {
  const dialog = page.getByRole('dialog');
  const main = page.getByRole('main');
  await page.goto(bookingOf(lesson));
  await expect(dialog).toContainText('Login Required');
  await look('sign in first');

  await becomePerson(page, person);
  await page.goto('/customer/discover?type=group');
  await expect(main.getByRole('listitem').first()).toBeVisible();
  await look('discover');
  await page.goto('/customer/discover?search=nothing-like-this&type=group');
  await expect(page.getByText('No lessons fit these filters')).toBeVisible();
  await look('no lessons');
  await page.goto(`/customer/discover?lesson=${lesson.slotId}`);
  await expect(dialog).toContainText('shoes that grip');
  await look('lesson');
  await page.goto(bookingOf(lesson));
  await expect(confirmButton(page)).toBeVisible();
  await look('booking');
  await confirmButton(page).click();
  await expect(page.frameLocator('iframe').getByText('Confirm it’s you')).toBeVisible();
  await look('bank');
  await page.getByRole('button', { name: 'Stop without confirming' }).click();
  await expect(dialog.getByRole('alert')).toContainText('not finished');
  await look('booking failed');

  await page.goto('/customer/my-bookings');
  await expect(main).toContainText('Next lesson');
  await look('my bookings');
  await page
    .getByRole('button', { name: /^Cancel Booking/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look('cancel');
  await page.goto(`/customer/bookings/${bookingId}`);
  await expect(main).toContainText('Booking no.');
  await look('receipt');
  await page.goto('/customer/dashboard');
  await expect(main).toContainText('Next lesson');
  await look('dashboard');
  await page.goto('/customer/payment-methods');
  await expect(main).toContainText('Visa ending 3184');
  await look('payment methods');
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByText('Type month and year')).toBeVisible();
  await look('card form');
}

/** A customer whose bank asks, with one lesson booked and another one to book. */
async function prepare(request: Parameters<typeof openCustomer>[0]) {
  const [booked] = await publishLessons(request, { places: 3, priceCents: 0 });
  const [lesson] = await publishLessons(request, { places: 3 });
  const person = await openCustomer(request, { card: testCards.asksAlways });
  return { person, lesson: lesson!, bookingId: await bookByApi(request, person, booked!) };
}

test('[NAV-9] no customer screen or dialog breaks a serious rule of accessibility', async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme: 'light' });
  await visitAll(page, await prepare(request), () => expectNoViolations(page));
});

test('[NAV-9] every customer screen and dialog can be read at night', async ({ page, request }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme: 'dark' });
  // What the theme changes is colour.
  await visitAll(page, await prepare(request), () => expectNoViolations(page, ['color-contrast']));
});

test('[UX-5] every customer screen fits a phone of 360 px, with targets for a finger', async ({
  browser,
  request,
}) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await visitAll(page, await prepare(request), async (name) => {
    const { overflow, small } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      small: [
        ...document.querySelectorAll<HTMLElement>(
          'main button, [role=dialog] button, main input, main select',
        ),
      ]
        .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 36)
        .map((control) => control.outerHTML.slice(0, 120)),
    }));
    expect({ overflow, small }, name).toEqual({ overflow: 0, small: [] });
  });
  await context.close();
});

test('[NAV-9] a lesson is found, booked and cancelled with the keyboard alone', async ({ page, request }) => {
  const [lesson] = await publishLessons(request);
  await becomePerson(page, await openCustomer(request));
  await page.goto('/customer/discover');
  const press = (key: string) => page.keyboard.press(key);
  const tabTo = async (name: RegExp) => {
    await expect
      .poll(
        async () => {
          await press('Tab');
          return page.evaluate(() => {
            const { activeElement } = document;
            return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
          });
        },
        { intervals: [50] },
      )
      .toMatch(name);
  };
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search lessons' }).filter({ visible: true }).focus();
  await page.keyboard.type(lesson!.title);
  await expect(page.getByRole('status').filter({ hasText: /^1 lesson$/ })).toBeVisible();
  await tabTo(new RegExp(`^Book Lesson: ${lesson!.title}`));
  await press('Enter');
  await expect(confirmButton(page)).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('link', { name: `Book Lesson: ${lesson!.title}` })).toBeFocused();
  await press('Enter');
  await expect(confirmButton(page)).toBeVisible();
  await tabTo(/^Confirm Booking/);
  await press('Enter');
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
  await tabTo(/^View My Bookings/);
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My bookings');
  await tabTo(/^Cancel Booking/);
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Keep Booking' })).toBeFocused();
  await tabTo(/^Cancel Booking$/);
  await press('Enter');
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
});
