import { readFile } from 'node:fs/promises';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { statementApi } from '#domain/payouts/statement-contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { openTaughtCoach } from '../support/past-lessons.ts';
import { becomePerson, openDemo, type Person } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

const pounds = (cents: number) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(cents / 100);

/** Pays one booking of this coach in a separate payrun. */
async function payOut(admin: Person, coach: Person) {
  const { bookings } = await call(admin, payoutsApi.listPayableBookings, {
    readyOnly: 'true',
    search: coach.email,
  });
  const { bookingId } = bookings[0]!;
  const { payrun } = await call(admin, payoutsApi.createPayrun, { bookingIds: [bookingId] });
  const { payrunId } = payrun;
  await call(admin, payoutsApi.markPayrunPaid, { payrunId });
  const { payments } = await call(admin, payrunApi.getPayrun, { payrunId });
  return { payrunId, payment: payments[0]! };
}

test('marks a payment of a payrun as returned and shows that to the coach [ADM-10a, ADM-10c, EARN-1d]', async ({
  page,
}) => {
  const admin = await openDemo('admin@demo.test');
  const { coach } = await openTaughtCoach('Wendy Whatif');
  const { payrunId, payment } = await payOut(admin, coach);
  const { coachName, amountCents, bookingCount } = payment;
  await becomePerson(page, admin);
  await page.goto('/admin/panel?tab=payouts');
  const payruns = page.getByRole('table', { name: 'Payruns' });
  await payruns.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^Payrun [0-9a-f]{8}$/ })).toBeVisible();
  await page.getByRole('link', { name: 'Payouts' }).click();
  await expect(payruns).toBeVisible();

  const people = await changeResponse(page, payrunApi.getPayrun, ({ payrun, payments }) => ({
    payrun: {
      ...payrun,
      ...{
        createdAt: '2020-03-04T09:05:00.000Z',
        createdBy: { ...payrun.createdBy, fullName: 'Clara First' },
      },
      ...{ paidAt: '2020-07-06T13:30:00.000Z', paidBy: 'Paul Second' },
    },
    payments,
  }));
  await page.goto(`/admin/payruns/${payrunId}`);
  const row = page.getByRole('table', { name: 'Payments' }).getByRole('row').filter({ hasText: coachName });
  await expect(row).toContainText(pounds(amountCents));
  await expect(row).toContainText('••••');
  const head = page
    .getByRole('main')
    .locator('div')
    .filter({ has: page.getByRole('heading', { level: 1 }) });
  await expect(head.last().getByText('Paid', { exact: true })).toBeVisible();
  const facts = page.getByRole('main').locator('dl').first().locator('div');
  const factOf = (name: string) => facts.filter({ has: page.getByText(name, { exact: true }) }).locator('dd');
  await expect(factOf('Created')).toHaveText('Wed 4 Mar 2020, 09:05 by Clara First');
  await expect(factOf('Paid')).toHaveText('Mon 6 Jul 2020, 14:30 by Paul Second');
  await people.release();
  const lines = page.getByRole('table', { name: 'Bookings' });
  await lines.getByRole('button', { name: coachName }).first().click();
  await expect(page.getByText(`Bookings with ${coachName}.`)).toBeVisible();
  await expect(lines.getByRole('row')).toHaveCount(1 + Math.min(bookingCount, 50));

  await row.getByRole('button', { name: `Mark as returned: payment to ${coachName}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark this payment as returned?' });
  await expect(dialog).toContainText(`${pounds(amountCents)} to ${coachName}`);
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await expect(dialog.getByText("Enter the bank's reason.")).toBeVisible();
  await inspect(page, 'returned payment');
  await dialog.getByLabel("The bank's reason").fill('Account closed');
  await dialog.getByRole('button', { name: 'Mark as returned' }).click();
  await expect(toast(page, 'Payment marked as returned')).toBeVisible();
  await expect(row).toContainText('Returned: “Account closed”');
  await expect(row.getByRole('button')).toHaveCount(0);
  await expect(page.getByText('1 payment returned')).toBeVisible();
  await expect(lines.getByText('· returned').first()).toBeVisible();

  await becomePerson(page, coach);
  await page.goto('/coach/earnings');
  const returned = page.getByRole('list', { name: 'Recent payments' }).getByRole('listitem').filter({
    hasText: 'Returned by the bank',
  });
  await returned.locator('summary').click();
  await expect(returned).toContainText('“Account closed”');
  await returned.getByRole('link', { name: 'Statement for this payment' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Payment of / })).toBeVisible();
  await expect(page.getByText('The bank returned this payment: “Account closed”')).toBeVisible();
  const { statement } = await call(coach, statementApi.getStatement, { payrunId });
  const [lesson] = statement.lines;
  await expect(factOf('Account')).toHaveText('Wendy Whatif, ••••4958');
  const listed = page.getByRole('table', { name: 'Lessons' }).getByRole('row');
  await expect(listed).toHaveCount(2);
  for (const text of [
    lesson!.title,
    lesson!.customerName,
    pounds(lesson!.priceCents!),
    pounds(amountCents),
  ]) {
    await expect(listed.last()).toContainText(text);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain(`,${lesson!.title},`);

  // Only the statement is printed, with every lesson.
  const printed = page.locator('.print-alone');
  await expect(printed).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(printed).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  for (const text of ['Wendy Whatif, ••••4958', lesson!.title]) await expect(printed).toContainText(text);
  await expect(printed.locator('tbody tr').last()).toContainText(pounds(amountCents));
  const heads = await page.evaluate(
    () => getComputedStyle(document.querySelector('.print-alone thead')!).display,
  );
  expect(heads, 'repeated on every page').toBe('table-header-group');

  // Serves a deduction as well, because this coach has none.
  await page.emulateMedia({ media: 'screen' });
  await changeResponse(page, statementApi.getStatement, ({ statement: { lines, ...rest } }) => ({
    statement: {
      ...{ ...rest, lessonsCents: 10_000, deductedCents: 1_234, amountCents: 8_766 },
      lines: [
        ...lines,
        {
          ...{ ...lines[0]!, kind: 'carried_forward' as const, bookingId: crypto.randomUUID() },
          ...{ priceCents: null, keptCents: null, amountCents: -1_234 },
        },
      ],
    },
  }));
  await page.reload();
  await expect(listed).toHaveCount(3);
  await expect(listed.last()).toContainText('deducted after a refund');
  await expect(listed.last()).toContainText('-£12.34');
  await expect(page.getByRole('main').locator('dl').last().locator('div')).toHaveText([
    ...['Lessons£100.00', 'Deducted after refunds-£12.34', 'Payment£87.66'],
  ]);
  await page.emulateMedia({ media: 'print' });
  await expect(printed).toContainText('(deducted after a refund)');
  await expect(printed.getByRole('row').filter({ hasText: 'Deducted after refunds' })).toContainText(
    '-£12.34',
  );
});

test('reports missing payruns and failed loads; offers no returns of a pending payrun', async ({ page }) => {
  const nobody = crypto.randomUUID();
  const admin = await openDemo('admin@demo.test');
  await becomePerson(page, admin);
  await page.goto(`/admin/payruns/${nobody}`);
  await expect(page.getByRole('heading', { name: 'Payrun not found' })).toBeVisible();
  const { coach } = await openTaughtCoach('Connie Concept');
  const { payrunId } = await payOut(admin, coach);
  const failing = await failResponse(page, new RegExp(`/api/admin/payruns/${payrunId}$`));
  await page.goto(`/admin/payruns/${payrunId}`);
  await expect(page.getByRole('main').getByText('Failed to load the payrun')).toBeVisible();
  await failing.release();
  await changeResponse(page, payrunApi.getPayrun, ({ payrun, payments }) => ({
    payrun: { ...payrun, status: 'pending' as const, paidAt: null, paidBy: null },
    payments,
  }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: /^Mark Paid/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Mark as returned/ })).toHaveCount(0);

  await becomePerson(page, coach);
  await page.goto(`/coach/earnings/${nobody}`);
  await expect(page.getByRole('heading', { name: 'Payment not found' })).toBeVisible();
});
