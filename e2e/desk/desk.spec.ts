import { randomUUID } from 'node:crypto';
import { deskApi } from '#domain/desk/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { openTab } from '../support/admin-panel.ts';
import { call } from '../support/api.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { readEmail } from '../support/emails.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { changeResponse } from '../support/responses.ts';

const reason = 'The lesson ended early';

test('lets an admin find a booking and refund half of it [CONNECT-1h, CONNECT-13c]', async ({ page }) => {
  const fullName = `Rhiannon ${randomUUID().slice(0, 6)}`;
  const customer = await openCustomer({ fullName });
  const [lesson] = await publishLessons({ priceCents: 5000, seats: 2 });
  const bookingId = await bookByApi(customer, lesson!);
  await openTab(page, 'Bookings');
  await expect(page.getByText('Find a booking')).toBeVisible();
  await page.getByRole('searchbox', { name: /^Search by reference/ }).fill(fullName);
  const row = page.getByRole('table', { name: 'Bookings' }).getByRole('row').filter({ hasText: fullName });
  await expect(row).toContainText('£50.00');
  await expect(page).toHaveURL((url) => url.searchParams.get('booking') === fullName);
  await page.reload();
  await row.getByRole('link', { name: lesson!.title }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/bookings/${bookingId}$`));
  await expect(page.getByRole('heading', { level: 1, name: lesson!.title })).toBeVisible();
  const history = page.getByRole('list', { name: 'History' });
  await expect(history).toContainText('£50.00 charged');

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this booking' });
  await expect(dialog.getByLabel('Amount')).toHaveValue('50.00');
  await dialog.getByRole('button', { name: 'Half' }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('25.00');
  await expect(dialog.getByRole('radio', { name: /^The platform/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Enter the reason. The customer will read it.');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('£25.00 refunded').first()).toBeVisible();
  await expect(history.getByRole('listitem').filter({ hasText: reason })).toContainText(
    'Borne by the platform',
  );
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('25.00');
  await page.keyboard.press('Escape');

  const { text } = await readEmail(customer.email, /^Refund of £25\.00/);
  expect(text).toContain(reason);
  await becomePerson(page, customer);
  await page.goto(`/customer/bookings/${bookingId}`);
  await expect(page.getByRole('main')).toContainText(/£25\.00 (refunded|is on its way back)/);
});

test("keeps a search by a lesson's date in the URL [CONNECT-13c]", async ({ page }) => {
  const customer = await openCustomer({ fullName: `Seren ${randomUUID().slice(0, 6)}` });
  const [lesson] = await publishLessons({ priceCents: 0 });
  const bookingId = await bookByApi(customer, lesson!);
  const { date } = wallTimeOf(lesson!.startTime);
  await becomePerson(page, await openDemo('admin@demo.test'));
  await page.goto(`/admin/panel?tab=bookings&on=${date}`);
  const rows = page.getByRole('table', { name: 'Bookings' }).getByRole('row');
  await expect(rows.filter({ hasText: customer.fullName })).toHaveCount(1);
  await page.getByLabel('Date of the lesson').click();
  // Another day of the month that the calendar shows.
  const other = addDays(date, date.endsWith('-01') ? 1 : -1);
  await page.locator(`[data-day="${other}"]`).getByRole('button').click();
  await expect(page).toHaveURL((url) => url.searchParams.get('on') === other);
  await expect(rows.filter({ hasText: customer.fullName })).toHaveCount(0);
  await page.goto(`/admin/panel?tab=bookings&on=${date}`);
  await rows.filter({ hasText: customer.fullName }).getByRole('link', { name: lesson!.title }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/bookings/${bookingId}$`));
});

test('lets an admin move, cancel and rebook a booking [CONNECT-15b, CONNECT-15a, CONNECT-15c]', async ({
  page,
}) => {
  const customer = await openCustomer();
  const [first, second] = await publishLessons({ count: 2, priceCents: 0, seats: 2 });
  const bookingId = await bookByApi(customer, first!);
  await becomePerson(page, await openDemo('admin@demo.test'));
  await page.goto(`/admin/bookings/${bookingId}`);
  const history = page.getByRole('list', { name: 'History' });
  await page.getByRole('button', { name: 'Move to another date' }).click();
  const move = page.getByRole('dialog', { name: 'Move this booking' });
  await move.getByRole('radio').first().check();
  await move.getByRole('button', { name: 'Move booking' }).click();
  await expect(history).toContainText('Moved to another date');
  const readSlot = async () =>
    (await call(await openDemo('admin@demo.test'), deskApi.get, { bookingId })).booking.slotId;
  expect(await readSlot()).toBe(second!.slotId);

  await page.getByRole('button', { name: 'Cancel booking' }).click();
  const cancel = page.getByRole('dialog', { name: 'Cancel this booking?' });
  await cancel.getByLabel('Reason').fill('You asked us to');
  await cancel.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(history).toContainText('“You asked us to”');
  await page.getByRole('button', { name: 'Book again' }).click();
  const again = page.getByRole('dialog', { name: 'Book again' });
  await again.getByRole('radio').nth(1).check();
  await again.getByRole('button', { name: 'Book again' }).click();
  await expect(page.getByRole('button', { name: 'Move to another date' })).toBeVisible();
  expect(await readSlot()).toBe(second!.slotId);
});

test('offers to ask a second admin for a refund above the limit [CONNECT-1c]', async ({ page }) => {
  const [lesson] = await publishLessons({ priceCents: 5000 });
  const bookingId = await bookByApi(await openCustomer(), lesson!);
  await becomePerson(page, await openDemo('admin@demo.test'));
  // A limit in the settings would apply to every test.
  await changeResponse(page, deskApi.get, (read) => ({
    ...read,
    booking: { ...read.booking, singleAdminCents: 2000 },
  }));
  await page.goto(`/admin/bookings/${bookingId}`);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this booking' });
  await expect(dialog).toContainText('You can refund £20.00 of this booking on your own.');
  await expect(dialog.getByRole('button', { name: 'Ask a second admin' })).toBeVisible();
  await dialog.getByLabel('Amount').fill('20');
  await expect(dialog.getByRole('button', { name: 'Refund', exact: true })).toBeVisible();
});

test("says that a booking doesn't exist", async ({ page }) => {
  await becomePerson(page, await openDemo('admin@demo.test'));
  await page.goto(`/admin/bookings/${randomUUID()}`);
  await expect(page.getByRole('heading', { name: 'Booking not found' })).toBeVisible();
});
