import { adminApi } from '#domain/admin/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomeDemo, newAddress, openCustomer } from '../support/people.ts';
import { holdResponse } from '../support/responses.ts';

test('keeps showing an added role when an older list arrives after the change', async ({ page }) => {
  const fullName = `Una ${newAddress().slice(8, 30)}`;
  const user = await openCustomer({ card: null, fullName });
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=users');
  const search = page.getByRole('searchbox', { name: 'Search by name or email' });
  const table = page.getByRole('table', { name: 'Users' });
  await search.fill(fullName);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).not.toHaveAttribute('aria-busy');
  // Other tests add people, and the page then refetches the list of the previous search.
  const searched = new RegExp(`${adminApi.listUsers.path}\\?.*search=${encodeURIComponent(user.email)}`);
  const answer = await holdResponse(page, searched, { once: true });
  await search.fill(user.email);
  await answer.arrived;
  const coach = page
    .getByRole('group', { name: `Roles of ${fullName}` })
    .getByRole('button', { name: 'Coach' });
  // Uses the keyboard, because the rows of a previous search ignore the pointer.
  await coach.press('Enter');
  await expect(page.getByText('Role added')).toBeVisible();
  await answer.release();
  // The table no longer shows the results of the previous search.
  await expect(table).not.toHaveAttribute('aria-busy');
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
});

test('ignores clicks on rows of the previous search', async ({ page }) => {
  const fullName = `Una ${newAddress().slice(8, 30)}`;
  const user = await openCustomer({ card: null, fullName });
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
  // Clicks before the search starts and again while the search is pending.
  await page.clock.pauseAt(Date.now() + 10_000);
  // Other tests add people, and the page then refetches the list of the previous search.
  const searched = new RegExp(`${adminApi.listUsers.path}\\?.*search=${encodeURIComponent(user.email)}`);
  const answer = await holdResponse(page, searched, { once: true });
  await search.fill(user.email);
  await pressAtPosition();
  await page.clock.resume();
  await answer.arrived;
  await pressAtPosition();
  await answer.release();
  await coach.click();
  await expect(page.getByText('Role added')).toBeVisible();
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
  expect(changes).toBe(1);
});

test('keeps saved settings when an older response arrives after the save', async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=settings');
  const form = page.getByRole('form', { name: 'Cancellation policy' });
  const hours = form.getByLabel('Full refund until');
  await expect(hours).toHaveValue('24');
  // Returning to the page after 45 s refetches the settings. The delayed response predates the save.
  const answer = await holdResponse(page, settingsApi.getSettings, {
    once: true,
    change: (settings) => ({
      ...settings,
      cancellationPolicy: { freeUntilHours: 48, lateRefundPercent: 0, refundsEnabled: true },
    }),
  });
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/admin/settings');
  await page.clock.setFixedTime(Date.now() + 45_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const arrived = asked.then((one) => one.response().catch(() => null));
  await answer.arrived;
  await form.getByRole('button', { name: 'Save cancellation policy' }).click();
  await expect(page.getByText('Cancellation policy saved')).toBeVisible();
  await answer.release();
  await arrived;
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(hours).toHaveValue('24');
});

test('keeps text typed while a search is running', async ({ page }) => {
  // Simulates a key pressed at the moment when the first text is written to the URL.
  await page.addInitScript(() => {
    for (const way of ['pushState', 'replaceState'] as const) {
      const go = history[way].bind(history);
      history[way] = (state, unused, url) => {
        go(state, unused, url);
        const field = document.querySelector<HTMLInputElement>('input[type=search]');
        if (field?.value !== 'admin' || !String(url).includes('search=admin')) return;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'admin@demo');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
    }
  });
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=users');
  const search = page.getByRole('searchbox', { name: 'Search by name or email' });
  await search.fill('admin');
  await expect(page).toHaveURL((url) => url.searchParams.get('search') === 'admin@demo');
  await expect(search).toHaveValue('admin@demo');
});
