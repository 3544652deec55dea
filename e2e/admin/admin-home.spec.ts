import { readFile } from 'node:fs/promises';
import { defaultBrand } from '#domain/default-brand.ts';
import { addDays } from '#domain/time.ts';
import { call, openCustomer, openSession } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { becomeDemo, expect, newAddress, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';

test('asks before typed settings are dropped by a tab or a link [ADM-6e]', async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=settings');
  const name = page.getByRole('form', { name: 'Brand' }).getByLabel('Brand name');
  await expect(name).toHaveValue(defaultBrand);
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(page).toHaveURL(/tab=users/);
  await page.getByRole('tab', { name: 'Settings' }).click();

  await name.fill('Riverside');
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(question).toBeVisible();
  await inspect(page, 'discard typed settings');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Riverside');
  await expect(page).toHaveURL(/tab=settings/);

  // Arrow keys open tabs too.
  await page.getByRole('tab', { name: 'Settings' }).focus();
  await page.keyboard.press('ArrowLeft');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('banner').getByRole('link', { name: 'Admin', exact: true }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('Riverside');

  await page.getByRole('tab', { name: 'Users' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/tab=users/);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(name).toHaveValue(defaultBrand);
});

test('filters the audit log by days and exports the result [ROLE-6e]', async ({ page, request }) => {
  const fullName = `Dan ${newAddress().slice(8, 30)}`;
  const user = await openCustomer(request, { card: null, fullName });
  const admin = { email: '', fullName: '', session: await openSession(request, 'admin@demo.test') };
  const { id } = user.session.user as { id: string };
  await call(request, admin, 'PUT', `/api/admin/users/${id}/roles/coach`, { isHeld: true });
  await becomeDemo(page, 'admin@demo.test');
  const about = encodeURIComponent(user.email);
  await page.goto(`/admin/panel?about=${about}&from=${addDays(today(), 2)}`);
  await expect(page.getByText('No entries match this search')).toBeVisible();
  await page.goto(`/admin/panel?about=${about}&from=${addDays(today(), -1)}&to=${addDays(today(), 1)}`);
  const log = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(log).toHaveCount(2);
  await expect(log.first()).toContainText('When (London)');
  await expect(log.nth(1)).toContainText(new RegExp(`Role granted.*${fullName}`));
  await expect(page.getByLabel('Changed from')).toContainText(/\d/);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^audit-log-[\d-]+\.csv$/);
  const [, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`Role granted,profile,${fullName}`);
});

test('shows an admin what waits and leads there, or that nothing does [DASH-6]', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/dashboard');
  const waiting = page.getByRole('list', { name: 'Waiting for you' });
  const due = waiting.getByRole('link', { name: /to pay out$/ });
  await expect(due).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The platform, last 7 days' })).toBeVisible();
  await expect(page.getByText('Lessons Booked')).toBeVisible();
  await due.click();
  await expect(page).toHaveURL(/\/admin\/panel\?.*tab=payouts/);

  const path = '**/api/admin/home';
  await page.route(path, async (route) => {
    const answer = await route.fetch();
    const one = { refunds: 1, payruns: 1, lessons: 1, amountCents: 100, isMore: false };
    const some = { payoutsDue: one, givenUpRefunds: one, pendingPayruns: one, heldBookings: 1 };
    const person = { fullName: 'Ann Asker', email: 'ann@test.example', businessNames: 'Sample Park' };
    const json = { ...(await answer.json()), ...some, applicants: { people: [person], count: 1 } };
    await route.fulfill({ response: answer, json });
  });
  await page.goto('/dashboard');
  for (const [name, ...params] of [
    ['1 refund needs you', 'tab=payouts'],
    ['1 booking is held', 'tab=payouts'],
    ['1 payrun is pending', 'tab=payouts'],
    ['£1.00 ready to pay out', 'tab=payouts', 'ready=true'],
    ['Ann Asker wants to become a coach', 'tab=users', 'search=ann'],
  ] as const) {
    const href = await waiting.getByRole('link', { name, exact: true }).getAttribute('href');
    for (const part of ['/admin/panel?', ...params]) expect(href).toContain(part);
  }
  await page.unroute(path);
  await page.route(path, async (route) => {
    const answer = await route.fetch();
    const none = { refunds: 0, payruns: 0, lessons: 0, amountCents: 0, isMore: false };
    const empty = { payoutsDue: none, givenUpRefunds: none, pendingPayruns: none, heldBookings: 0 };
    const json = { ...(await answer.json()), ...empty, applicants: { people: [], count: 0 } };
    await route.fulfill({ response: answer, json });
  });
  await page.goto('/dashboard');
  await expect(page.getByText('Nothing waits for you.')).toBeVisible();
  await page.unroute(path);
  await page.route(path, (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Please try again.' } } }),
  );
  await page.goto('/dashboard');
  await expect(page.getByText("The platform's figures couldn't be loaded")).toBeVisible();
  expect(logged.join('\n')).toContain('Failed to fetch platform stats');
  await expect(page.getByText('Nothing waits for you.')).toHaveCount(0);
  await expect(page.getByText('Lessons Booked')).toBeVisible();
  await page.unroute(path);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(waiting).toBeVisible();
});
