import type { Page } from '@playwright/test';
import { openCustomer } from '../support/club.ts';
import { becomeDemo, expect, newAddress, test } from '../support/fixtures.ts';

/** Delays the next response of this URL, changed if needed, as a slow connection does; `release` delivers it. */
async function holdAnswer(page: Page, pathname: string, change = (answer: object) => answer) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let finish = () => {};
  const isHeld = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await page.route(
    (url) => url.pathname === pathname,
    async (route) => {
      const response = await route.fetch();
      const json = change(await response.json());
      finish();
      await released;
      await route.fulfill({ response, json });
    },
    { times: 1 },
  );
  return { isHeld, release };
}

test('a list that was asked for before a role was switched does not take the change back', async ({
  page,
  request,
}) => {
  const fullName = `Una ${newAddress().slice(8, 30)}`;
  const user = await openCustomer(request, { card: null, fullName });
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=users');
  const search = page.getByRole('searchbox', { name: 'Search by name or email' });
  const table = page.getByRole('table', { name: 'Users' });
  await search.fill(fullName);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).not.toHaveAttribute('aria-busy');
  const answer = await holdAnswer(page, '/api/admin/users');
  await search.fill(user.email);
  await answer.isHeld;
  const coach = page
    .getByRole('group', { name: `Roles of ${fullName}` })
    .getByRole('button', { name: 'Coach' });
  // With the keyboard: pointers cannot press the rows of a previous search.
  await coach.press('Enter');
  await expect(page.getByText('Role added')).toBeVisible();
  answer.release();
  // The list is not that of the previous search any more.
  await expect(table).not.toHaveAttribute('aria-busy');
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
});

test('ignores presses on rows of the previous search', async ({ page, request }) => {
  const fullName = `Una ${newAddress().slice(8, 30)}`;
  const user = await openCustomer(request, { card: null, fullName });
  let changes = 0;
  page.on('request', (asked) => {
    if (asked.method() === 'PUT') changes += 1;
  });
  await becomeDemo(page, 'admin@demo.test');
  await page.clock.install();
  await page.goto('/admin/panel?tab=users');
  const search = page.getByRole('searchbox', { name: 'Search by name or email' });
  const table = page.getByRole('table', { name: 'Users' });
  await search.fill(fullName);
  await expect(table.getByRole('row')).toHaveCount(2);
  const coach = page
    .getByRole('group', { name: `Roles of ${fullName}` })
    .getByRole('button', { name: 'Coach' });
  await expect(coach).toHaveAttribute('aria-pressed', 'false');
  const pressAtPosition = async () => {
    const { x, y } = (await coach.boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
  };
  await coach.hover();
  // Typed, but not searched for yet; then pending.
  await page.clock.pauseAt(Date.now() + 10_000);
  const answer = await holdAnswer(page, '/api/admin/users');
  await search.fill(user.email);
  await pressAtPosition();
  await page.clock.resume();
  await answer.isHeld;
  await pressAtPosition();
  answer.release();
  await coach.click();
  await expect(page.getByText('Role added')).toBeVisible();
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
  expect(changes).toBe(1);
});

test('settings that were asked for before a save do not take it back', async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=settings');
  const form = page.getByRole('form', { name: 'Cancellation policy' });
  const hours = form.getByLabel('Full refund until');
  await expect(hours).toHaveValue('24');
  // Data that was read a minute ago is read again on return to the page; this late response is from before the save.
  const answer = await holdAnswer(page, '/api/admin/settings', (settings) => ({
    ...settings,
    cancellationPolicy: { freeUntilHours: 48, lateRefundPercent: 0, refundsEnabled: true },
  }));
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/admin/settings');
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const arrived = asked.then((one) => one.response().catch(() => null));
  await answer.isHeld;
  await form.getByRole('button', { name: 'Save cancellation policy' }).click();
  await expect(page.getByText('Cancellation policy saved')).toBeVisible();
  answer.release();
  await arrived;
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(hours).toHaveValue('24');
});
