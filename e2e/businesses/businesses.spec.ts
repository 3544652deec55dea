import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { call } from '../support/api.ts';
import { applyAsCoach } from '../support/applications.ts';
import { toast } from '../support/booking-page.ts';
import { unique } from '../support/coaching.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer, type Person, submitSignIn } from '../support/people.ts';
import { failResponse } from '../support/responses.ts';

/** Creates a coach who owns a business with this name. */
async function openOwner(businessName: string): Promise<Person> {
  const owner = await openCoach('Olive Owner');
  await call(owner, businessesApi.saveBusiness, { businessName });
  return owner;
}

const tokenOf = async (email: string) =>
  new URL(linkIn(await readEmail(email, /invites you/))).searchParams.get('token')!;

/** Adds the coach to the owner's team through an invitation. */
async function join(owner: Person, member: Person): Promise<void> {
  await call(owner, invitationsApi.inviteCoach, { email: member.email });
  const token = await tokenOf(member.email);
  await call(member, invitationsApi.acceptInvitation, { token });
}

test('sets up a business and keeps typed text after errors [BIZ-1, BANK-3]', async ({ page }) => {
  await becomePerson(page, await openCoach('Bea Beginner'));
  await page.goto('/coach/business');
  await expect(page.getByRole('heading', { name: 'Set up your business' })).toBeVisible();
  const ofBusiness = ['Business name', 'Email', 'Phone', 'Address', 'Tax ID'];
  for (const field of [...ofBusiness, 'Job title', 'Hourly rate', 'Towns', 'Languages', 'About you']) {
    await expect(page.getByLabel(field)).toHaveValue('');
  }
  const sports = page.getByRole('group', { name: 'Sports' });
  await expect(sports.getByRole('button', { pressed: true })).toHaveCount(0);
  await expect(page.getByText(/^Failed to load/)).toHaveCount(0);
  const save = page.getByRole('button', { name: 'Set up business' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Business name').fill('   ');
  await expect(save).toBeDisabled();
  await page.getByLabel('Business name').fill('Riverside Tennis');
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
  await page.getByLabel('Email').fill('riverside');
  await save.click();
  await expect(page.getByText('Enter an email address, like name@example.org.')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('hello@riverside.example');
  await page.getByLabel('Phone').fill('0113 496 0000');
  await page.getByLabel('Address').fill('1 River Lane\nLeeds');
  await page.getByLabel('Tax ID').fill('GB 123');

  const unsaved = await failResponse(page, businessesApi.saveBusiness);
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Check your connection' })).toBeVisible();
  await expect(page.getByLabel('Business name')).toHaveValue('Riverside Tennis');
  await unsaved.release();
  await save.press('Enter');
  await expect(toast(page, 'Business saved')).toBeVisible();

  await page.reload();
  await expect(page.getByLabel('Address')).toHaveValue('1 River Lane\nLeeds');
  await expect(page.getByLabel('Email')).toHaveValue('hello@riverside.example');
  await expect(page.getByLabel('Phone')).toHaveValue('0113 496 0000');
  await expect(page.getByLabel('Tax ID')).toHaveValue('GB 123');
  await page.getByLabel('Phone').fill('');
  const update = page.getByRole('button', { name: 'Save business' });
  await page.getByLabel('Business name').fill('');
  await expect(update).toBeDisabled();
  await page.getByLabel('Business name').fill('Riverside Tennis');
  await update.click();
  await expect(toast(page, 'Business saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Business name')).toHaveValue('Riverside Tennis');
  await expect(page.getByLabel('Phone')).toHaveValue('');

  const offline = await failResponse(page, businessesApi.getBusiness);
  await page.reload();
  await expect(page.getByText('Failed to load business details', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Set up your business' })).toBeHidden();
  await offline.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Business name')).toHaveValue('Riverside Tennis');
});

test('shows an employee the business without a form [BIZ-1]', async ({ page }) => {
  const owner = await openOwner('Nets and Ladders');
  await call(owner, businessesApi.saveBusiness, {
    businessName: 'Nets and Ladders',
    businessEmail: 'hello@ladders.example',
    businessPhone: '0113 496 0002',
    businessAddress: '3 Ladder Lane\nLeeds',
    taxId: 'GB 456',
  });
  const employee = await openCoach('Emil Employee');
  await join(owner, employee);
  await becomePerson(page, employee);
  await page.goto('/coach/business');
  await expect(page.getByRole('heading', { name: 'Where you work' })).toBeVisible();
  const facts = page.getByRole('definition');
  await expect(facts).toHaveText([
    'Nets and Ladders',
    'Olive Owner',
    'hello@ladders.example',
    '0113 496 0002',
    '3 Ladder Lane Leeds',
  ]);
  for (const label of ['Business name', 'Email', 'Phone', 'Address']) {
    await expect(page.getByLabel(label)).toHaveCount(0);
  }
  for (const text of ['Tax ID', 'GB 456']) await expect(page.getByText(text)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /business$/ })).toHaveCount(0);
});

test("saves a coach's public profile and reports an invalid hourly rate [BIZ-2a, BIZ-2c]", async ({
  page,
}) => {
  const coach = await openCoach(unique('Pia Profile'));
  const { coachAddress } = await call(coach, businessesApi.getCoachProfile, {});
  expect(coachAddress).toMatch(/^pia-profile-/);
  await becomePerson(page, coach);
  await page.goto('/coach/business');
  await page.getByLabel('Job title').fill('Tennis coach');
  await page.getByLabel('Hourly rate').fill('a lot');
  await page.getByRole('button', { name: 'Tennis', exact: true }).click();
  await page.getByRole('button', { name: 'Yoga', exact: true }).click();
  await page.getByLabel('Towns').fill('Leeds, York,, Leeds');
  await page.getByLabel('Languages').fill('English, Polish');
  await page.getByLabel('About you').fill('Calm and clear.');
  await expect(page.getByRole('link', { name: 'See your public profile' })).toHaveAttribute(
    'href',
    `/coaches/${coachAddress}`,
  );
  await expect(page.getByLabel('Link to your public profile')).toHaveValue(
    new RegExp(`^http.+/coaches/${coachAddress}$`),
  );
  const save = page.getByRole('button', { name: 'Save profile' });
  await save.click();
  await expect(page.getByText('Enter the hourly rate in pounds, like 45 or 45.50.')).toBeVisible();
  await page.getByLabel('Hourly rate').fill('45.5');
  await save.click();
  await expect(page.getByText('Profile saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Job title')).toHaveValue('Tennis coach');
  await expect(page.getByLabel('Hourly rate')).toHaveValue('45.50');
  await expect(page.getByLabel('Towns')).toHaveValue('Leeds, York');
  await expect(page.getByLabel('Languages')).toHaveValue('English, Polish');
  await expect(page.getByLabel('About you')).toHaveValue('Calm and clear.');
  const sports = page.getByRole('group', { name: 'Sports' });
  await expect(sports.getByRole('button', { pressed: true })).toHaveText(['Tennis', 'Yoga']);
});

test('lets owners change roles and remove members, and employees only view the team [TEAM-1, ROLE-3]', async ({
  page,
}) => {
  const owner = await openOwner('Harbour Swimming');
  const employee = await openCoach('Emil Employee');
  await join(owner, employee);
  await becomePerson(page, owner);
  await page.goto('/coach/team');
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  await expect(rows).toHaveCount(2);
  const mine = rows.filter({ hasText: 'Olive Owner (you)' });
  await expect(mine.getByText('Owner', { exact: true })).toBeVisible();
  await expect(mine).toContainText(owner.email);
  await expect(page.getByText('No business yet')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Set up your business' })).toBeHidden();
  await expect(mine.getByRole('button')).toHaveCount(0);
  const his = rows.filter({ hasText: employee.email });
  await expect(his.getByText('Emil Employee')).toBeVisible();
  await expect(his.getByText('Employee', { exact: true })).toBeVisible();
  await expect(page.getByText("You're the only owner.")).toBeVisible();
  await expect(page.getByText('Failed to load business data')).toHaveCount(0);
  await expect(page.getByText('Only business owners can manage team members and roles.')).toBeHidden();

  await his.getByRole('button', { name: 'Make Emil Employee an owner' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Make owner' }).click();
  await expect(his.getByText('Owner', { exact: true })).toBeVisible();
  await expect(page.getByText('The business stays with Emil Employee.')).toBeVisible();
  await his.getByRole('button', { name: 'Make Emil Employee an employee' }).click();
  await dialog.getByRole('button', { name: 'Make employee' }).click();
  await expect(his.getByText('Employee', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();

  await becomePerson(page, employee);
  await page.goto('/coach/team');
  await expect(
    page.getByText('Only business owners can manage team members and roles.', { exact: true }),
  ).toBeVisible();
  await expect(rows.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Invite a coach' })).toBeHidden();
  // An employee sees the same facts about each member.
  await expect(rows).toHaveCount(2);
  for (const [person, role] of [
    [owner, 'Owner'],
    [employee, 'Employee'],
  ] as const) {
    const row = rows.filter({ hasText: person.email });
    await expect(row.getByRole('heading')).toContainText(person.fullName);
    await expect(row.getByText(role, { exact: true })).toBeVisible();
  }

  await becomePerson(page, owner);
  await page.goto('/coach/team');
  await his.getByRole('button', { name: 'Remove Emil Employee' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Team member removed')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await becomePerson(page, employee);
  await page.goto('/coach/team');
  await expect(page.getByText('No business yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set up your business' })).toHaveAttribute(
    'href',
    '/coach/business',
  );
  await becomePerson(page, owner);
  await page.goto('/coach/team');

  await page.getByRole('button', { name: 'End business' }).click();
  await expect(dialog.getByRole('heading', { name: 'End Harbour Swimming?' })).toBeVisible();
  await dialog.getByRole('button', { name: 'End business' }).click();
  await expect(toast(page, 'Business ended')).toBeVisible();
  await expect(page.getByText('No business yet')).toBeVisible();
  await page.getByRole('link', { name: 'Set up your business' }).click();
  await expect(page).toHaveURL(/\/coach\/business$/);

  await failResponse(page, businessesApi.listTeam);
  await page.goto('/coach/team');
  await expect(page.getByText('Failed to load business data', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('No business yet')).toHaveCount(0);
});

test('lets an invited coach sign in from the link and join once [TEAM-2]', async ({ page, browser }) => {
  const owner = await openOwner('Hilltop Climbing');
  const invited = await openCoach('Ines Invited');
  await becomePerson(page, owner);
  await page.goto('/coach/team');
  const email = page.getByLabel("Coach's email address");
  await email.fill('ines');
  await email.press('Enter');
  await expect(page.getByText('Enter an email address, like name@example.org.')).toBeVisible();
  await email.fill(owner.email);
  await email.press('Enter');
  await expect(email).toHaveAccessibleDescription("You're already in this team.");
  await email.fill(invited.email);
  await email.press('Enter');
  await expect(page.getByText('Invitation sent')).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: invited.email });
  await expect(row.getByText(/^Valid until /)).toBeVisible();
  const link = linkIn(await readEmail(invited.email, /Hilltop Climbing/));

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { name: 'Join Hilltop Climbing' })).toBeVisible();
  await expectNoViolationsInBothThemes(visitor);
  await visitor.getByRole('link', { name: 'Sign in to reply' }).click();
  await submitSignIn(visitor, invited.email);
  await expect(visitor.getByRole('button', { name: 'Decline' })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Apply to become a coach' })).toHaveCount(0);
  await visitor.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(visitor, "You've joined the team")).toBeVisible();
  await expect(visitor).toHaveURL(/\/coach\/team$/);
  await expect(visitor.getByRole('heading', { name: 'Hilltop Climbing' })).toBeVisible();
  await visitor.goto(link);
  await expect(visitor.getByText('This invitation has already been accepted.')).toBeVisible();
  await visitor.context().close();

  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'Ines Invited' })).toBeVisible();
  await expect(page.getByText('Open invitations')).toBeHidden();
});

test('resends and withdraws invitations; says why an invitation cannot be accepted [TEAM-2]', async ({
  page,
}) => {
  const owner = await openOwner('Quayside Rowing');
  const customer = await openCustomer({ card: null, fullName: 'Cara Customer' });
  const declining = await openCoach('Dan Decliner');
  await call(owner, invitationsApi.inviteCoach, { email: customer.email });
  const first = await tokenOf(customer.email);

  await becomePerson(page, declining);
  await page.goto(`/team-invitation?token=${first}`);
  await expect(page.getByText(/sent to another email address/)).toBeVisible();
  await page.goto('/team-invitation?token=made-up');
  await expect(page.getByText(/no longer exists/)).toBeVisible();
  await page.goto('/team-invitation');
  await expect(page.getByText(/This link is incomplete/)).toBeVisible();

  await becomePerson(page, customer);
  await page.goto(`/team-invitation?token=${first}`);
  await expect(page.getByText(/Only coaches can join a team/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept' })).toBeHidden();
  await page.getByRole('link', { name: 'Apply to become a coach' }).click();
  await expect(page.getByRole('heading', { name: 'Become a coach' })).toBeVisible();
  await applyAsCoach(customer);
  await page.goto(`/team-invitation?token=${first}`);
  await expect(page.getByText("You've applied to become a coach.")).toBeVisible();
  await page.getByRole('link', { name: 'Open your application' }).click();
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();

  await becomePerson(page, owner);
  await page.goto('/coach/team');
  await page.getByRole('button', { name: `Send the invitation to ${customer.email} again` }).click();
  await expect(page.getByText('Invitation sent again')).toBeVisible();
  await page.getByRole('button', { name: `Withdraw the invitation to ${customer.email}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Invitation withdrawn')).toBeVisible();
  await expect(page.getByText('Open invitations')).toBeHidden();

  await call(owner, invitationsApi.inviteCoach, { email: declining.email });
  const token = await tokenOf(declining.email);
  await becomePerson(page, declining);
  await page.goto(`/team-invitation?token=${token}`);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Invitation declined')).toBeVisible();
  await page.goto(`/team-invitation?token=${token}`);
  await expect(page.getByText(/was declined/)).toBeVisible();
});

test('lists Business and Team under Other, and in the tab bar on phones', async ({ page }) => {
  await becomePerson(page, await openOwner('Greenside Golf'));
  await page.goto('/coach/calendar');
  await page.getByRole('button', { name: 'Other' }).click();
  const items = page.getByRole('menuitem');
  await expect(items).toHaveText([
    ...['My Family', 'Registers', 'Reviews', 'Business', 'Team', 'Bank Details', 'Checks', 'Locations'],
  ]);
  await items.getByText('Team').click();
  await expect(page).toHaveURL(/\/coach\/team$/);
  await page.setViewportSize({ width: 390, height: 844 });
  const tabs = page.getByRole('navigation', { name: 'Coach' }).getByRole('link');
  await expect(tabs).toHaveText(['Calendar', 'Earnings', 'Templates', 'Business', 'Team']);
  await tabs.getByText('Business').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Business' })).toBeVisible();
});
