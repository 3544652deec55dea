import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { InputOf } from '#domain/endpoint.ts';
import { type PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { clockAt, shownDay } from '../support/coaching.ts';
import { serveFailedRefunds } from '../support/failed-refunds.ts';
import { expect, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { openTaughtCoach } from '../support/past-lessons.ts';
import { becomePerson, demoPassword, openDemo } from '../support/people.ts';
import { changeResponse, failResponse, holdResponse } from '../support/responses.ts';

const pounds = (cents: number) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(cents / 100);

/** Waits for the request that creates a payrun. */
const waitForCreation = (page: Page) =>
  page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith(payoutsApi.createPayrun.path),
  );

test('creates, downloads, cancels and pays a payrun of selected bookings [ADM-3a, ADM-4a, ADM-4b]', async ({
  page,
}) => {
  const { coach } = await openTaughtCoach('Gail Golf', { lessons: 2 });
  const { coach: unpaid } = await openTaughtCoach('Nick Nobank', { hasBankDetails: false });
  const admin = await openDemo('admin@demo.test');
  const { bookings: chosen } = await call(admin, payoutsApi.listPayableBookings, {
    readyOnly: 'true',
    search: coach.email,
  });
  expect(chosen.map(({ hasBankDetails }) => hasBankDetails)).toEqual([true, true]);
  const totalCents = chosen.reduce((sum, { amountCents }) => sum + amountCents, 0);
  await becomePerson(page, admin);
  await page.goto('/admin/panel?tab=payouts');
  const payable = page.getByRole('table', { name: 'Payable bookings' });
  const rowOf = ({ bookingId }: PayableBooking) =>
    payable.getByRole('row').filter({ hasText: bookingId.slice(0, 8) });
  await page.getByRole('button', { name: 'Create payrun' }).click();
  await expect(toast(page, 'No bookings selected')).toContainText('Error');

  await expect(payable.getByRole('columnheader')).toHaveText([
    ...['Select', 'Booking', 'Coach', 'Lesson ended', 'Bank details', 'Amount'],
  ]);
  const search = page.getByRole('searchbox', { name: 'Search by coach' });
  await search.fill(unpaid.email);
  const unpayable = payable.getByRole('row').filter({ hasText: 'Nick Nobank' });
  await expect(unpayable).toContainText('Missing');
  await expect(unpayable).not.toContainText('Saved');
  await expect(unpayable.getByRole('checkbox')).toBeDisabled();
  await expect(unpayable).toContainText("Can't be paid until the coach saves their bank details");
  // Uses click(), not check(), because the state comes from the URL and changes a moment later.
  await page.getByLabel('Only coaches with bank details').click();
  await expect(page.getByLabel('Only coaches with bank details')).toBeChecked();
  await expect(payable.getByText('Missing')).toHaveCount(0);
  await search.fill(coach.email);
  await expect(page).toHaveURL((url) => url.searchParams.get('coach') === coach.email);
  expect(new URL(page.url()).searchParams.get('ready')).toBe('true');
  for (const booking of chosen) {
    await rowOf(booking).getByRole('checkbox').press('Space');
    const ended = `${shownDay(wallTimeOf(booking.endTime).date)}, ${clockAt(booking.endTime)}`;
    const { bookingId, title, customerName, coachName, amountCents } = booking;
    // Reads only visible text: each cell also contains its column's name, which only small screens show.
    await expect(rowOf(booking).getByRole('cell')).toHaveText(
      [
        ...['', `${title} ${customerName} · ${bookingId.slice(0, 8)}`],
        ...[coachName, ended, 'Saved', pounds(amountCents)],
      ],
      { useInnerText: true },
    );
  }
  await expect(
    page.getByRole('status').filter({ hasText: `2 bookings · ${pounds(totalCents)}` }),
  ).toBeInViewport();
  await page.getByRole('button', { name: 'Create payrun' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create payrun' });
  await expect(dialog).toContainText(`Total in GBP · 2 bookings${pounds(totalCents)}`);
  await dialog.getByLabel('Payment reference').fill('=SUM(A1)');
  await dialog.getByRole('button', { name: 'Create payrun' }).click();
  await expect(dialog.getByText('Banks accept only plain letters, digits, spaces and & - . /')).toBeVisible();
  const reference = `COACHING ${Date.now().toString(36).toUpperCase()}`;
  await dialog.getByLabel('Payment reference').fill(reference);
  const bookingIds = chosen.map(({ bookingId }) => bookingId);
  const { fingerprint } = await call(admin, payoutsApi.previewPayrun, { bookingIds });
  const asked = waitForCreation(page);
  await dialog.getByRole('button', { name: 'Create payrun' }).click();
  expect((await asked).postDataJSON()).toMatchObject({ fingerprint, paymentReference: reference });
  await expect(toast(page, 'Payrun created')).toContainText(pounds(totalCents));
  await expect(dialog).toBeHidden();
  for (const booking of chosen) await expect(rowOf(booking)).toHaveCount(0);

  const payrun = page.getByRole('table', { name: 'Payruns' }).getByRole('row').filter({ hasText: reference });
  await expect(payrun).toContainText('Pending');
  await expect(payrun.getByRole('button', { name: /^Mark Paid/ })).toHaveText('Mark Paid');
  await expect(payrun).toContainText(pounds(totalCents));
  const download = page.waitForEvent('download');
  await payrun.getByRole('button', { name: /^Download CSV/ }).click();
  const file = await download;
  // The toast disappears automatically, so it is checked first.
  await expect(toast(page, 'CSV downloaded')).toBeVisible();
  expect(file.suggestedFilename()).toMatch(/^payrun-[0-9a-f]{8}\.csv$/);
  await expect(payrun).toContainText(file.suggestedFilename().slice(7, 15));
  const text = await readFile(await file.path(), 'utf8');
  const [header, ...rows] = text.split('\r\n');
  expect(header).toBe(
    'name,recipient_type,account_number,sort_code,recipient_bank_country,currency,amount,payment_reference',
  );
  expect(rows.pop()).toBe('');
  const amount = `${Math.trunc(totalCents / 100)}.${String(totalCents % 100).padStart(2, '0')}`;
  expect(rows).toEqual([expect.stringMatching(/^[^,]+,Individual,\d{8},\d{6},GB,GBP,/)]);
  expect(rows[0]!.endsWith(`,${amount},${reference}`)).toBe(true);

  const message = 'No payment data found for this payrun';
  const empty = await failResponse(page, payoutsApi.getPayrunCsvRows, { code: 'not_found', message });
  await payrun.getByRole('button', { name: /^Download CSV/ }).click();
  await expect(toast(page, 'No data')).toContainText(message);

  // The coach changes banks while the payrun is pending. The payrun says so and still pays the old account.
  await call(coach, payoutsApi.saveBankDetails, {
    ...{ accountName: 'Gail Golf', sortCode: '10-79-99', accountNumber: '88837491' },
  });
  // The list's filters are in the URL, so a reload keeps them.
  await page.reload();
  await expect(page.getByLabel('Only coaches with bank details')).toBeChecked();
  await expect(page.getByRole('searchbox', { name: 'Search by coach' })).toHaveValue(coach.email);
  await expect(payable.getByText('Missing')).toHaveCount(0);
  await expect(payrun).toContainText('The payrun still uses the old details.');
  await page.emulateMedia({ colorScheme: 'dark' });

  // Cancelling the payrun needs a confirmation, because its file was downloaded.
  await payrun.getByRole('button', { name: /^More actions for payrun/ }).click();
  await page.getByRole('menuitem', { name: 'Cancel payrun' }).click();
  const cancelling = page.getByRole('dialog', { name: 'Cancel this payrun?' });
  await expect(cancelling.getByRole('button', { name: 'Cancel payrun' })).toBeDisabled();
  await cancelling.getByLabel("The bank hasn't used this file, and I've deleted it").check();
  await cancelling.getByLabel('Reason').fill('The coach has another account');
  await cancelling.getByRole('button', { name: 'Cancel payrun' }).click();
  await expect(toast(page, 'Payrun cancelled')).toBeVisible();
  await expect(payrun).toContainText('Cancelled');
  await expect(payrun).toContainText('“The coach has another account”');
  await expect(payrun.getByRole('button')).toHaveCount(0);
  for (const booking of chosen) await expect(rowOf(booking)).toHaveCount(1);

  const second = `SECOND ${Date.now().toString(36).toUpperCase()}`;
  await call(admin, payoutsApi.createPayrun, {
    bookingIds: chosen.map(({ bookingId }) => bookingId),
    paymentReference: second,
  });
  await page.reload();
  const paid = page.getByRole('table', { name: 'Payruns' }).getByRole('row').filter({ hasText: second });
  await expect(paid).toContainText('Pending');
  const listed = await page.getByRole('table', { name: 'Payruns' }).getByRole('row').allInnerTexts();
  const rankOf = (text: string) => listed.findIndex((row) => row.includes(text));
  expect(rankOf(second), 'newest first').toBeLessThan(rankOf(reference));
  await paid.getByRole('button', { name: /^Mark Paid/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(`Confirm that your bank has sent ${pounds(totalCents)}`);
  await expect(question).toContainText("Nobody has downloaded this payrun's file.");
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(paid).toContainText('Pending');
  await empty.release();
  const other = page.waitForEvent('download');
  await paid.getByRole('button', { name: /^More actions for payrun/ }).click();
  await page.getByRole('menuitem', { name: 'CSV for Revolut Business' }).click();
  expect((await other).suggestedFilename()).toMatch(/^payrun-[0-9a-f]{8}-revolut\.csv$/);
  await paid.getByRole('button', { name: /^Mark Paid/ }).click();
  await expect(question).not.toContainText('Nobody has downloaded');
  await question.getByRole('button', { name: 'Mark Paid' }).click();
  await expect(toast(page, 'Payrun marked as paid')).toBeVisible();
  await expect(paid).toContainText('Paid');
  await expect(paid.getByRole('button', { name: /^Mark Paid/ })).toHaveCount(0);
});

test('selects all bookings that match the filters, listed individually or by coach [ADM-3b, ADM-3c, ADM-3d]', async ({
  page,
}) => {
  const admin = await openDemo('admin@demo.test');
  // Uses a coach of the demo club whose bookings no other test adds to a payrun.
  const { bookings } = await call(admin, payoutsApi.listPayableBookings, {
    readyOnly: 'true',
    ...{ search: 'coach@demo.test', limit: 100 },
  });
  const days = bookings.map(({ endTime }) => wallTimeOf(endTime).date);
  const [from, to] = [days[Math.floor(days.length / 4)]!, days[Math.floor((days.length * 3) / 4)]!];
  const filter = { search: 'coach@demo.test', from, to };
  const { coaches } = await call(admin, payoutsApi.listPayableCoaches, filter);
  const count = coaches.reduce((sum, { bookingCount }) => sum + bookingCount, 0);
  const cents = coaches.reduce((sum, { amountCents }) => sum + amountCents, 0);
  expect(count).toBeGreaterThan(2);

  await becomePerson(page, admin);
  // Serves two rows, so that the page lists only some of the matching bookings.
  const shortened = await changeResponse(page, payoutsApi.listPayableBookings, (list) => ({
    ...list,
    bookings: list.bookings.slice(0, 2),
  }));
  await page.goto(`/admin/panel?tab=payouts&coach=coach%40demo.test&from=${from}&to=${to}`);
  const selectAll = page.getByRole('checkbox', { name: /^Select all that can be paid/ });
  await expect(page.getByText(`${count} bookings · ${pounds(cents)}`)).toBeVisible();
  const bar = page.getByRole('button', { name: 'Create payrun' });
  await bar.click();
  const notice = toast(page, 'No bookings selected');
  await expect(notice).toBeVisible();
  // A toast moves to its position after it appears. The toast and the button are measured in one step, because the page
  // may scroll.
  const under = await bar.elementHandle();
  const measureGap = () =>
    notice.evaluateAll(
      ([shown], button) =>
        shown ? button!.getBoundingClientRect().top - shown.getBoundingClientRect().bottom : -1,
      under,
    );
  await expect(async () => {
    // A toast disappears after 4 s.
    if (!(await notice.isVisible())) await bar.click();
    expect(await measureGap()).toBeGreaterThanOrEqual(0);
  }).toPass();

  const rows = page.getByRole('table', { name: 'Payable bookings', exact: true }).locator('tbody tr');
  await expect(rows.first()).toContainText(coaches[0]!.coachName);
  await expect(rows.filter({ hasNotText: coaches[0]!.coachName })).toHaveCount(0);
  await expect(rows).toHaveCount(2);
  await selectAll.click();
  const status = page.getByRole('status').filter({ hasText: 'booking' });
  await expect(status).toHaveText(`${count} bookings · ${pounds(cents)}`);
  await page
    .getByRole('table', { name: 'Payable bookings' })
    .getByRole('checkbox', { checked: true })
    .first()
    .click();
  // All matching bookings except one are selected.
  const {
    bookings: [left],
  } = await call(admin, payoutsApi.listPayableBookings, filter);
  const withoutLeft = { matching: { ...filter, exceptBookingIds: [left!.bookingId] } };
  await expect(status).toHaveText(`${count - 1} bookings · ${pounds(cents - left!.amountCents)}`);
  await bar.click();
  const dialog = page.getByRole('dialog', { name: 'Create payrun' });
  await expect(dialog).toContainText(`${count - 1} bookings${pounds(cents - left!.amountCents)}`);
  // Simulates another admin's change: the dialog shows the current selection and creates no payrun.
  const sums = { bookingCount: 1, bookingsCents: 100, totalAmountCents: 100 };
  const preview = { ...sums, fingerprint: 'new', coaches: [], leftOut: [] };
  await failResponse(page, payoutsApi.createPayrun, { code: 'selection_changed', details: { preview } });
  const submit = async () => {
    const asked = waitForCreation(page);
    await dialog.getByRole('button', { name: 'Create payrun' }).click();
    return (await asked).postDataJSON();
  };
  const fingerprintOf = async (input: InputOf<typeof payoutsApi.previewPayrun>) =>
    (await call(admin, payoutsApi.previewPayrun, input)).fingerprint;
  expect(await submit()).toEqual({
    ...withoutLeft,
    fingerprint: await fingerprintOf(withoutLeft),
    currency: 'GBP',
  });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await shortened.release();
  await page.getByText('By coach', { exact: true }).click();
  await expect(page).toHaveURL(/group=coaches/);
  const groups = page.getByRole('table', { name: 'Payable bookings by coach' }).locator('tbody tr');
  await expect(groups).toHaveCount(coaches.length);
  for (const [index, { coachName, bookingCount, amountCents }] of coaches.entries()) {
    for (const text of [coachName, `${bookingCount} booking`, 'Saved', pounds(amountCents)]) {
      await expect(groups.nth(index)).toContainText(text);
    }
  }
  await selectAll.click();
  await expect(status).toHaveText(`${count} bookings · ${pounds(cents)}`);
  await bar.click();
  await expect(dialog).toContainText(`${count} bookings${pounds(cents)}`);
  const fingerprint = await fingerprintOf({ matching: filter });
  expect(await submit()).toEqual({ matching: filter, fingerprint, currency: 'GBP' });
  await expect(dialog.getByRole('alert')).toContainText(
    'The payable bookings have changed since you opened this dialog.',
  );
  await expect(dialog).toContainText('1 booking£1.00');
  await dialog.getByLabel('Payment reference').fill('MAY 27');
  const paymentReference = 'MAY 27';
  expect(await submit()).toEqual({ matching: filter, fingerprint: 'new', currency: 'GBP', paymentReference });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'By coach' })).toBeChecked();
  const [coach] = coaches;
  await page.getByRole('checkbox', { name: `Select all bookings of ${coach!.coachName}` }).click();
  await bar.click();
  await expect(dialog).toContainText(`${coach!.bookingCount} bookings${pounds(coach!.amountCents)}`);
  const ofCoach = { matching: { ...filter, coachIds: [coach!.coachId] } };
  expect(await submit()).toEqual({
    ...ofCoach,
    fingerprint: await fingerprintOf(ofCoach),
    currency: 'GBP',
  });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('button', { name: /show bookings$/ })
    .first()
    .click();
  await expect(page.getByRole('table', { name: 'Payable bookings', exact: true })).toBeVisible();
  // Uses another day of the month that the date picker shows.
  const other = addDays(from, from.endsWith('-01') ? 1 : -1);
  await page.setViewportSize({ width: 390, height: 700 });
  for (const name of ['from', 'to']) {
    const payruns = await holdResponse(page, payoutsApi.listPayruns);
    await page.goto(`/admin/panel?tab=payouts&from=${from}&to=${from}`);
    await payruns.arrived;
    await page.getByLabel(`Lesson ended ${name}`).click();
    const calendar = page.getByRole('dialog', { name: 'Calendar' });
    await expect(calendar.getByRole('grid')).toBeVisible();
    // Content that loads above the field does not push its open calendar off the screen.
    await payruns.release();
    await expect(page.getByRole('table', { name: 'Payruns' })).toBeVisible();
    await expect(calendar).toBeInViewport({ ratio: 0.99 });
    await calendar.locator(`[data-day="${other}"]`).getByRole('button').click();
    await expect(page).toHaveURL((url) => url.searchParams.get(name) === other);
  }
});

test('reports payout data that fails to load, and loads it on a retry, on a phone [ADM-4d]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await becomePerson(page, await openDemo('admin@demo.test'));
  await stopLiveUpdates(page);
  const offline = await failResponse(page, /\/api\/admin\/(payruns|payable-(bookings|coaches))/);
  for (const group of ['&group=coaches', '']) {
    await page.goto(`/admin/panel?tab=payouts${group}`);
    await expect(toast(page, 'Failed to load payout data')).toContainText('Error');
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to load payout data' })).toHaveCount(2);
  }
  await offline.release();
  // Uses the keyboard, because a toast may cover the button.
  await page.getByRole('button', { name: 'Try again' }).last().press('Enter');
  await expect(page.getByRole('table', { name: 'Payable bookings' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('denies the payouts tab to a coach [ROLE-4]', async ({ page }) => {
  await becomePerson(page, await openDemo('coach@demo.test'));
  await page.goto('/admin/panel?tab=payouts');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  await expect(
    page.getByText("You don't have permission to access this page.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
});

test('retries a failed refund and marks another as settled by other means', async ({ page }) => {
  await becomePerson(page, await openDemo('admin@demo.test'));
  const { list, sent } = await serveFailedRefunds(page);
  await page.goto('/admin/panel?tab=payouts');
  const rows = page.getByRole('list', { name: 'Refunds that need attention' }).getByRole('listitem');
  await expect(rows).toHaveText([/^£50\.00 to Priya Paid · Visa ending 4242/, /^£30\.00 to Sid Sent/]);
  await expect(rows.first()).toContainText('This card was closed.');
  await page.getByRole('button', { name: 'Try again: refund to Priya Paid' }).click();
  await expect(toast(page, 'Refund sent again')).toBeVisible();
  await expect(rows).toHaveText([/^£30\.00 to Sid Sent/]);

  await page.getByRole('button', { name: 'Settle another way: refund to Sid Sent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settle another way' });
  await dialog.getByLabel('How was the refund paid?').fill('Bank transfer of 3 March');
  await dialog.getByRole('button', { name: 'Mark as settled' }).click();
  // An admin who signed in long ago has to prove their identity, and the form keeps typed text.
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByLabel('Your password', { exact: true }).fill(demoPassword);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect(toast(page, 'Refund settled')).toContainText('Sid Sent will be emailed.');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Refunds that need attention' })).toHaveCount(0);
  expect(list).toEqual([]);
  expect(sent).toEqual([
    'attempts {}',
    ...Array(2).fill('settlement {"reason":"Bank transfer of 3 March","isRefundedInStripe":false}'),
  ]);
});
