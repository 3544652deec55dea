import type { Page } from '@playwright/test';
import { pageTitles } from '#domain/pages.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { call } from '../support/api.ts';
import { answerBank, bookingOf, confirmButton } from '../support/booking-page.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { serveFailedRefunds } from '../support/failed-refunds.ts';
import { expect, test } from '../support/fixtures.ts';
import { expectToFit, inspect } from '../support/inspection.ts';
import { becomePerson, openCoach, openCustomer, openDemo } from '../support/people.ts';
import { changeResponse } from '../support/responses.ts';
import { amount, cellsOf, dialogOf, expectAmounts, figures, inspectOver, open } from '../support/screens.ts';
import { submitDocument } from '../support/trust-file.ts';

// Inspects screens, dialogs and menus, except those of families (family-screens.spec.ts), of reviews
// (review-screens.spec.ts) and of applicants (verification/application-screens.spec.ts). Add a line for every new one.

/** Inspects the theme menu and the phone menu over the current page. */
async function inspectMenus(page: Page): Promise<void> {
  const theme = page.locator('summary[aria-label="Theme"]');
  await theme.click();
  await expect(page.getByRole('banner').getByText('System')).toBeVisible();
  await inspect(page, 'theme menu', 'desktop');
  await page.keyboard.press('Escape');
  await expect(theme).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await inspect(page, 'phone menu', 'phone');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('shows pence and has no overflow or serious axe violations on visitor screens [NAV-9b, NAV-9d, UX-5a]', async ({
  page,
}) => {
  for (const path of [
    '/',
    '/login',
    '/signup',
    '/signup?next=/become-a-coach',
    '/become-a-coach',
    '/forgot-password',
    '/reset-password',
    '/verify?link=recovery&token_hash=made-up',
    '/team-invitation?token=made-up',
    '/guardian-invitation?token=made-up',
    '/pictures/00000000-0000-4000-8000-000000000001/report',
    '/email-change?token=made-up',
    '/coach/calendar',
    '/account',
    '/notifications',
    '/unsubscribe?token=made-up',
    '/no-such-page',
    '/demo/outbox',
    `/coaches/${(await openDemo('coach@demo.test')).userId}`,
    '/terms',
  ]) {
    await open(page, path);
    await inspect(page, path);
  }
  await open(page, '/customer/discover?type=group', 'left');
  await inspect(page, 'discover');
  const [lesson] = await publishLessons();
  await page.goto(bookingOf(lesson!));
  await expect(dialogOf(page)).toContainText('Login Required');
  await inspect(page, 'sign in first');
});

test('shows pence and has no overflow or serious axe violations on booking screens [NAV-9b, NAV-9d, UX-3]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ seats: 3 });
  await becomePerson(page, await openCustomer({ card: testCards.asksAlways }));
  for (const [path, text] of [
    ['/customer/my-bookings', 'No bookings yet'],
    ['/customer/coaches', 'No coaches yet'],
    ['/customer/dashboard', 'No recent activity'],
  ] as const) {
    await open(page, path, text);
    await expect(page.getByRole('main').locator('a[href="/customer/discover"]').first()).toBeVisible();
    await inspect(page, text);
  }

  await open(page, '/customer/discover?search=nothing-like-this', 'No lessons match these filters');
  await inspect(page, 'no lessons');
  await open(page, '/customer/discover?type=group&sort=price_low', 'left');
  await expect(
    page.getByRole('main').getByRole('listitem').filter({ hasText: 'left' }).first(),
  ).toContainText(amount);
  await inspect(page, 'discover with filters');
  await page.getByRole('button', { name: 'From date' }).click();
  await expect(page.getByRole('dialog', { name: 'Calendar' })).toBeVisible();
  await inspect(page, 'date picker', 'desktop');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await inspect(page, 'filters', 'phone');
  await page.goto(`/customer/discover?lesson=${lesson!.slotId}`);
  await expect(dialogOf(page)).toContainText('shoes that grip');
  await expect(dialogOf(page)).toContainText('£50.00');
  await inspect(page, 'lesson');
  await page.goto(bookingOf(lesson!));
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £50.00');
  await expect(dialogOf(page)).toContainText('Total price£50.00');
  await inspect(page, 'booking');
  await page.getByRole('button', { name: 'Add to basket' }).click();
  await expect(page.getByText('1 place in your basket')).toBeVisible();
  await inspect(page, 'discover with a basket');
  await open(page, '/customer/basket', lesson!.title);
  await expect(page.getByRole('main')).toContainText('Total price for 1 place£50.00');
  await inspect(page, 'basket');
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
  await inspect(page, 'empty basket');
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  await expect(page.frameLocator('iframe').getByText("Confirm it's you")).toBeVisible();
  await inspect(page, 'bank');
  await page.getByRole('button', { name: 'Stop without confirming' }).click();
  await expect(dialogOf(page).getByRole('alert')).toContainText("You didn't finish your bank's check");
  await inspect(page, 'booking failed');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(dialogOf(page)).toContainText("You're booked");
  await inspect(page, 'booked');
});

test('shows pence and has no overflow or serious axe violations on customer screens [NAV-9b, NAV-9d, UX-3]', async ({
  page,
}) => {
  const [booked] = await publishLessons({ seats: 3, priceCents: 1850 });
  const person = await openCustomer();
  const bookingId = await bookByApi(person, booked!);
  await becomePerson(page, person);
  await open(page, '/customer/my-bookings', 'Next lesson');
  await expect(page.getByRole('main')).toContainText('£18.50');
  await inspect(page, 'my bookings');
  await inspectOver(page, 'cancel', /^Cancel Booking/);
  await open(page, `/customer/bookings/${bookingId}`, 'Reference');
  await expect(page.getByRole('main')).toContainText('£18.50');
  await inspect(page, 'receipt');
  await open(page, '/customer/dashboard', 'Next lesson');
  await inspect(page, 'dashboard');
  await open(page, '/customer/coaches', 'an hour');
  await expect(page.getByRole('main')).toContainText(/£\d[\d,]*\.\d\d an hour/);
  await inspect(page, 'my coaches');
  await open(page, '/account', person.email);
  await inspect(page, 'account');
  await open(page, '/customer/payment-methods', 'Visa ending 4242');
  await inspect(page, 'payment methods');
  await inspectOver(page, 'remove the card', /^Remove/);
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByText('Enter the month and year')).toBeVisible();
  await inspect(page, 'card form');
});

test('shows pence and has no overflow or serious axe violations on lesson screens [NAV-9b, NAV-9d, UX-5a]', async ({
  page,
}) => {
  const [lesson] = await publishLessons({ seats: 3 });
  await bookByApi(await openCustomer(), lesson!);
  await becomePerson(page, await openDemo('coach@demo.test'));
  for (const view of ['day', 'week', 'month']) {
    await open(page, `/coach/calendar?view=${view}`);
    await inspect(page, view);
  }
  await open(page, `/coach/calendar?view=day&date=${lesson!.startTime.slice(0, 10)}`);
  await inspectOver(page, 'create slots', 'Create Slots');
  await inspectOver(page, 'subscribe', 'Subscribe');
  await inspectMenus(page);
  await page.getByRole('button', { name: 'Other' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await inspect(page, 'menu of other pages', 'desktop');

  await open(page, `/coach/lesson/${lesson!.slotId}`, 'Cleo Customer');
  await inspect(page, 'lesson');
  for (const label of ['Edit', 'Move', 'Cancel lesson']) await inspectOver(page, label, label);
  await open(page, `/coach/lesson/${crypto.randomUUID()}`, 'Lesson not found');
  await inspect(page, 'lesson not found');
});

test('shows pence and has no overflow or serious axe violations on coach screens [NAV-9b, NAV-9d, UX-3]', async ({
  page,
}) => {
  const coach = await openDemo('coach@demo.test');
  await call(coach, payoutsApi.saveBankDetails, {
    accountName: 'Casey Coach',
    sortCode: '08-99-99',
    accountNumber: '66374958',
  });
  await becomePerson(page, coach);
  await open(page, '/coach/templates', 'Serve clinic');
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText(amount);
  await inspect(page, 'templates');
  await inspectOver(page, 'create template', 'Create New Template');
  await inspectOver(page, 'delete template', /^Delete/);
  await open(page, '/coach/locations', 'Leeds');
  await inspect(page, 'locations');
  await inspectOver(page, 'add location', /^Add/);
  await inspectOver(page, 'delete location', /^Delete/);
  await open(page, '/coach/earnings', 'To come');
  await expectAmounts(page.locator('h2:text-is("To come") + p'));
  await expectAmounts(figures(page, /^(Total|This month|Gross|Refunds|Platform fee|Net|Paid out|To come)/));
  await expectAmounts(await cellsOf(page, 'Statement', ['Net', 'To come']));
  await inspect(page, 'earnings');
  const { payments } = await call(coach, earningsApi.listPayments, {});
  await open(page, `/coach/earnings/${payments[0]!.payrunId}`);
  await expect(page.getByRole('table', { name: 'Lessons' })).toContainText(amount);
  await inspect(page, 'statement');
  await open(page, '/notifications');
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
  await inspect(page, 'notifications');
  await open(page, '/coach/business', 'Business');
  await inspect(page, 'business');
  await open(page, '/coach/team', '(you)');
  await inspect(page, 'team');
  await inspectOver(page, 'remove member', /^Remove/);
  await open(page, '/coach/verification', 'Public liability insurance');
  await inspect(page, 'checks and documents');
  await inspectOver(page, 'submit a document', /^Submit/);
  await open(page, '/coach/bank-details', '••••4958');
  await inspect(page, 'bank details');
  await page.getByRole('button', { name: 'Change bank details' }).click();
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByText('Enter the name on the account.')).toBeVisible();
  await inspect(page, 'bank details with errors');
});

/** Makes the two newest payruns pending for this page; the newest needs an admin other than its creator. */
async function waitOnAnotherAdmin(page: Page): Promise<void> {
  const waiting = { status: 'pending', paidAt: null, cancelledAt: null } as const;
  await changeResponse(page, payoutsApi.listPayruns, (list) => ({
    ...list,
    payruns: list.payruns.map((payrun, index) =>
      index < 2 ? { ...payrun, ...waiting, needsSecondAdmin: index === 0 } : payrun,
    ),
  }));
}

test('shows pence and has no overflow or serious axe violations on admin screens [NAV-9b, NAV-9d, UX-3]', async ({
  page,
}) => {
  const admin = await openDemo('admin@demo.test');
  await becomePerson(page, admin);
  await open(page, '/dashboard', 'Platform overview');
  await expectAmounts(figures(page, /^(Revenue|Fees)$/));
  await inspect(page, 'dashboard');
  await open(page, '/admin/panel?tab=overview', 'Payouts due');
  await page.getByText('Show the figures as a table').click();
  await expectAmounts(figures(page, /^(Revenue|Fees|Payouts due)$/).locator('span:first-child'));
  await expectAmounts(await cellsOf(page, 'Figures by day', ['Revenue', 'Fees']));
  await inspect(page, 'overview');
  await open(page, '/admin/panel?tab=users');
  await page.getByLabel('Search by name or email').fill('admin@demo.test');
  await expect(page.getByText('(you)').first()).toBeVisible();
  await inspect(page, 'users');
  await page.getByRole('row').filter({ hasText: '(you)' }).getByRole('button', { name: 'Admin' }).click();
  await expect(dialogOf(page)).toBeVisible();
  await inspect(page, 'give up a role');
  await page.keyboard.press('Escape');
  const bookingId = await bookByApi(await openCustomer(), (await publishLessons({ count: 2 }))[0]!);
  await open(page, `/admin/panel?tab=bookings&booking=${bookingId}`, 'Visa ending 4242');
  await inspect(page, 'found bookings');
  await open(page, `/admin/bookings/${bookingId}`, 'Place held');
  await inspect(page, 'booking at the desk');
  await inspectOver(page, 'refund a booking', 'Refund');
  await inspectOver(page, 'cancel a booking at the desk', 'Cancel booking');
  await inspectOver(page, 'move a booking', 'Move to another date');
  await serveFailedRefunds(page);
  await waitOnAnotherAdmin(page);
  await open(page, '/admin/panel?tab=payouts', 'Select the bookings to pay.');
  await expect(page.getByText('Needs another admin')).toBeVisible();
  const waiting = page.getByRole('row').filter({ hasText: 'Needs another admin' });
  await expect(waiting.getByRole('button')).toHaveText(['Cancel payrun']);
  await page.getByLabel('Only coaches with bank details').click();
  await expect(page.getByLabel('Only coaches with bank details')).toBeChecked();
  await expect(page.getByRole('table', { name: 'Payable bookings' }).getByText('Missing')).toHaveCount(0);
  await page
    .getByRole('row')
    .getByRole('checkbox', { name: /^Select .+ with / })
    .first()
    .check();
  await expectAmounts(await cellsOf(page, 'Payable bookings', ['Amount']));
  await expectAmounts(await cellsOf(page, 'Payruns', ['Total']));
  await inspect(page, 'payouts');
  await inspectOver(page, 'create payrun', 'Create payrun');
  await inspectOver(page, 'settle a refund', /^Settle another way/);
  await inspectOver(page, 'mark as paid', /^Mark Paid/);
  await page
    .getByRole('button', { name: /^More actions for payrun/ })
    .first()
    .click();
  await expect(page.getByRole('menu')).toBeVisible();
  await inspect(page, 'more for a payrun', 'desktop');
  await page.keyboard.press('Escape');
  await inspectOver(page, 'cancel payrun', /^Cancel payrun/);
  const { payruns } = await call(admin, payoutsApi.listPayruns, {});
  // The oldest one, because other tests create payruns whose payments are returned, which removes the button.
  const paid = payruns.findLast(({ status }) => status === 'paid');
  await open(page, `/admin/payruns/${paid!.payrunId}`);
  await expectAmounts(await cellsOf(page, 'Payments', ['Payment']));
  await expectAmounts(await cellsOf(page, 'Bookings', ['Amount']));
  await expect(page.getByRole('button', { name: /^Mark as returned/ }).first()).toBeVisible();
  await inspect(page, 'payrun');
  const { disputes } = await call(admin, disputesApi.listDisputes, {});
  await open(page, `/admin/disputes/${disputes[0]!.disputeId}`);
  await expect(page.getByRole('table', { name: 'Disputed bookings' })).toContainText(amount);
  await inspect(page, 'dispute');
  await open(page, '/admin/panel?tab=settings', 'Platform fee');
  await inspect(page, 'settings');
  await open(page, '/admin/panel?tab=verification', 'Required checks');
  await inspect(page, 'checks');
  const coach = await openCoach();
  await submitDocument(coach, 'insurance');
  await open(page, `/admin/coaches/${coach.userId}`, 'Pitchside Mutual');
  await inspect(page, 'checks of a coach');
  for (const label of ['Record a check', 'Accept', 'Decline']) await inspectOver(page, label, label);
  await open(page, '/admin/panel?tab=pictures', 'Reported pictures');
  await inspect(page, 'pictures');
});

test('fits each page of a signed-in person into windows from 360 to 1920 px [UX-5a]', async ({ page }) => {
  const [lesson] = await publishLessons();
  const customer = await openCustomer();
  const coach = await openDemo('coach@demo.test');
  const { payments } = await call(coach, earningsApi.listPayments, {});
  const ids = {
    ...{ $bookingId: await bookByApi(customer, lesson!), $slotId: lesson!.slotId },
    $payrunId: payments[0]!.payrunId,
    $participantId: customer.userId,
  };
  // Redirects have no title; the tests above inspect the pages outside these areas.
  const pathsIn = (area: RegExp) =>
    Object.entries(pageTitles)
      .filter(([path, title]) => title !== '' && area.test(path))
      .map(([path]) => path.replace(/\$\w+/g, (name) => ids[name as keyof typeof ids]));
  const admin = await openDemo('admin@demo.test');
  const [{ disputes }, { payruns }] = [
    await call(admin, disputesApi.listDisputes, {}),
    await call(admin, payoutsApi.listPayruns, {}),
  ];
  const adminPaths = [
    ...['overview', 'users', 'bookings', 'payouts', 'settings', 'verification', 'pictures', 'reviews'].map(
      (tab) => `/admin/panel?tab=${tab}`,
    ),
    `/admin/bookings/${ids.$bookingId}`,
    `/admin/payruns/${payruns[0]!.payrunId}`,
    `/admin/disputes/${disputes[0]!.disputeId}`,
    `/admin/coaches/${coach.userId}`,
  ];
  for (const [person, paths] of [
    [customer, pathsIn(/^\/(customer|account|notifications)/)],
    [coach, pathsIn(/^\/coach/)],
    [admin, ['/dashboard', ...adminPaths]],
  ] as const) {
    expect(paths.length).toBeGreaterThan(4);
    await becomePerson(page, person);
    for (const path of paths) {
      await open(page, path);
      const loading = page
        .getByRole('main')
        .getByRole('status')
        .filter({ hasText: /^Loading/ });
      await expect(loading, path).toHaveCount(0);
      await expectToFit(page, path);
    }
  }
});
