import { bookingsApi } from '#domain/bookings/contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishLessons } from '../support/club.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { addChild, bookFor, inviteGuardian, sectionOf } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomePerson, openCustomer, submitSignIn } from '../support/people.ts';

test('invites a second guardian, who accepts by emailed link and sees the bookings [UX-4c]', async ({
  page,
  browser,
}) => {
  const [lesson] = await publishLessons({ seats: 4, priceCents: 2000 });
  const first = await openCustomer({ fullName: 'Gill Guardian' });
  const second = await openCustomer({ card: null, fullName: 'Sam Second' });
  const child = await addChild(first);
  const bookingId = await bookFor(first, child, lesson!);
  await becomePerson(page, first);
  await page.goto(`/account/family/${child}`);
  const guardians = sectionOf(page, 'Guardians');
  const email = guardians.getByLabel("Guardian's email address");
  await email.fill('sam');
  await email.press('Enter');
  await expect(guardians.getByText('Enter an email address, like name@example.org.')).toBeVisible();
  await email.fill(first.email);
  await email.press('Enter');
  await expect(guardians.getByText('This person is already a guardian.')).toBeVisible();
  await email.fill(second.email);
  await email.press('Enter');
  await expect(toast(page, 'Invitation sent')).toBeVisible();
  await expect(guardians.getByRole('listitem').filter({ hasText: second.email })).toContainText('Invited');

  const link = linkIn(await readEmail(second.email, /invites you/));
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(link);
  await expect(visitor.getByText(/^Gill Guardian invites you/)).toBeVisible();
  await expect(visitor.getByText('Mia')).toHaveCount(0);
  await expectNoViolationsInBothThemes(visitor);
  await visitor.getByRole('link', { name: 'Sign in to reply' }).click();
  await submitSignIn(visitor, second.email);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Become a guardian of Mia Guardian');
  await visitor.getByRole('button', { name: 'Accept' }).click();
  await expect(visitor.getByText('Choose a relationship.')).toBeVisible();
  await expect(visitor.getByText('Confirm that you are 18 or over.')).toBeVisible();
  await visitor.getByLabel('Your relationship to them').selectOption('Grandparent');
  await visitor.getByLabel(/^I'm 18 or over/).check();
  await visitor.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(visitor, 'Invitation accepted')).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Mia Guardian');
  await expect(sectionOf(visitor, 'Guardians').getByRole('listitem')).toHaveText([
    'Gill GuardianParent',
    'Sam Second (you)Grandparent',
  ]);

  // Only the person who booked can cancel.
  await visitor.goto('/customer/my-bookings');
  const next = visitor.getByRole('region', { name: 'Next lesson' });
  await expect(next).toContainText('For Mia Guardian, booked by Gill Guardian');
  await expect(visitor.getByRole('button', { name: /^Cancel Booking/ })).toHaveCount(0);
  await visitor.goto(`/customer/bookings/${bookingId}`);
  await expect(visitor.getByText('Only Gill Guardian can cancel this booking.')).toBeVisible();
  await expect(visitor.getByRole('main')).not.toContainText('4242');
  await page.goto('/customer/my-bookings');
  await expect(page.getByRole('button', { name: /^Cancel Booking/ })).toBeVisible();

  await visitor.goto(`/account/family/${child}`);
  await visitor.getByRole('button', { name: 'Stop being a guardian' }).click();
  await visitor.getByRole('alertdialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(visitor).toHaveURL((url) => url.pathname === '/account/family');
  await expect(visitor.getByRole('main').getByText('Mia Guardian')).toHaveCount(0);
  const { bookings } = await call(second, bookingsApi.listMine, { view: 'upcoming' });
  expect(bookings).toEqual([]);
  await visitor.context().close();
});

test("withdraws an invitation, and says why an invitation can't be used [UX-4c]", async ({ page }) => {
  const guardian = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const invited = await openCustomer({ card: null });
  const child = await addChild(guardian);
  const link = await inviteGuardian(guardian, invited, child);
  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto(link);
  await expect(page.getByText(/sent to another email address/)).toBeVisible();
  await expect(page.getByText('Mia')).toHaveCount(0);
  await page.goto('/guardian-invitation?token=made-up');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invitation not found');
  await page.goto('/guardian-invitation');
  await expect(page.getByText(/This link is incomplete/)).toBeVisible();

  await becomePerson(page, invited);
  await page.goto(link);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(toast(page, 'Invitation declined')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('This invitation was declined.')).toBeVisible();

  const other = await openCustomer({ card: null });
  const again = await inviteGuardian(guardian, other, child);
  await becomePerson(page, guardian);
  await page.goto(`/account/family/${child}`);
  await page.getByRole('button', { name: `Withdraw the invitation to ${other.email}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(toast(page, 'Invitation withdrawn')).toBeVisible();
  await becomePerson(page, other);
  await page.goto(again);
  await expect(page.getByText('This invitation was withdrawn.')).toBeVisible();
});
