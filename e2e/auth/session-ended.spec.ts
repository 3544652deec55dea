import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { publishAt, publishLessons } from '../support/club.ts';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import {
  becomeDemo,
  endSessions,
  openCoach,
  openCustomer,
  readSession,
  submitSignIn,
} from '../support/people.ts';
import { beforeNextCall } from '../support/responses.ts';

test('returns to the same step after a new sign-in when the session ended elsewhere [DISC-4]', async ({
  page,
}) => {
  // Live updates would sign the page out before the responses.
  await stopLiveUpdates(page);
  const [lesson] = await publishLessons({ seats: 2 });
  const customer = await openCustomer();
  const endSession = async () => endSessions(await readSession(page));
  const signInAgain = (email = customer.email) => submitSignIn(page, email);
  await becomeDemo(page, customer.email);
  await endSession();
  await page.goto('/customer/payment-methods?next=%2Fcustomer%2Fcoaches');
  await expect(page.getByRole('heading', { name: "You're signed out" })).toBeVisible();
  await expectNoViolations(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: "You're signed out" })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signInAgain();
  await expect(page).toHaveURL(/\/customer\/payment-methods\?next=%2Fcustomer%2Fcoaches$/);

  // The session ends when the button has been pressed, before the server gets the booking. If it ended earlier, any
  // request for data could sign the page out before the press.
  await page.goto(`/customer/discover?book=${lesson!.slotId}`);
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: /^Confirm Booking/ });
  await expect(confirm).toBeEnabled();
  await beforeNextCall(page, bookingsApi.book, endSession);
  await confirm.click();
  await expect(dialog.getByRole('heading')).toHaveText("You're signed out");
  await expect(dialog).not.toContainText(/Login Required|Authentication Required/);
  await expect(page.getByText(/JWT/)).toHaveCount(0);
  await dialog.getByRole('link', { name: 'Sign In' }).click();
  await signInAgain();
  await expect(page).toHaveURL(new RegExp(`${lesson!.slotId}$`));
  await expect(confirm).toBeEnabled();
  await confirm.click();
  await expect(dialog).toContainText("You're booked");

  // The session also ends during a cancellation and during a lesson's move.
  await page.goto('/customer/my-bookings');
  await page.getByRole('button', { name: /^Cancel Booking/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel this booking?' });
  await expect(question).toBeVisible();
  await beforeNextCall(page, bookingsApi.cancel, endSession);
  await question.getByRole('button', { name: 'Cancel Booking' }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signInAgain();
  await question.getByRole('button', { name: 'Keep Booking' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/\/customer\/my-bookings$/);

  const coach = await openCoach();
  const own = await publishAt(coach, { date: addDays(wallTimeOf(Date.now()).date, 3), hour: 9 });
  await becomeDemo(page, coach.email);
  await page.goto(`/coach/lesson/${own.slotId}`);
  await expect(page.getByText('Nobody has booked yet')).toBeVisible();
  await page.getByRole('button', { name: 'Move' }).click();
  const move = page.getByRole('dialog', { name: 'Move lesson' });
  await move.getByLabel('Duration').fill('45');
  await beforeNextCall(page, lessonsApi.moveSlot, endSession);
  await move.getByRole('button', { name: 'Move lesson' }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signInAgain(coach.email);
  await expect(move).toBeVisible();
  await page.goto('/coach/calendar?create=2031-03-04T17%3A15');
  const plan = page.getByRole('dialog', { name: 'Create New Lesson Slots' });
  await expect(plan.getByLabel('Hour')).toHaveValue('17');
  await expect(plan.getByLabel('Minutes')).toHaveValue('15');
  await plan.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/coach\/calendar$/);
});
