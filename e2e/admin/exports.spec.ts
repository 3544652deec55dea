import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { shortReference } from '#domain/reference.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishLessons } from '../support/club.ts';
import { today, unique } from '../support/coaching.ts';
import { sectionOf } from '../support/family.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';

const exports = (page: Page) => sectionOf(page, 'Exports');

/**
 * Exports the records under this label. Returns the file's name and its rows, with their cells by column; splits lines
 * at every comma.
 */
async function download(page: Page, label: string) {
  await exports(page).getByLabel('Records').selectOption(label);
  const downloading = page.waitForEvent('download');
  await exports(page).getByRole('button', { name: 'Export CSV' }).click();
  const file = await downloading;
  const name = file.suggestedFilename();
  await expect(toast(page, name)).toContainText('CSV downloaded');
  const [header, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  const columns = header!.split(',');
  const readRow = (line: string): Record<string, string> =>
    Object.fromEntries(line.split(',').map((cell, index) => [columns[index]!, cell]));
  return { name, rows: lines.map(readRow) };
}

const amount = (cents: number) => (cents / 100).toFixed(2);

test('exports bookings, payments, refunds and payruns for a period [CONNECT-5a]', async ({ page }) => {
  const admin = await openDemo('admin@demo.test');
  const customer = await openCustomer({ fullName: unique('Cleo Export') });
  const lessons = await publishLessons({ count: 2, priceCents: 3000 });
  const seats = lessons.map(({ slotId, priceCents }) => ({ slotId, baseAmountCents: priceCents }));
  expect((await call(customer, checkoutApi.book, { seats })).outcome).toBe('booked');
  const { bookings } = await call(customer, bookingsApi.listMine, { view: 'upcoming' });
  const bookingIds = bookings.map(({ bookingId }) => bookingId) as [string, string];
  await call(admin, deskApi.refund, {
    ...{ bookingId: bookingIds[0], amountCents: 1000, expectedLeftCents: 3000 },
    ...{ borneBy: 'coach', reason: 'The hall was cold' },
  });
  // The demo created a payrun in the last fortnight.
  const { payruns } = await call(admin, payoutsApi.listPayruns, {});
  const payrun = payruns[0]!;

  await becomePerson(page, admin);
  await page.goto('/admin/panel?tab=payouts');
  const lastDay = addDays(`${today().slice(0, 7)}-01`, -1);
  const from = `${lastDay.slice(0, 7)}-01`;
  const before = await download(page, 'Bookings');
  expect(before.name).toBe(`bookings-${from}-to-${lastDay}.csv`);
  expect(before.rows.filter((row) => row.customer === customer.fullName)).toEqual([]);

  await exports(page).getByLabel('Booked to').click();
  const calendar = page.getByRole('dialog', { name: 'Calendar' });
  await calendar.getByRole('button', { name: /next month/i }).click();
  await calendar.locator(`[data-day="${today()}"] button`).click();
  const booked = await download(page, 'Bookings');
  expect(booked.name).toBe(`bookings-${from}-to-${today()}.csv`);
  for (const bookingId of bookingIds) {
    const { booking } = await call(admin, deskApi.get, { bookingId });
    const feeCents = booking.chargedCents - booking.refundedCents - booking.shareCents;
    expect(booked.rows.filter((row) => row.booking_id === bookingId)).toEqual([
      expect.objectContaining({
        ...{ price: '30.00', charged: '30.00', refunded: amount(booking.refundedCents) },
        ...{ platform_fee: amount(feeCents), coach_share: amount(booking.shareCents) },
      }),
    ]);
  }

  const { rows } = await download(page, 'Payments and refunds');
  const made = bookingIds.map((bookingId) =>
    rows.filter((row) => row.booking === shortReference(bookingId)).map((row) => [row.kind, row.amount]),
  );
  const payment = ['payment', '30.00'];
  expect(made).toEqual([[payment, ['refund', '-10.00']], [payment]]);

  const inPayrun = (await download(page, 'Payruns')).rows.filter(
    (row) => row.payrun === shortReference(payrun.payrunId),
  );
  expect(new Set(inPayrun.map((row) => row.booking)).size).toBe(payrun.bookingCount);
  const inCents = inPayrun.map((row) => Math.round(Number(row.amount) * 100));
  expect(inCents.reduce((sum, one) => sum + one, 0)).toBe(payrun.totalAmountCents);
});
