import { adminApi } from '#domain/admin/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { openTab, rolesOf } from '../support/admin-panel.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { shownDay } from '../support/coaching.ts';
import { readEmail } from '../support/emails.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomeDemo, becomePerson, newAddress, openCustomer, openDemo, signIn } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';
import { quickActions } from '../support/screens.ts';

test("links an admin's quick actions to their screens [DASH-3a, DASH-3c]", async ({ page }) => {
  await signIn(page, 'admin@demo.test');
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard');
  for (const [name, path] of [
    ['Book a Lesson', '/customer/discover'],
    ['View My Bookings', '/my-bookings'],
    ['Payment Methods', '/customer/payment-methods'],
    ['Admin Panel', '/admin/panel'],
  ] as const) {
    const link = quickActions(page).getByRole('link', { name, exact: true });
    await expect(link).toHaveText(name);
    await expect(link).toHaveAttribute('href', path);
  }
  await expect(page.getByRole('link', { name: 'Coach Dashboard' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Admin Panel' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible();
  await becomeDemo(page, 'coach@demo.test');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Coach Dashboard', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0);
});

test('keeps the selected tab in the URL [ADM-1]', async ({ page }) => {
  await openTab(page, 'Users');
  const tabs = page.getByRole('tablist', { name: 'Admin Panel' }).getByRole('tab');
  await expect(tabs).toHaveText([
    ...['Overview', 'Users', 'Applications', 'Bookings', 'Payouts', 'Settings', 'Checks', 'Pictures'],
    'Reviews',
  ]);
  const inAddress = (tab: string) =>
    expect(page).toHaveURL((url) => url.pathname === '/admin/panel' && url.searchParams.get('tab') === tab);
  await inAddress('users');
  const contents = [
    page.getByRole('heading', { name: 'Last 30 days' }),
    page.getByRole('combobox', { name: 'Role' }),
    page.getByRole('heading', { name: 'Applications', exact: true }),
    page.getByRole('searchbox', { name: /^Search by reference/ }),
    page.getByRole('searchbox', { name: 'Search by coach' }),
    page.getByRole('form', { name: 'Platform fee' }),
    page.getByRole('heading', { name: 'Documents to check' }),
    page.getByRole('heading', { name: 'Reported pictures' }),
    page.getByRole('heading', { name: 'Reviews', exact: true }),
  ];
  const names = [
    ...['overview', 'users', 'applications', 'bookings', 'payouts', 'settings', 'verification'],
    ...['pictures', 'reviews'],
  ];
  for (const [index, tab] of names.entries()) {
    await tabs.nth(index).click();
    await inAddress(tab);
    await page.reload();
    await expect(tabs.nth(index)).toHaveAttribute('aria-selected', 'true');
    await expect(contents[index]!).toBeVisible();
    for (const [other, content] of contents.entries()) {
      await expect(content).toBeVisible({ visible: other === index });
    }
  }
  await tabs.nth(7).click();
  await page.keyboard.press('ArrowLeft');
  await inAddress('verification');
  await page.goBack();
  await inAddress('pictures');
  await expect(tabs.nth(7)).toHaveAttribute('aria-selected', 'true');
  for (const path of ['/admin/panel?tab=nonsense', '/admin/panel']) {
    await page.goto(path);
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
    await expect(contents[0]!).toBeVisible();
  }
});

test("shows the overview's real figures as bars and as a table [ADM-8]", async ({ page }) => {
  /** Reads the figures of the last two days by date, because midnight may pass between two reads. */
  const readDays = async () => {
    await page.getByText('Show the figures as a table').click();
    const rows = page.getByRole('table', { name: 'Figures by day' }).locator('tbody tr');
    await expect(rows.nth(1)).toBeVisible();
    const texts = await rows.evaluateAll((all) =>
      all.slice(0, 2).map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    );
    return new Map(
      texts.map(([day, ...figures]) => [day!, figures.map((text) => Number(text.replace(/[£,]/g, '')))]),
    );
  };
  await openTab(page, 'Overview');
  for (const label of ['Bookings', 'Revenue', 'Fees', 'New users', 'Lessons']) {
    await expect(page.getByRole('img', { name: new RegExp(`^${label} by day`) })).toBeVisible();
  }
  await expect(page.getByText('Payouts due')).toBeVisible();
  const before = await readDays();

  const customer = await openCustomer();
  // Costs more than what other tests may refund in the meantime, because revenue is net of refunds.
  const [lesson] = await publishLessons({ priceCents: 50_000 });
  await bookByApi(customer, lesson!);
  await page.reload();
  const after = await readDays();
  const [bookings, revenue, fees, newUsers] = [0, 1, 2, 3].map((column) =>
    [...after].reduce((sum, [day, figures]) => sum + figures[column]! - (before.get(day)?.[column] ?? 0), 0),
  );
  expect(bookings).toBeGreaterThanOrEqual(1);
  expect(revenue).toBeGreaterThanOrEqual(50);
  expect(fees).toBeGreaterThan(0);
  expect(newUsers).toBeGreaterThanOrEqual(1);

  // Serves fixed figures, because other tests change the real ones.
  const day = { bookings: 3, revenueCents: 15_050, feeCents: 301, newUsers: 4, lessons: 5 };
  const none = { bookings: 0, revenueCents: 0, feeCents: 0, newUsers: 0, lessons: 0 };
  const double = { bookings: 6, revenueCents: 30_100, feeCents: 602, newUsers: 8, lessons: 10 };
  await changeResponse(page, adminApi.getOverview, ({ days }) => ({
    // On the last day, every figure is twice as high as on the day before. On all earlier days, the figures are zero.
    days: days.map(({ date }, index) => ({ date, ...[none, day, double][Math.max(0, index - 27)]! })),
    payoutsDueCents: 123_456,
  }));
  await page.reload();
  const figure = (label: string) =>
    page.getByRole('main').locator('dl', { has: page.locator('dt').getByText(label, { exact: true }) });
  for (const [label, total, most] of [
    ['Bookings', '9', '6'],
    ['Revenue', '£451.50', '£301.00'],
    ['Fees', '£9.03', '£6.02'],
    ['New users', '12', '8'],
    ['Lessons', '15', '10'],
  ] as const) {
    await expect(figure(label).locator('dd span').first()).toHaveText(total);
    const bars = page.getByRole('img', { name: new RegExp(`^${label} by day`) });
    await expect(bars).toHaveAccessibleName(new RegExp(`: highest on .+, at ${most}$`));
    const heights = await bars
      .locator('g > rect:first-child')
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height));
    expect(heights.map((height) => height > 0)).toEqual(Array.from({ length: 30 }, (_, day) => day > 27));
    expect(heights[29]! / heights[28]!).toBeCloseTo(2, 1);
  }
  await expect(figure('Payouts due').locator('dd span').first()).toHaveText('£1,234.56');
  await page.getByText('Show the figures as a table').click();
  const cells = page.getByRole('table', { name: 'Figures by day' }).locator('tbody tr').first().locator('td');
  await expect(cells).toHaveText([/\d/, '6', '£301.00', '£6.02', '8', '10']);
});

test('finds a user, adds and removes a role and lists both changes in the audit log [ADM-2, ROLE-6b, ROLE-6e]', async ({
  page,
}) => {
  const fullName = `Una ${newAddress().slice(8, 30)}`;
  const user = await openCustomer({ card: null, fullName });
  // Other tests sign people up at the same time, so the rows are compared with the latest response, which the server
  // sorts.
  let newest: string[] = [];
  const list = await changeResponse(page, adminApi.listUsers, (answer) => {
    newest = answer.users.map(({ email }) => email);
    return answer;
  });
  await openTab(page, 'Users');
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)).toContainText(/\w/);
  expect(newest).toContain(user.email);
  const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr');
  await expect(async () => {
    const texts = await rows.allInnerTexts();
    for (const [index, email] of newest.entries()) expect(texts[index]).toContain(email);
  }).toPass();
  await list.release();
  const search = page.getByRole('searchbox', { name: 'Search by name or email' });
  await search.fill('nobody-has-such-a-name');
  await expect(page.getByText('No people match this search')).toBeVisible();
  for (const typed of [fullName.slice(4).toUpperCase(), user.email]) {
    await search.fill(typed);
    await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('table', { name: 'Users' })).toContainText(fullName);
    await expect(page).toHaveURL((url) => url.searchParams.get('search') === typed);
  }

  const roles = rolesOf(page, fullName).getByRole('button');
  await expect(roles).toHaveText(['Customer', 'Coach', 'Admin']);
  for (const [index, isHeld] of [true, false, false].entries()) {
    await expect(roles.nth(index)).toHaveAttribute('aria-pressed', String(isHeld));
  }
  const coach = rolesOf(page, fullName).getByRole('button', { name: 'Coach' });
  await coach.click();
  await expect(page.getByText('Role added')).toBeVisible();
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
  await coach.click();
  await expect(page.getByText('Role removed')).toBeVisible();
  await expect(coach).toHaveAttribute('aria-pressed', 'false');

  // Uses a date in summer, when London's time is an hour ahead of UTC.
  await changeResponse(page, adminApi.listAudit, (page) => ({
    ...page,
    entries: page.entries.map((entry) => ({ ...entry, at: '2026-07-01T22:30:00.000Z' })),
  }));
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('searchbox', { name: 'Search by person or ID' }).fill(user.email);
  const log = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(log).toHaveCount(3);
  await expect(page).toHaveURL((url) => url.searchParams.get('about') === user.email);
  for (const [row, what, before, after] of [
    [1, 'Role revoked', 'roles: customer, coach', 'roles: customer'],
    // The person had not applied to be a coach.
    [2, 'Role granted', 'roles: customer', 'roles: customer, coach\nmissing: No application'],
  ] as const) {
    const when = `${shownDay('2026-07-01')}, 23:30`;
    // Reads only visible text: each cell also contains its column's name, which only small screens show.
    await expect(log.nth(row).getByRole('cell')).toHaveText(
      [when, 'Ada Admin', `${what} ${fullName}`, before, after],
      { useInnerText: true },
    );
  }
  await page.getByLabel('Kind').selectOption('People and roles');
  await expect(page).toHaveURL((url) => url.searchParams.get('kind') === 'people');
  await expect(log).toHaveCount(3);
  await page.getByLabel('Kind').selectOption('Settings');
  await expect(page).toHaveURL((url) => url.searchParams.get('kind') === 'settings');
  await expect(page.getByText('No entries match this search')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No entries match this search')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search by person or ID' })).toHaveValue(user.email);
});

test('signs a person out everywhere after explaining the consequences', async ({ page, browser }) => {
  const fullName = `Sid ${newAddress().slice(8, 30)}`;
  const person = await openCustomer({ card: null, fullName });
  await openDemo(person.email);
  const elsewhere = await (await browser.newContext()).newPage();
  await becomePerson(elsewhere, person);
  await elsewhere.goto('/customer/dashboard');
  await expect(elsewhere.getByRole('heading', { name: /^Welcome back/ })).toBeVisible();

  await openTab(page, 'Users');
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('admin@demo.test');
  await expect(page.getByRole('row').filter({ hasText: '(you)' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out .* everywhere$/ })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(person.email);
  const opener = page.getByRole('button', { name: `Sign out ${fullName} everywhere` });
  await opener.click();
  const dialog = page.getByRole('alertdialog', { name: `Sign ${fullName} out everywhere?` });
  await expect(dialog).toContainText('Their password still works.');
  await inspect(page, 'sign out a person');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText(`${fullName}: 2 browsers.`)).toBeVisible();
  await expect(dialog).toBeHidden();
  await readEmail(person.email, /^You were signed out of/);
  await opener.click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText(`${fullName} isn't signed in anywhere.`)).toBeVisible();

  await elsewhere.reload();
  await expect(elsewhere.getByRole('heading', { name: "You're signed out" })).toBeVisible();
  await elsewhere.context().close();
  await page.goto(`/admin/panel?about=${encodeURIComponent(person.email)}`);
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1)).toContainText(
    /Sessions ended.*browsers: 2.*browsers: 0$/,
  );
});

test("warns of booked lessons and asks for a successor before removing a coach's role", async ({ page }) => {
  const customer = await openCustomer();
  const [lesson] = await publishLessons();
  await bookByApi(customer, lesson!);
  await openTab(page, 'Users');
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('coach@demo.test');
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2);
  const coach = page
    .getByRole('table', { name: 'Users' })
    .getByRole('button', { name: 'Coach', exact: true });
  await coach.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(/still has \d+ booked lessons?\./);
  await expect(dialog).toContainText('will no longer appear in search');
  // The coach is also the only owner of a business with two other coaches.
  const successor = dialog.getByLabel('New owner of Sample Park Coaching');
  await expect(successor.getByRole('option')).toHaveText(['Benny Bogus', 'Connie Concept']);
  await successor.selectOption('Connie Concept');
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole('button', { name: 'Keep coach role' }).click();
  await expect(coach).toHaveAttribute('aria-pressed', 'true');
});

test('reports users or settings that fail to load, and loads them on a retry [ADM-2, ADM-6b]', async ({
  page,
}) => {
  await stopLiveUpdates(page);
  await openTab(page, 'Overview');
  for (const [tab, endpoint, text] of [
    ['Users', adminApi.listUsers, 'Failed to load users'],
    ['Settings', settingsApi.getSettings, 'Failed to load platform fee settings'],
  ] as const) {
    const content =
      tab === 'Users'
        ? page.getByRole('table', { name: 'Users' })
        : page.getByRole('form', { name: 'Platform fee' });
    const failing = await failResponse(page, endpoint, { code: 'conflict' });
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible();
    await expect(content).toBeHidden();
    await failing.release();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(content).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: text })).toHaveCount(0);
  }
});
