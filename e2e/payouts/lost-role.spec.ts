import { payoutsApi } from '#domain/payouts/contract.ts';
import { call } from '../support/api.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, openCoach, openCustomer, setRole } from '../support/people.ts';

test('lets a customer whose role was removed still cancel and get a refund [NAV-7, ROLE-8]', async ({
  page,
}) => {
  const customer = await openCustomer({ fullName: 'Rosa Removed' });
  const [lesson] = await publishLessons();
  await bookByApi(customer, lesson!);
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/admin/panel?tab=users');
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(customer.email);
  const users = page.getByRole('table', { name: 'Users' });
  await expect(users.getByRole('row')).toHaveCount(2);
  const role = users.getByRole('button', { name: 'Customer', exact: true });
  await role.click();
  const question = page.getByRole('alertdialog', { name: 'Remove the customer role from Rosa Removed?' });
  await expect(question).toContainText('Rosa Removed still has 1 booked lesson.');
  await expectNoViolationsInBothThemes(page);
  await question.getByRole('button', { name: 'Remove customer role' }).click();
  await expect(role).toHaveAttribute('aria-pressed', 'false');

  await becomePerson(page, customer);
  await page.goto('/customer/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
  await expect(
    page.getByText('You need customer permissions to access this area.', { exact: true }),
  ).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payment' }).click();
  await expect(page.getByText('Visa ending 4242')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replace' })).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Bookings' }).click();
  await page.getByRole('link', { name: lesson!.title }).click();
  await page.getByRole('button', { name: 'Cancel Booking' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Booking' }).click();
  // The refund may have arrived before the page is read.
  await expect(
    page.getByText(/£50\.00 (is on its way back|refunded to Visa ending 4242)/).first(),
  ).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const tabs = page.getByRole('navigation', { name: 'Customer' });
  await expect(tabs.getByRole('link')).toHaveText(['Bookings', 'Payment']);
  await expectNoViolationsInBothThemes(page);
});

test('keeps earnings and bank details, but not the calendar, open to a former coach [NAV-7, ROLE-8]', async ({
  page,
}) => {
  const coach = await openCoach('Fay Former');
  const account = { accountName: 'Fay Former', sortCode: '08-99-99', accountNumber: '66374958' };
  await call(coach, payoutsApi.saveBankDetails, account);
  await setRole(coach, 'coach', false);
  await becomePerson(page, coach);
  for (const path of ['', '/templates', '/locations', '/business', '/team', '/calendar']) {
    await page.goto(`/coach${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
    await expect(
      page.getByText('You need coach permissions to access this area.', { exact: true }),
    ).toBeVisible();
  }
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Earnings' }).click();
  await expect(page.getByText('There are no earnings to pay out.')).toBeVisible();
  await nav.getByRole('link', { name: 'Bank Details' }).click();
  await expect(page.getByRole('button', { name: 'Change bank details' })).toBeVisible();
});
