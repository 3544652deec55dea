import type { Page } from '@playwright/test';
import { adminApi } from '#domain/admin/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { call } from '../support/api.ts';
import { confirmButton, goodExpiry, toast } from '../support/booking-page.ts';
import { clearAttendance, publishLessons } from '../support/club.ts';
import { expect, test, waitForLayout } from '../support/fixtures.ts';
import { pressOn, tabTo, typeInto } from '../support/keyboard.ts';
import { becomePerson, newAddress, openCustomer, openDemo, setRole } from '../support/people.ts';
import { failResponse } from '../support/responses.ts';

// These tests use no pointer. Changes made with `doTwice` are refused once before they succeed.

let refusals = 0;

/** Performs an action twice. The first attempt shows a refusal and `kept` passes; the second shows `done`. */
async function doTwice(
  page: Page,
  endpoint: Endpoint,
  { perform, kept, done }: { perform: () => Promise<void>; kept?: () => Promise<void>; done: string },
): Promise<void> {
  // Each refusal has its own text, because the previous toast may still be shown.
  refusals += 1;
  const refusal = `The ledger is being checked. Please try again in ${refusals + 1} minutes.`;
  const refused = await failResponse(page, endpoint, { code: 'conflict', message: refusal });
  await perform();
  const refusalToast = toast(page, refusal);
  await expect(refusalToast.locator('[data-title]')).toHaveText('Error');
  await expect(refusalToast).toHaveAttribute('data-type', 'error');
  await kept?.();
  await refused.release();
  await perform();
  await expect(toast(page, done)).toHaveAttribute('data-type', 'success');
}

test('lets a coach work with the keyboard alone and keeps typed text after a refusal [NAV-9c, UX-1b, UX-4d]', async ({
  page,
}) => {
  const coach = await openCustomer({ card: null, fullName: 'Kay Keyboard' });
  await setRole(coach, 'coach', true);
  await becomePerson(page, coach);
  const dialog = page.getByRole('dialog');

  await page.goto('/coach/templates');
  await expect(page.getByText('No lesson templates yet', { exact: true })).toBeVisible();
  await pressOn(page, page.getByRole('button', { name: 'Create New Template' }).first());
  await typeInto(page, dialog.getByLabel('Title'), 'Backhand hour');
  await typeInto(page, dialog.getByLabel('Price'), '32.50');
  await doTwice(page, catalogueApi.createTemplate, {
    perform: () => pressOn(page, dialog.getByRole('button', { name: 'Create template' })),
    kept: async () => {
      await expect(dialog.getByLabel('Title')).toHaveValue('Backhand hour');
      await expect(dialog.getByLabel('Price')).toHaveValue('32.50');
    },
    done: 'Lesson template created',
  });
  await expect(page.getByRole('heading', { name: 'Backhand hour' })).toBeVisible();

  await page.goto(`/coach/calendar?date=${addDays(wallTimeOf(Date.now()).date, 30)}`);
  await pressOn(page, page.getByRole('button', { name: 'Create Slots' }));
  await tabTo(page, dialog.getByLabel('Lesson template'));
  await page.keyboard.type('Backhand');
  await expect(dialog.getByLabel('Lesson template').locator('option:checked')).toContainText('Backhand hour');
  await tabTo(page, dialog.getByLabel('Hour'));
  await page.keyboard.type('11');
  const create = dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' });
  await expect(create).toBeEnabled();
  await doTwice(page, slotsApi.createSlots, {
    perform: () => pressOn(page, create),
    kept: () => expect(dialog.getByLabel('Hour')).toHaveValue('11'),
    done: '1 lesson slot created',
  });
  await expect(dialog).toBeHidden();

  await page.goto('/coach/business');
  const business = page.getByLabel('Business name');
  await typeInto(page, business, 'Keyboard Club');
  await doTwice(page, businessesApi.saveBusiness, {
    perform: () => pressOn(page, page.getByRole('button', { name: /^S(et up|ave) business/ })),
    kept: () => expect(business).toHaveValue('Keyboard Club'),
    done: 'Business saved',
  });
  const about = page.getByLabel('About you');
  await typeInto(page, about, 'Twenty years on grass');
  await doTwice(page, businessesApi.saveCoachProfile, {
    perform: () => pressOn(page, page.getByRole('button', { name: 'Save profile' })),
    kept: () => expect(about).toHaveValue('Twenty years on grass'),
    done: 'Profile saved',
  });

  await page.goto('/coach/locations');
  await pressOn(page, page.getByRole('button', { name: 'Add a location' }));
  await typeInto(page, dialog.getByLabel('Name'), 'Keyboard Court');
  await typeInto(page, dialog.getByLabel('Town'), 'Leeds');
  await doTwice(page, catalogueApi.createLocation, {
    perform: () => pressOn(page, dialog.getByRole('button', { name: 'Save location' })),
    kept: async () => {
      await expect(dialog.getByLabel('Name')).toHaveValue('Keyboard Court');
      await expect(dialog.getByLabel('Town')).toHaveValue('Leeds');
    },
    done: 'Location added',
  });

  await page.goto('/coach/bank-details');
  await typeInto(page, page.getByLabel('Name on the account'), 'Kay Keyboard');
  await typeInto(page, page.getByLabel('Sort code'), '089999');
  await typeInto(page, page.getByLabel('Account number'), '66374958');
  await doTwice(page, payoutsApi.saveBankDetails, {
    perform: () => pressOn(page, page.getByRole('button', { name: 'Save bank details' })),
    kept: () => expect(page.getByLabel('Account number')).toHaveValue('66374958'),
    done: 'Bank details saved',
  });

  const guest = newAddress();
  await page.goto('/coach/team');
  await typeInto(page, page.getByLabel("Coach's email address"), guest);
  await doTwice(page, invitationsApi.inviteCoach, {
    perform: () => page.keyboard.press('Enter'),
    kept: () => expect(page.getByLabel("Coach's email address")).toHaveValue(guest),
    done: 'Invitation sent',
  });

  await page.goto('/coach/templates');
  await pressOn(page, page.getByRole('button', { name: 'Delete Backhand hour' }));
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: 'Delete Backhand hour' })).toBeFocused();
  await doTwice(page, catalogueApi.deleteTemplate, {
    perform: async () => {
      await pressOn(page, page.getByRole('button', { name: 'Delete Backhand hour' }));
      await pressOn(page, question.getByRole('button', { name: 'Delete' }));
      await expect(question).toBeHidden();
    },
    done: 'Lesson template deleted',
  });
  await expect(page.getByText('No lesson templates yet', { exact: true })).toBeVisible();
});

test('marks attendance with the keyboard alone [NAV-9c]', async ({ page }) => {
  const coach = await openDemo('coach@demo.test');
  const today = wallTimeOf(Date.now()).date;
  const period = { from: addDays(today, -28), to: addDays(today, -1) };
  const { slots } = await call(coach, slotsApi.listCoachSlots, period);
  // Uses the last lesson in the list, because another test reads the attendance of the first lessons.
  const held = slots.findLast(({ status, bookedCount }) => status === 'completed' && bookedCount === 1)!;
  // Pressing "Absent" again would remove a mark that the demo has made.
  await clearAttendance(coach, held.slotId);
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${held.slotId}`);
  const absent = page.getByRole('button', { name: /^Absent/ });
  await pressOn(page, absent, 'Space');
  await expect(absent).toHaveAttribute('aria-pressed', 'true');
  const attended = page.getByRole('button', { name: /^Attended/ });
  await page.keyboard.press('Shift+Tab');
  await expect(attended).toBeFocused();
  await page.keyboard.press('Space');
  await expect(attended).toHaveAttribute('aria-pressed', 'true');
  const count = page.getByRole('status').filter({ hasText: 'to mark' });
  await expect(count).toHaveText('1 attended0 absent0 to mark');
});

test('lets an admin grant a role, save the fee and pay out with the keyboard alone [NAV-9c, UX-1b, UX-4d]', async ({
  page,
}) => {
  const admin = await openDemo('admin@demo.test');
  const user = await openCustomer({ card: null, fullName: 'Rory Role' });
  // Avoids the coach for whom another test creates a payrun.
  const coach = await openDemo('fred.fiction@demo.test');
  await call(coach, payoutsApi.saveBankDetails, {
    accountName: 'Fred Fiction',
    sortCode: '10-79-99',
    accountNumber: '88837491',
  });
  await becomePerson(page, admin);
  await page.goto('/admin/panel');
  await pressOn(page, page.getByRole('tab', { name: 'Overview' }), 'ArrowRight');
  await expect(page.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true');
  await typeInto(page, page.getByRole('searchbox', { name: 'Search by name or email' }), user.email);
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2);
  const coachRole = page.getByRole('group', { name: 'Roles of Rory Role' }).getByRole('button', {
    name: 'Coach',
  });
  await doTwice(page, adminApi.changeRole, {
    perform: () => pressOn(page, coachRole, 'Space'),
    kept: async () => {
      await expect(coachRole).toHaveAttribute('aria-pressed', 'false');
      await expect(coachRole).toBeFocused();
    },
    done: 'Role added',
  });

  await page.goto('/admin/panel?tab=settings');
  const percent = page.getByRole('form', { name: 'Platform fee' }).getByLabel('Percentage of the price');
  let isNew = true;
  await typeInto(page, percent, '2.5');
  await doTwice(page, settingsApi.updatePlatformFee, {
    perform: async () => {
      await page.keyboard.press('Enter');
      if (isNew)
        await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Change fee' }));
    },
    kept: async () => {
      await expect(percent).toHaveValue('2.5');
      // Then saves the current fee, because other tests rely on that fee.
      await typeInto(page, percent, '2');
      isNew = false;
    },
    done: 'Platform fee saved',
  });

  const { bookings } = await call(admin, payoutsApi.listPayableBookings, { readyOnly: 'true' });
  const booking = bookings.find(({ coachId }) => coachId === coach.userId)!;
  await page.goto('/admin/panel?tab=payouts');
  await pressOn(page, page.getByLabel('Only coaches with bank details'), 'Space');
  const row = page
    .getByRole('table', { name: 'Payable bookings' })
    .getByRole('row')
    .filter({ hasText: booking.bookingId.slice(0, 8) });
  await pressOn(page, row.getByRole('checkbox'), 'Space');
  await pressOn(page, page.getByRole('button', { name: 'Create payrun' }));
  const dialog = page.getByRole('dialog', { name: 'Create payrun' });
  const reference = `KEYS ${Date.now().toString(36).toUpperCase()}`;
  await typeInto(page, dialog.getByLabel('Payment reference'), reference);
  await doTwice(page, payoutsApi.createPayrun, {
    perform: () => pressOn(page, dialog.getByRole('button', { name: 'Create payrun' })),
    kept: () => expect(dialog.getByLabel('Payment reference')).toHaveValue(reference),
    done: 'Payrun created',
  });
  const payrun = page.getByRole('table', { name: 'Payruns' }).getByRole('row').filter({ hasText: reference });
  const download = page.waitForEvent('download', { timeout: 0 });
  await doTwice(page, payoutsApi.getPayrunCsvRows, {
    perform: async () => {
      // To reach the table, Tab has to wrap from the end of the page to its start. Toasts are at the end and would send
      // the focus back, because in a headless browser no browser controls come after them.
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
      await pressOn(page, payrun.getByRole('button', { name: /^Download CSV/ }));
    },
    done: 'CSV downloaded',
  });
  expect((await download).suggestedFilename()).toMatch(/^payrun-[\da-f]{8}\.csv$/);
  const question = page.getByRole('alertdialog');
  await doTwice(page, payoutsApi.markPayrunPaid, {
    perform: async () => {
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
      await pressOn(page, payrun.getByRole('button', { name: /^Mark Paid/ }));
      await pressOn(page, question.getByRole('button', { name: 'Mark Paid' }));
      await expect(question).toBeHidden();
    },
    done: 'Payrun marked as paid',
  });
  await expect(payrun).toContainText('Paid');
});

test('saves a card; finds, books and cancels a lesson with the keyboard alone [NAV-9b, NAV-9c]', async ({
  page,
}) => {
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto('/customer/payment-methods');
  await pressOn(page, page.getByRole('button', { name: 'Add Payment Method' }));
  await typeInto(page, page.getByLabel('Card number'), testCards.good);
  await typeInto(page, page.getByLabel('Expiry date'), goodExpiry);
  await typeInto(page, page.getByLabel('Security code'), '123');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Card saved')).toBeVisible();
  const { slot } = await call(null, slotsApi.getOpenSlot, { slotId: lesson!.slotId });
  await page.goto('/customer/discover');
  await waitForLayout(page);
  await typeInto(
    page,
    page.getByRole('combobox', { name: 'Coach' }).filter({ visible: true }),
    slot.coachName,
  );
  // The results for the first letters may also include the coach, but below other coaches.
  const found = page.locator('[role=option]').filter({ visible: true });
  await expect(found).toHaveText([new RegExp(`^${slot.coachName}`)]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('coachId') === slot.coachId);
  const calendar = page.getByRole('dialog', { name: 'Calendar' });
  await pressOn(page, page.getByRole('button', { name: 'From date' }).filter({ visible: true }));
  await expect(calendar.locator('[data-day] :focus')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(({ searchParams }) => searchParams.has('from'));

  await page.goto('/customer/discover');
  await waitForLayout(page);
  const search = page.getByRole('searchbox', { name: 'Search lessons' }).filter({ visible: true });
  await typeInto(page, search, lesson!.title);
  await expect(page.getByRole('status').filter({ hasText: /^1 lesson$/ })).toBeVisible();
  const book = page.getByRole('link', { name: `Book Lesson: ${lesson!.title}` });
  await pressOn(page, book);
  await expect(confirmButton(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(book).toBeFocused();
  await page.keyboard.press('Enter');
  await pressOn(page, confirmButton(page));
  await expect(page.getByRole('dialog')).toContainText("You're booked");
  await pressOn(page, page.getByRole('dialog').getByRole('link', { name: 'View My Bookings' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My bookings');
  await pressOn(page, page.getByRole('button', { name: /^Cancel Booking/ }));
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Keep Booking' })).toBeFocused();
  await pressOn(page, question.getByRole('button', { name: 'Cancel Booking' }));
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
});
