import { bookByApi, publishLessons } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, openCustomer } from '../support/people.ts';

declare global {
  interface Window {
    layoutShift: number;
  }
}

test('shows the tab bar on phones, inside and outside the areas [NAV-6]', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeDemo(page, 'customer@demo.test');
  for (const path of ['/', '/account', '/customer/discover']) {
    await page.goto(path);
    const tabs = page.getByRole('navigation', { name: 'Customer' });
    await expect(tabs.getByRole('link')).toHaveText(['Book', 'Bookings', 'Payment', 'My Coaches']);
    await expect(tabs).toBeInViewport();
  }
  await becomeDemo(page, 'coach@demo.test');
  await page.goto('/account');
  await expect(page.getByRole('navigation', { name: 'Coach' })).toBeInViewport();
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=payouts');
  const tabs = page.getByRole('navigation', { name: 'Customer' });
  await expect(tabs).toBeInViewport();
  const payable = page.getByRole('table', { name: 'Payable bookings' });
  await payable.getByRole('row').nth(1).scrollIntoViewIfNeeded();
  const create = page.getByRole('button', { name: 'Create payrun' });
  await expect(create).toBeInViewport({ ratio: 1 });
  const [bar, button] = [await tabs.boundingBox(), await create.boundingBox()];
  expect(button!.y + button!.height).toBeLessThanOrEqual(bar!.y);
});

test("keeps the dashboard's layout stable while the next lesson loads", async ({ page }) => {
  const person = await openCustomer();
  await becomePerson(page, person);
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window.layoutShift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const readShift = () => page.evaluate(() => window.layoutShift);
  const next = page.getByRole('region', { name: 'Next lesson' });
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await expect(next).toContainText('No lessons booked yet');
    expect(await readShift()).toBeLessThanOrEqual(0.02);
  }
  const [lesson] = await publishLessons();
  await bookByApi(person, lesson!);
  await page.goto('/');
  await expect(next).toContainText(lesson!.title);
  expect(await readShift()).toBeLessThanOrEqual(0.02);
});

test("shows toasts at a phone's top or a desktop's bottom right; lets taps through [UX-2]", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeDemo(page, 'customer@demo.test');
  await page.goto('/account');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Sam Sample ');
  await page.getByRole('textbox', { name: 'Full name' }).fill('Sam  Sample');
  await page.getByRole('button', { name: 'Save name' }).click();
  const toast = page.locator('[data-sonner-toast]').first();
  await expect(toast).toBeVisible();
  await expect
    .poll(async () => {
      const box = (await toast.boundingBox())!;
      return box.y >= 0 && box.y + box.height < 422;
    })
    .toBe(true);
  const isPressedThrough = await toast.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(isPressedThrough).toBe(true);
  await expect(toast).toHaveCount(0);

  // On a larger screen the toast is at the bottom right.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('textbox', { name: 'Full name' }).fill('Sam   Sample');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(toast).toBeVisible();
  await expect
    .poll(async () => {
      const { x, y, width, height } = (await toast.boundingBox())!;
      return 1280 - (x + width) < 40 && 800 - (y + height) < 40;
    })
    .toBe(true);
});
