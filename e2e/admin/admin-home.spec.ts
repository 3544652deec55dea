import { readFile } from 'node:fs/promises';
import { adminApi } from '#domain/admin/contract.ts';
import { adminHomeApi } from '#domain/admin/home-contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { siteTextTitles } from '#domain/pages.ts';
import { addDays } from '#domain/time.ts';
import { today } from '../support/coaching.ts';
import { boxesOf, expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomeDemo, newAddress, openCustomer, setRole } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

test('asks before a tab or a link discards typed settings [ADM-6e]', async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=settings');
  const name = page.getByRole('form', { name: 'Brand' }).getByLabel('Brand name');
  await expect(name).toHaveValue(defaultBrand);
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(page).toHaveURL(/tab=users/);
  await page.getByRole('tab', { name: 'Settings' }).click();

  await name.fill('Riverside');
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(question).toBeVisible();
  await inspect(page, 'discard typed settings');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Riverside');
  await expect(page).toHaveURL(/tab=settings/);

  // Arrow keys switch tabs as well, so they must trigger the same confirmation.
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

  for (const title of Object.values(siteTextTitles)) {
    await page.getByRole('radio', { name: title, exact: true }).check({ force: true });
    const text = page.getByLabel(`Text of the ${title} page`);
    await expect(text).toHaveValue(/./);
    await text.fill('Play fair.');
    await page.getByRole('tab', { name: 'Users' }).click();
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL(/tab=users/);
    await page.getByRole('tab', { name: 'Settings' }).click();
  }

  // The required checks are a setting on a tab of their own.
  await page.getByRole('tab', { name: 'Checks' }).click();
  const who = page.getByRole('form', { name: 'Required checks' }).getByLabel('Required of').first();
  const saved = await who.inputValue();
  await who.selectOption(saved === 'nobody' ? 'all' : 'nobody');
  await page.getByRole('tab', { name: 'Users' }).click();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/tab=users/);
  await page.getByRole('tab', { name: 'Settings' }).click();

  await name.fill('Riverside');
  const book = page.getByRole('banner').getByRole('link', { name: 'Book', exact: true });
  await book.click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('Riverside');
  await expect(page).toHaveURL(/tab=settings/);
  await book.click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/customer\/discover/);
});

test('asks before a sign-out discards typed settings', async ({ page }) => {
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=settings');
  const name = page.getByRole('form', { name: 'Brand' }).getByLabel('Brand name');
  await name.fill('Riverside');
  const signOut = page.getByRole('banner').getByRole('button', { name: 'Sign Out' });
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await signOut.click();
  await expect(question).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('app.session'))).not.toBeNull();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Riverside');
  await expect(signOut).toBeEnabled();

  await signOut.click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.waitForURL('/');
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  expect(asked).toEqual([]);
});

test('filters the audit log by date, exports the result and shows record names [ROLE-6d, ROLE-6e]', async ({
  page,
}) => {
  const fullName = `Dan ${newAddress().slice(8, 30)}`;
  const user = await openCustomer({ card: null, fullName });
  await setRole(user, 'coach', true);
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

  const record = {
    subject: null,
    subjectType: 'location',
    subjectName: 'Court 3',
    before: null,
    after: null,
  };
  await changeResponse(page, adminApi.listAudit, (found) => ({
    ...found,
    entries: found.entries.map(({ actor, ...entry }) => ({
      ...{ ...entry, ...record },
      actor: actor && { ...actor, fullName: 'Deleted account' },
    })),
  }));
  await page.goto(`/admin/panel?about=${about}`);
  await expect(log).toHaveCount(2);
  await expect(log.nth(1).getByRole('cell')).toHaveText(
    [/\d\d:\d\d$/, 'Deleted account', 'Role granted Location: Court 3', '–', '–'],
    { useInnerText: true },
  );
  const choose = async (label: string, date: string) => {
    await page.getByLabel(label).click();
    const day = page.getByRole('dialog', { name: 'Calendar' }).locator(`[data-day="${date}"]`);
    await day.getByRole('button').click();
  };
  const date = today();
  await choose('Changed from', date);
  await expect(page).toHaveURL((url) => url.searchParams.get('from') === date);
  await choose('Changed to', date);
  await expect(page).toHaveURL((url) => url.searchParams.get('to') === date);
});

test('links an admin to outstanding work, or says that there is none [DASH-6]', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/dashboard');
  const waiting = page.getByRole('list', { name: 'Waiting for you' });
  const due = waiting.getByRole('link', { name: /to pay out$/ });
  await expect(due).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The platform, last 7 days' })).toBeVisible();
  const parts = [
    waiting,
    page.getByRole('heading', { name: 'The platform, last 7 days' }),
    page.getByRole('heading', { name: 'No upcoming lessons' }),
    page.getByText('Lessons Booked', { exact: true }),
  ];
  for (const part of parts) await expect(part).toBeVisible();
  const tops = (await boxesOf(page, ...parts)).map(({ y }) => y);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await due.click();
  await expect(page).toHaveURL(/\/admin\/panel\?.*tab=payouts/);

  const one = { refunds: 1, payruns: 1, lessons: 1, amountCents: 100, isMore: false };
  const busy = await changeResponse(page, adminHomeApi.getAdminHome, (home) => ({
    ...home,
    ...{ payoutsDue: one, failedRefunds: one, pendingPayruns: one, withheldBookings: 1 },
    openDisputes: { disputes: 1, dueBy: '2030-01-01T12:00:00Z' },
    ...{
      welfareConcerns: 1,
      waitingDocuments: 2,
      waitingApplications: 1,
      reviewCases: { open: 2, overdue: 1 },
    },
    week: { bookings: 31, revenueCents: 150_000, feeCents: 3000, newUsers: 4 },
  }));
  await page.goto('/dashboard');
  const links: [string, Record<string, string>, string?][] = [
    ['1 welfare concern is waiting for you', {}, '/welfare-concerns'],
    ['1 refund needs attention', { tab: 'payouts' }],
    ['1 dispute needs an answer', { tab: 'payouts' }],
    ['1 booking is withheld from payout', { tab: 'payouts' }],
    ['1 payrun is pending', { tab: 'payouts' }],
    ['£1.00 ready to pay out', { tab: 'payouts', ready: 'true' }],
    ["2 coaches' documents are waiting for you", { tab: 'verification' }],
    ['1 application is waiting for a decision', { tab: 'applications' }],
    ['2 cases about reviews are waiting for a decision', { tab: 'reviews' }],
  ];
  await expect(waiting.getByRole('link')).toHaveText(links.map(([name]) => name));
  for (const [name, params, path = '/admin/panel'] of links) {
    const href = await waiting.getByRole('link', { name, exact: true }).getAttribute('href');
    const { pathname, searchParams } = new URL(href!, page.url());
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([path, params]);
  }
  await expect(waiting.getByText(/^1 overdue/)).toBeVisible();
  const week = page.locator('section', { has: page.getByRole('heading', { name: /last 7 days$/ }) });
  await expect(week.getByRole('term')).toHaveText(['Bookings', 'Revenue', 'Fees', 'New users']);
  await expect(week.getByRole('definition')).toHaveText(['31', '£1,500.00', '£30.00', '4']);
  const nothing = page.getByText('Nothing to do right now.', { exact: true });
  await expect(nothing).toHaveCount(0);
  await busy.release();
  const none = { refunds: 0, payruns: 0, lessons: 0, amountCents: 0, isMore: false };
  const idle = await changeResponse(page, adminHomeApi.getAdminHome, (home) => ({
    ...home,
    ...{ payoutsDue: none, failedRefunds: none, pendingPayruns: none, withheldBookings: 0 },
    openDisputes: { disputes: 0, dueBy: null },
    ...{
      welfareConcerns: 0,
      waitingDocuments: 0,
      waitingApplications: 0,
      reviewCases: { open: 0, overdue: 0 },
    },
  }));
  await page.goto('/dashboard');
  await expect(nothing).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await idle.release();
  await stopLiveUpdates(page);
  const failing = await failResponse(page, adminHomeApi.getAdminHome, { code: 'conflict' });
  await page.goto('/dashboard');
  await expect(page.getByText("Failed to load the platform's figures")).toBeVisible();
  await expect.poll(() => logged.join('\n')).toContain('Failed to fetch platform stats');
  await expect(nothing).toHaveCount(0);
  await expect(page.locator('dl dt')).toHaveText(['Lessons Booked', 'Upcoming', 'Total Hours']);
  for (const name of [
    'Welcome back, Ada Admin!',
    'No upcoming lessons',
    'Recent Activity',
    'Quick Actions',
  ]) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  await failing.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(waiting).toBeVisible();
});
