import type { Locator, Page, Request } from '@playwright/test';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { storageApi } from '#domain/storage/contract.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { call } from '../support/api.ts';
import { bookByApi, publishAt, publishLessons } from '../support/club.ts';
import { someDay } from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import {
  becomeDemo,
  becomePerson,
  newAddress,
  openCoach,
  openCustomer,
  openDemo,
} from '../support/people.ts';
import { changeResponse, failResponse, giveResponse } from '../support/responses.ts';
import { submitDocument } from '../support/trust-file.ts';

test("offers a next step on each of a newcomer's empty screens [UX-4b]", async ({ page }) => {
  // A new coach also has the customer role.
  const coach = await openCoach();
  await becomePerson(page, coach);
  const main = page.getByRole('main');
  for (const [path, text, step, target] of [
    ['/customer/my-bookings', 'No bookings yet', 'Find a lesson', '/customer/discover'],
    ['/customer/coaches', 'No coaches yet', 'Find a lesson', '/customer/discover'],
    ['/customer/dashboard', 'No upcoming lessons', 'Find a lesson', '/customer/discover'],
    ['/coach/team', 'No business yet', 'Set up your business', '/coach/business'],
    ['/coach/earnings', 'No earnings yet', 'Go to your calendar', '/coach/calendar'],
    ['/customer/basket', 'Your basket is empty', 'Find a lesson', '/customer/discover'],
    ['/customer/reviews', 'No reviews yet', 'My bookings', '/customer/my-bookings'],
    [`/account/family/${coach.userId}/progress`, 'No lessons yet', 'Find a lesson', '/customer/discover'],
  ] as const) {
    await page.goto(path);
    await expect(main.getByText(text, { exact: true })).toBeVisible();
    await main.getByRole('link', { name: step, exact: true }).click();
    await expect(page, path).toHaveURL((url) => url.pathname === target);
  }
  for (const [path, text, step, field] of [
    ['/coach/templates', 'No lesson templates yet', 'Create New Template', 'Title'],
    ['/coach/locations', 'No locations yet', 'Add a location', 'Town'],
    ['/customer/payment-methods', 'No card saved yet', 'Add Payment Method', 'Card number'],
    ['/account/family', 'Nobody else yet', 'Add someone', 'Full name'],
  ] as const) {
    await page.goto(path);
    await expect(main.getByText(text, { exact: true })).toBeVisible();
    await main.getByRole('button', { name: step, exact: true }).click();
    await expect(page.getByLabel(field), path).toBeVisible();
  }
  await page.goto('/coach/calendar');
  await main.getByRole('button', { name: 'Create Slots' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Lesson Slots' });
  await expect(dialog.getByText('No lesson templates yet', { exact: true })).toBeVisible();
  await dialog.getByRole('link', { name: 'Create a template' }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/coach/templates');

  await page.goto('/customer/discover?search=nothing-like-this');
  await expect(main.getByText('No lessons match these filters', { exact: true })).toBeVisible();
  await main
    .getByRole('button', { name: /^(Clear|Remove)/ })
    .last()
    .click();
  await expect(page).toHaveURL((url) => !url.searchParams.has('search'));
  await expect(main.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();

  // These screens have no button, because something else has to happen first.
  for (const [path, text, step] of [
    [
      '/coach/registers',
      'No registers right now',
      'Booked lessons appear here from 7 days before they start.',
    ],
    [
      '/coach/reviews',
      'No reviews yet',
      "A day after a lesson, we invite customers who can review you to write a review. If you haven't marked attendance, we invite them after two days.",
    ],
    [
      '/welfare-concerns',
      'No concerns',
      'Coaches can report a concern from their notes about a participant.',
    ],
  ] as const) {
    await page.goto(path);
    for (const shown of [text, step]) await expect(main.getByText(shown, { exact: true })).toBeVisible();
  }
  // Uses a customer, because a new coach already has a notification.
  await becomePerson(page, await openCustomer({ card: null }));
  for (const [path, text, step] of [
    [
      '/notifications',
      'No notifications yet',
      'Your bookings, changes to your lessons and reminders will appear here.',
    ],
    ['/customer/dashboard', 'No recent activity', 'Book your first lesson to get started!'],
  ] as const) {
    await page.goto(path);
    for (const shown of [text, step]) await expect(main.getByText(shown, { exact: true })).toBeVisible();
  }
  await giveResponse(page, discoverApi.discoverSlots, { slots: [], ratings: [], nextCursor: null });
  // Opens the list from within the app, because the server would render it on a page load.
  await page.getByRole('banner').getByRole('link', { name: 'Book', exact: true }).click();
  for (const shown of [
    'No open lessons right now',
    'New lessons appear here as soon as coaches publish them. Check back soon.',
  ]) {
    await expect(main.getByText(shown, { exact: true })).toBeVisible();
  }
});

test('offers an admin a next step when a search or a list is empty [UX-4b]', async ({ page }) => {
  await becomeDemo(page, 'admin@demo.test');
  const nobody = 'nobody-like-this';
  for (const [filter, text, step, params] of [
    [
      `tab=users&search=${nobody}&role=coach`,
      'No people match this search',
      'Show everyone',
      ['search', 'role'],
    ],
    [`tab=overview&about=${nobody}`, 'No entries match this search', 'Clear filters', ['about']],
    [`tab=payouts&coach=${nobody}`, 'Nothing to pay', 'Show all payable bookings', ['coach']],
    [`tab=bookings&booking=${nobody}`, 'No bookings match this search', 'Clear search', ['booking']],
    [`tab=verification&search=${nobody}`, 'No coaches match', 'Show all coaches', ['search']],
  ] as const) {
    await page.goto(`/admin/panel?${filter}`);
    const title = page.getByRole('main').getByText(text, { exact: true });
    await expect(title).toBeVisible();
    await page.getByRole('button', { name: step, exact: true }).click();
    await expect(title, filter).toBeHidden();
    for (const param of params) await expect(page).toHaveURL((url) => !url.searchParams.has(param));
  }
  await giveResponse(page, payoutsApi.listPayruns, { payruns: [], nextCursor: null });
  await page.goto('/admin/panel?tab=payouts');
  await expect(page.getByText('No payruns yet', { exact: true })).toBeVisible();
  await expect(page.getByText('Select bookings below to create the first one.')).toBeVisible();
  const expectEmpty = async (tab: string, text: string, step: string) => {
    await page.goto(`/admin/panel?tab=${tab}`);
    for (const shown of [text, step]) await expect(page.getByText(shown, { exact: true })).toBeVisible();
  };
  await giveResponse(page, storageApi.listReportedPictures, { pictures: [] });
  await expectEmpty('pictures', 'No reported pictures', 'Reports from visitors will appear here.');
  await giveResponse(page, applicationQueueApi.list, { applications: [], waiting: 0, nextCursor: null });
  await expectEmpty('applications', 'Nobody is waiting', 'Applications that people submit will appear here.');
  await giveResponse(page, checksApi.listWaiting, { documents: [], nextCursor: null });
  await expectEmpty(
    'verification',
    'No documents to check',
    'Documents that coaches submit will appear here.',
  );
  await giveResponse(page, moderationApi.listCases, { cases: [], nextCursor: null });
  await expectEmpty('reviews', 'Nothing to decide', 'Cases about reviews will appear here.');
});

/** Presses the button, declines the confirmation, and fails if a change was sent to the server. */
async function keep(page: Page, button: Locator, title: string | RegExp, keepLabel: string): Promise<void> {
  const sent: string[] = [];
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    // Ignores session renewals, which may happen at any time.
    const isCall = /^\/(api|auth)\//.test(pathname) && pathname !== '/auth/v1/token';
    if (request.method() !== 'GET' && isCall) sent.push(`${request.method()} ${pathname}`);
  };
  page.on('request', note);
  await button.click();
  const question = page
    .getByRole('alertdialog', { name: title })
    .or(page.getByRole('dialog', { name: title }));
  await question.getByRole('button', { name: keepLabel, exact: true }).click();
  await expect(question).toBeHidden();
  await expect(button).toBeVisible();
  page.off('request', note);
  expect(sent, String(title)).toEqual([]);
}

test('asks customers and coaches to confirm destructive actions [UX-4c]', async ({ page }) => {
  const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
  const customer = await openCustomer();
  const [lesson] = await publishLessons();
  await bookByApi(customer, lesson!);
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await keep(page, button(/^Cancel Booking/), 'Cancel this booking?', 'Keep Booking');
  await page.goto('/customer/payment-methods');
  await keep(page, button('Remove'), 'Remove this card?', 'Keep card');
  const reviewed = await openDemo('customer@demo.test');
  const { reviews } = await call(reviewed, reviewsApi.listOwn, {});
  await becomePerson(page, reviewed);
  // The first review may be too old to be changed.
  await changeResponse(page, reviewsApi.getOwn, (found) => ({ ...found, refusal: null }));
  await page.goto(`/customer/reviews/${reviews[0]!.bookingId}`);
  await keep(page, button('Delete review'), 'Delete this review?', 'Cancel');

  const coach = await openCoach();
  const date = someDay();
  const { slotId } = await publishAt(coach, { date, hour: 9 }, { title: 'Kept lesson' });
  const court = { name: 'Kept court', address: '', city: 'Leeds', postcode: '' };
  await call(coach, catalogueApi.createLocation, court);
  await call(coach, businessesApi.saveBusiness, { businessName: 'Kept Club' });
  const guest = newAddress();
  await call(coach, invitationsApi.inviteCoach, { email: guest });
  await becomePerson(page, coach);
  await page.goto('/coach/templates');
  await keep(page, button('Delete Kept lesson'), 'Delete “Kept lesson”?', 'Cancel');
  await page.goto('/coach/locations');
  await keep(page, button('Delete Kept court'), 'Delete “Kept court”?', 'Cancel');
  await page.goto(`/coach/lesson/${slotId}`);
  await keep(page, button('Cancel lesson'), 'Cancel this lesson?', 'Keep lesson');
  await keep(page, button('Delete lesson'), 'Delete this lesson?', 'Keep lesson');
  await page.goto(`/coach/calendar?view=day&date=${date}`);
  await keep(page, button('Cancel day'), /^Cancel .*\?$/, 'Keep lessons');
  await page.goto('/coach/team');
  await keep(page, button(/^Withdraw/), 'Withdraw this invitation?', 'Keep invitation');
  await keep(page, button('End business'), 'End Kept Club?', 'Keep business');
  await submitDocument(coach, 'insurance');
  await page.goto('/coach/verification');
  await keep(page, button(/^Withdraw/), 'Withdraw this document?', 'Keep document');
  await page.goto('/account');
  await keep(page, button('Delete your account'), 'Delete your account?', 'Keep my account');
  await keep(page, button('Sign out everywhere'), 'Sign out everywhere?', 'Cancel');

  // Uses an owner of the demo club, because a new coach has no team.
  await becomePerson(page, await openDemo('coach@demo.test'));
  await page.goto('/coach/team');
  await keep(page, button('Remove Benny Bogus'), 'Remove Benny Bogus from the team?', 'Cancel');
  await becomePerson(page, await openDemo('benny.bogus@demo.test'));
  await page.goto('/coach/team');
  await keep(page, button('Leave team'), /^Leave .+\?$/, 'Stay');
});

test('asks admins to confirm destructive actions; keeps a typed reason on failure [UX-4c, UX-4d]', async ({
  page,
}) => {
  await becomeDemo(page, 'admin@demo.test');
  await changeResponse(page, payoutsApi.listPayruns, (list) => ({
    ...list,
    payruns: list.payruns.map((payrun, index) => ({
      ...payrun,
      ...{
        status: 'pending' as const,
        paidAt: null,
        cancelledAt: null,
        exportedAt: null,
        needsSecondAdmin: index === 1,
      },
    })),
  }));
  await page.goto('/admin/panel?tab=payouts');
  const paid = page.getByRole('button', { name: /^Mark Paid/ }).first();
  await keep(page, paid, 'Mark this payrun as paid?', 'Cancel');
  const cancelled = page.getByRole('button', { name: /^Cancel payrun/ }).first();
  await keep(page, cancelled, 'Cancel this payrun?', 'Keep payrun');
  await cancelled.click();
  const cancelling = page.getByRole('dialog', { name: 'Cancel this payrun?' });
  await cancelling.getByLabel('Reason').fill('Made twice');
  await failResponse(page, payoutsApi.cancelPayrun);
  await cancelling.getByRole('button', { name: 'Cancel payrun' }).click();
  await expect(cancelling.getByRole('alert')).toContainText("We couldn't reach the server.");
  await expect(cancelling.getByLabel('Reason')).toHaveValue('Made twice');

  const fullName = `Kit ${newAddress().slice(8, 30)}`;
  const person = await openCustomer({ card: null, fullName });
  await page.goto(`/admin/panel?tab=users&search=${encodeURIComponent(person.email)}`);
  const ended = page.getByRole('button', { name: `Sign out ${fullName} everywhere` });
  await keep(page, ended, `Sign ${fullName} out everywhere?`, 'Cancel');

  await page.goto('/admin/panel?tab=users&search=admin%40demo.test');
  const own = page.getByRole('row').filter({ hasText: '(you)' }).getByRole('button', { name: 'Admin' });
  await keep(page, own, 'Remove your own admin role?', 'Keep my admin role');
  await expect(own).toHaveAttribute('aria-pressed', 'true');

  // The server refuses the first request to remove a role from someone with upcoming lessons. The screen then asks for
  // confirmation.
  const coach = await openCoach(`Kay ${newAddress().slice(8, 30)}`);
  const { slotId } = await publishAt(coach, { date: someDay(), hour: 10 }, { seats: 2 });
  await bookByApi(person, { slotId, priceCents: 0 });
  for (const [{ fullName: name, email }, role] of [
    [coach, 'coach'],
    [person, 'customer'],
  ] as const) {
    await page.goto(`/admin/panel?tab=users&search=${encodeURIComponent(email)}`);
    const button = page
      .getByRole('group', { name: `Roles of ${name}` })
      .getByRole('button', { name: role === 'coach' ? 'Coach' : 'Customer' });
    await button.click();
    const question = page.getByRole('alertdialog', { name: `Remove the ${role} role from ${name}?` });
    await expect(question).toContainText('still has 1 booked lesson.');
    await question.getByRole('button', { name: `Keep ${role} role`, exact: true }).click();
    await expect(question).toBeHidden();
    await page.reload();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
  }
});
