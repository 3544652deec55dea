import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { shownDay } from '../support/coaching.ts';
import { readEmail } from '../support/emails.ts';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, openCoach, openCustomer, openDemo, signIn } from '../support/people.ts';
import { changeResponse, failResponse, oldProof } from '../support/responses.ts';

async function typeDetails(page: Page, sortCode: string, accountNumber: string) {
  await page.getByLabel('Name on the account').fill("Nora O'New & Co");
  await page.getByLabel('Sort code').pressSequentially(sortCode);
  await page.getByLabel('Account number').pressSequentially(accountNumber);
}

/** Reads the amounts under "How it adds up", in minor units, by the first word of their label. */
async function readAmounts(page: Page): Promise<Record<string, number>> {
  const rows = page.locator('section', { has: page.getByRole('heading', { name: 'How it adds up' }) });
  await expect(rows.locator('dl > div').first()).toBeVisible();
  const texts = await rows.locator('dl > div').allInnerTexts();
  return Object.fromEntries(
    texts.map((text) => {
      const [name, amount] = text.split('\n').map((part) => part.trim());
      return [name!.split(' ')[0]!, readCents(amount!)];
    }),
  );
}

const pounds = (cents: number) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(cents / 100);
const readCents = (shown: string) => Math.round(Number(shown.replace(/[£,]/g, '')) * 100);

test('saves bank details, shows them masked and emails every change [BANK-1, BANK-2, BANK-3]', async ({
  page,
}) => {
  const coach = await openCoach();
  await becomePerson(page, coach);
  await page.goto('/coach/bank-details');
  await expect(page.getByRole('heading', { level: 1, name: 'Bank Details' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Individual' })).toBeChecked();
  await expect(page.getByLabel('Country')).toHaveValue('GB');
  await expect(page.getByLabel('Currency')).toHaveValue('GBP');
  await expect(page.getByText('Failed to load bank details')).toHaveCount(0);
  for (const field of ['Name on the account', 'Sort code', 'Account number']) {
    await expect(page.getByLabel(field)).toHaveValue('');
  }
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByText('Enter the name on the account.')).toBeVisible();
  await expect(page.getByText('A sort code has 6 digits, like 12-34-56.')).toBeVisible();

  await typeDetails(page, '089999', '6637495');
  await expect(page.getByLabel('Sort code')).toHaveValue('08-99-99');
  await expect(page.getByText('7 of 8')).toBeVisible();
  // The field accepts no letters, and phones show their number pad.
  await expect(page.getByLabel('Account number')).toHaveAttribute('inputmode', 'numeric');
  await page.getByLabel('Account number').pressSequentially('o9');
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByRole('alert').getByText("don't match")).toHaveCount(2);
  await expect(page.getByLabel('Sort code')).toBeFocused();
  await expect(page.getByLabel('Account number')).toHaveValue('66374959');

  await page.getByLabel('Account number').fill('66374958');
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByText('Bank details saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bank Details' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('definition')).toHaveText([
    ...["Nora O'New & Co", '••-••-99', '••••4958'],
    ...['Individual', 'United Kingdom', 'Pounds (GBP)'],
  ]);
  expect(await page.locator('html').innerHTML()).not.toContain('66374958');
  const added = await readEmail(coach.email, /bank details were added/);
  expect(added.text).toContain('••••4958');
  expect(added.text).not.toContain('66374958');

  await page.getByRole('button', { name: 'Change bank details' }).click();
  await expect(page.getByLabel('Name on the account')).toBeFocused();
  for (const field of ['Name on the account', 'Sort code', 'Account number']) {
    await expect(page.getByLabel(field)).toHaveValue('');
  }
  await typeDetails(page, '107999', '88837491');
  await page.getByRole('radio', { name: 'Business' }).check({ force: true });
  // Simulates a sign-in long ago: the server asks for the password again, and the form keeps the typed text.
  await failResponse(page, payoutsApi.saveBankDetails, oldProof, { once: true });
  await page.getByRole('button', { name: 'Save bank details' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByLabel('Your password', { exact: true }).fill('not-the-password');
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect(proof.getByText('This is not your current password.')).toBeVisible();
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Account number')).toHaveValue('88837491');
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByText('••••7491')).toBeVisible();
  await page.reload();
  await expect(page.getByText('••••7491')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Business' })).toBeVisible();
  await readEmail(coach.email, /bank details were changed/);

  await stopLiveUpdates(page);
  const offline = await failResponse(page, payoutsApi.getBankDetails);
  await page.reload();
  await expect(page.getByText('Failed to load bank details', { exact: true }).first()).toBeVisible();
  await offline.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('••••7491')).toBeVisible();
});

test('shows a new coach no sample figures and asks for missing bank details [EARN-1a, EARN-1b]', async ({
  page,
}) => {
  await becomePerson(page, await openCoach());
  await page.goto('/coach/earnings');
  await expect(page.getByText('No earnings yet', { exact: true })).toBeVisible();
  await expect(page.getByText('£')).toHaveCount(0);
  const figures = ['To come', 'Total', 'This month', 'Lessons this month'];
  for (const text of [...figures, 'Recent Payments', 'How it adds up']) {
    await expect(page.getByText(text, { exact: true })).toHaveCount(0);
  }
  await expect(page.getByText("We don't know where to pay you yet.")).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Add bank details' }).click();
  await expect(page).toHaveURL(/\/coach\/bank-details$/);
  await typeDetails(page, '089999', '66374958');
  await page.keyboard.press('Enter');
  await expect(page.getByText('••••4958')).toBeVisible();
  await page.goto('/coach/earnings');
  await expect(page.getByText('No earnings yet')).toBeVisible();
  await expect(page.getByText("We don't know where to pay you yet.")).toHaveCount(0);
});

test('shows earnings that match the bookings and add up, and past payments [EARN-1a, EARN-1b, EARN-1c]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ priceCents: 12_000 });
  const customer = await openCustomer();
  await bookByApi(customer, lesson!);
  const demoCoach = await openDemo('coach@demo.test');
  await signIn(page, 'coach@demo.test');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Earnings' }).click();
  await expect(page).toHaveURL(/\/coach\/earnings$/);
  const table = page.getByRole('table', { name: 'Statement' });
  const row = table.getByRole('row').filter({ hasText: lesson!.title });
  await expect(row).toContainText(customer.fullName);
  for (const amount of ['£120.00', '-£2.40', '£117.60']) await expect(row).toContainText(amount);

  // Other tests book with this coach at the same time, so the page is read until its figures agree.
  await expect(async () => {
    await page.reload();
    await expect(table.getByRole('row').nth(1)).toBeVisible();
    const shown = await readAmounts(page);
    expect(shown.Gross! + shown.Refunds! + shown.Platform!).toBe(shown.Net);
    expect(shown.Net! + shown.Paid!).toBe(shown.To);
    const earnings = await call(demoCoach, earningsApi.getEarnings, {});
    expect([shown.Gross, shown.Net, shown.To]).toEqual([
      earnings.grossCents,
      earnings.netCents,
      earnings.toComeCents,
    ]);
    expect([shown.Platform! + earnings.feeCents, shown.Paid! + earnings.paidOutCents]).toEqual([0, 0]);
    const total = page.locator('dt').getByText('Total', { exact: true }).locator('xpath=../dd');
    expect(readCents(await total.innerText())).toBe(shown.Net);
    const newest = await table.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    expect(readCents(newest.at(-1)!)).toBe(shown.To);
    await expect(page.getByRole('heading', { name: 'To come' }).locator('+ p')).toHaveText(newest.at(-1)!);
  }).toPass();

  // The demo club has paid this coach before. Opening a payment shows its lessons, and all payments can be exported.
  await expect(page.getByRole('heading', { name: 'Recent Payments', exact: true })).toBeVisible();
  await expect(page.getByText('No earnings yet')).toHaveCount(0);
  const shownPayments = page.getByRole('list', { name: 'Recent payments' }).locator('> li');
  await expect(shownPayments.first()).toBeVisible();
  const { payments } = await call(demoCoach, earningsApi.listPayments, {});
  await expect(shownPayments).toHaveCount(payments.length);
  for (const [index, paid] of payments.entries()) {
    const { payrunId, paidAt, amountCents, paymentReference, lessons } = paid;
    const payment = shownPayments.nth(index);
    const paidFor = lessons.filter(({ kind }) => kind === 'lesson').length;
    const day = shownDay(wallTimeOf(paidAt).date);
    // The parts of the line have no space between them.
    await expect(payment.locator('summary')).toHaveText(
      `›${day}${paymentReference}${paidFor} lesson${paidFor === 1 ? '' : 's'}${pounds(amountCents)}`,
    );
    const links = payment.getByRole('link').filter({ visible: true });
    await expect(links).toHaveCount(0);
    await payment.locator('summary').click();
    await expect(links).toHaveText([...lessons.map(({ title }) => title), 'Statement for this payment']);
    await expect(links.first()).toHaveAttribute('href', `/coach/lesson/${lessons[0]!.slotId}`);
    await expect(links.last()).toHaveAttribute('href', `/coach/earnings/${payrunId}`);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^payments-.+\.csv$/);
  const exported = await readFile(await file.path(), 'utf8');
  const [, ...exportedLines] = exported.trimEnd().split('\r\n');
  for (const { paymentReference, lessons } of payments) {
    const own = exportedLines.filter((line) => line.split(',')[1] === paymentReference);
    expect(own, paymentReference).toHaveLength(lessons.length);
  }

  await page.getByRole('button', { name: 'Show more lines' }).click();
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(21);
  // Reads all cells in one step, because other tests book at the same time and the list may be refetched.
  const cells = await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.innerText)),
    );
  const lines = cells.map((texts) => ({ net: readCents(texts.at(-2)!), balance: readCents(texts.at(-1)!) }));
  for (const [index, { net, balance }] of lines.slice(0, -1).entries()) {
    expect(balance).toBe(lines[index + 1]!.balance + net);
  }

  await expect(page.getByRole('img', { name: /last 12 months/ })).toBeVisible();
  await page.getByText('Show as a table').click();
  const months = page.getByRole('table', { name: 'Earnings by month' }).getByRole('row');
  await expect(months).toHaveCount(13);
  const [, lessons, earned] = await months.nth(1).getByRole('cell').allInnerTexts();
  const figure = (label: string) =>
    page.getByRole('main').locator('dl > div', { has: page.locator('dt').getByText(label, { exact: true }) });
  await expect(figure('Total').locator('dd')).toHaveText(/^-?£[\d,]+\.\d\d$/);
  await expect(figure('This month').locator('dd')).toHaveText(earned!);
  await expect(figure('Lessons this month').locator('dd')).toHaveText(lessons!);

  // Serves a different figure for each label, so that a figure under the wrong label fails the test.
  const fixed = await changeResponse(page, earningsApi.getEarnings, (earnings) => ({
    ...earnings,
    ...{ grossCents: 100_000, refundedCents: 10_000, feeCents: 1_800, netCents: 88_200 },
    ...{ paidOutCents: 30_100, toComeCents: 58_100 },
    months: earnings.months.map(({ month }, index) => ({
      ...{ month, netCents: 1_100 * (index + 1), lessons: 21 + index },
    })),
  }));
  await page.reload();
  await expect(figure('Total').locator('dd')).toHaveText('£882.00');
  await expect(figure('This month').locator('dd')).toHaveText('£132.00');
  await expect(figure('Lessons this month').locator('dd')).toHaveText('32');
  await expect(page.getByRole('heading', { name: 'To come' }).locator('+ p')).toHaveText('£581.00');
  const sums = page.locator('section', { has: page.getByRole('heading', { name: 'How it adds up' }) });
  await expect(sums.locator('dl > div')).toHaveText([
    ...['Gross paid by customers£1,000.00', 'Refunds-£100.00', 'Platform fee-£18.00', 'Net£882.00'],
    ...['Paid out-£301.00', 'To come£581.00'],
  ]);
  const heights = await page
    .getByRole('img', { name: /last 12 months/ })
    .locator('g > rect:nth-of-type(2)')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
  expect(heights).toHaveLength(12);
  for (const [index, height] of heights.entries()) expect(height).toBeGreaterThan(heights[index - 1] ?? 0);
  await fixed.release();

  // A coach who has been paid in full still sees the figures and payments.
  const allPaid = await changeResponse(page, earningsApi.getEarnings, (earnings) => ({
    ...earnings,
    ...{ grossCents: 90_000, refundedCents: 0, feeCents: 1_800, netCents: 88_200 },
    ...{ paidOutCents: 88_200, toComeCents: 0 },
  }));
  await page.reload();
  await expect(figure('Total').locator('dd')).toHaveText('£882.00');
  await expect(page.getByRole('heading', { name: 'Recent Payments', exact: true })).toBeVisible();
  await expect(page.getByText('No earnings yet')).toHaveCount(0);
  await allPaid.release();

  await stopLiveUpdates(page);
  const offline = await failResponse(page, /\/api\/coach\/earnings/);
  await page.reload();
  await expect(page.getByText('Failed to load earnings').first()).toBeVisible();
  await offline.release();
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(page.getByRole('heading', { name: 'How it adds up' })).toBeVisible();

  await page.getByRole('link', { name: 'Bank details', exact: true }).click();
  await expect(page).toHaveURL(/\/coach\/bank-details$/);
  await page.goto('/coach/calendar');
  await page.getByRole('button', { name: 'Other' }).press('Enter');
  const others = page.getByRole('menuitem');
  await expect(others).toHaveText([
    'My Family',
    'Registers',
    'Reviews',
    'Business',
    'Team',
    'Bank Details',
    'Checks',
    'Locations',
  ]);
  await page.getByRole('menuitem', { name: 'Bank Details' }).press('Enter');
  await expect(page).toHaveURL(/\/coach\/bank-details$/);

  await page.setViewportSize({ width: 360, height: 780 });
  const tabs = page.getByRole('navigation', { name: 'Coach' });
  await expect(tabs.getByRole('link')).toHaveText(['Calendar', 'Earnings', 'Templates', 'Business', 'Team']);
  await tabs.getByRole('link', { name: 'Earnings' }).click();
  await expect(table.getByRole('row').nth(1)).toContainText('£');
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBe(0);
});
