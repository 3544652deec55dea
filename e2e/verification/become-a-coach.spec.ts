import { accountsApi } from '#domain/accounts/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { applicationQueueApi, applicationsApi } from '#domain/verification/applications-contract.ts';
import { call } from '../support/api.ts';
import { applyAsCoach, completeApplication } from '../support/applications.ts';
import { toast } from '../support/booking-page.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import {
  becomePerson,
  demoPassword,
  newAddress,
  openCoach,
  openCustomer,
  openDemo,
  type Person,
  verifyEmail,
} from '../support/people.ts';
import { changeResponse, failResponse, holdResponse } from '../support/responses.ts';

type Decision = 'approve' | 'changes' | 'decline';

/** Decides on a person's application as the demo's admin, through the API. */
async function decide(person: Person, decision: Decision, message = ''): Promise<void> {
  const { application } = await call(person, applicationsApi.getOwn, {});
  const { applicationId, submittedAt } = application!;
  const admin = await openDemo('admin@demo.test');
  await call(admin, applicationQueueApi.decide, {
    ...{ applicationId, decision, message },
    submittedAt: submittedAt!,
  });
}

test('takes people from "Join as Coach" through a verified email to the application [VERIFY-1d]', async ({
  page,
}) => {
  const email = newAddress();
  await page.goto('/');
  await page.getByRole('link', { name: 'Join as Coach' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Join as a coach' })).toBeVisible();
  await expect(page.getByText(/Then apply to coach with/)).toBeVisible();
  await page.getByLabel('Full name').fill('Cora Candidate');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Create account and apply' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await verifyEmail(page, email);
  await expect(page).toHaveURL(/\/become-a-coach$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Become a coach' })).toBeVisible();
});

test('links from the footer to the coach sign-up, or to the application if signed in', async ({ page }) => {
  const footer = page.getByRole('contentinfo').getByRole('link', { name: 'Coach with us' });
  await page.goto('/coaches/tess-trial');
  await footer.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Join as a coach' })).toBeVisible();
  await becomePerson(page, await openCustomer({ card: null, fullName: 'Fay Footer' }));
  await page.goto('/coaches/tess-trial');
  await footer.click();
  await expect(page).toHaveURL(/\/become-a-coach$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Become a coach' })).toBeVisible();
});

test('saves a draft while typing and names what is missing, with links to it [VERIFY-1a, VERIFY-1e]', async ({
  page,
}) => {
  await becomePerson(page, await openCustomer({ card: null, fullName: 'Della Draft' }));
  await page.goto('/become-a-coach');
  const missing = page.getByRole('complementary', { name: 'Still missing' });
  const labels = [
    ...['Headline', 'About you', 'Sports', 'Where you will coach', 'Experience and qualifications'],
    ...['People under 18', 'Terms'],
  ];
  await expect(missing.getByRole('link')).toHaveText(labels);
  const controls = [
    ...[page.getByLabel('Headline'), page.getByLabel('About you')],
    page.getByRole('group', { name: 'Sports' }).getByRole('button').first(),
    page.getByRole('button', { name: 'England' }),
    page.getByLabel('Experience and qualifications'),
    page.getByRole('radio', { name: /coach people under 18/ }),
    page.getByRole('checkbox', { name: /I accept the terms/ }),
  ];
  for (const [index, name] of labels.entries()) {
    await missing.getByRole('link', { name }).click();
    await expect(controls[index]!).toBeFocused();
  }
  const saved = page.getByText('Draft saved', { exact: true });
  await expect(saved).toHaveCount(0);

  // Without a connection, the page keeps what was typed and saves it later.
  const offline = await failResponse(page, applicationsApi.saveDraft);
  await page.getByLabel('Headline').fill('Tennis for beginners');
  await expect(page.getByText(/^Not saved yet\./)).toBeVisible();
  await offline.release();
  // The page itself tries again after 8 s.
  await page.getByRole('button', { name: 'Save now' }).or(saved).first().click();
  await expect(saved).toBeVisible();
  await page.getByRole('group', { name: 'Sports' }).getByRole('button', { name: 'Tennis' }).click();
  await page.getByLabel('About you').fill('Small groups.');
  await expect(missing.getByRole('link')).toHaveCount(4);
  await expect(saved).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Headline')).toHaveValue('Tennis for beginners');
  await expect(page.getByLabel('About you')).toHaveValue('Small groups.');
  await expect(page.getByRole('button', { name: 'Tennis', pressed: true })).toBeVisible();

  // An incomplete application isn't submitted; the first missing field gets the focus.
  await page.getByRole('button', { name: 'Submit application' }).click();
  await expect(page.getByText('Choose where you will coach.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'England' })).toBeFocused();
  await expectNoViolationsInBothThemes(page);

  // Leaving the page doesn't lose a change that is waiting to be saved.
  await page.getByLabel('Experience and qualifications').fill('Six years.');
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: /Welcome back/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Experience and qualifications')).toHaveValue('Six years.');
  await page.getByRole('button', { name: 'England' }).click();
  await page.getByRole('radio', { name: /only coach adults/ }).check({ force: true });
  await page.getByRole('checkbox', { name: /I accept the terms/ }).check();
  await expect(page.getByRole('heading', { name: 'Ready to submit' })).toBeVisible();
  await page.getByRole('button', { name: 'Submit application' }).click();
  await expect(toast(page, 'Application submitted')).toBeVisible();
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();
  await expect(page.getByText('Six years.')).toBeVisible();
  await expectNoViolationsInBothThemes(page);
});

test('shows each decision and grants the coach role without a reload [VERIFY-1f, UX-4c]', async ({
  page,
}) => {
  const person = await openCustomer({ card: null, fullName: 'Wanda Waiting' });
  await applyAsCoach(person);
  await becomePerson(page, person);
  await page.goto('/become-a-coach');
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isKept: true }));
  await decide(person, 'changes', 'Please say where you have coached.');
  await expect(page.getByRole('heading', { name: 'We need a change before we can decide' })).toBeVisible();
  await expect(page.getByText('Please say where you have coached.')).toBeVisible();
  await page.getByLabel('Experience and qualifications').fill('Six years at Hyde Park.');
  await page.getByRole('button', { name: 'Submit again' }).click();
  await expect(page.getByText('Six years at Hyde Park.')).toBeVisible();
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();

  await decide(person, 'decline', 'We have enough tennis coaches.');
  await expect(page.getByRole('heading', { name: "Your application wasn't accepted" })).toBeVisible();
  await expect(page.getByText('We have enough tennis coaches.')).toBeVisible();
  await page.getByRole('button', { name: 'Apply again' }).click();
  await expect(page.getByLabel('Experience and qualifications')).toHaveValue('Six years at Hyde Park.');
  await page.getByRole('button', { name: 'Withdraw application' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('heading', { name: 'You withdrew your application' })).toBeVisible();
  await page.getByRole('button', { name: 'Apply again' }).click();
  await page.getByRole('checkbox', { name: /I accept the terms/ }).check();
  await page.getByRole('button', { name: 'Submit application' }).click();
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();

  await decide(person, 'approve');
  await expect(page.getByRole('heading', { name: "You're in! You're now a coach" })).toBeVisible();
  await expect(page.getByRole('banner').getByText('Customer, Coach')).toBeVisible();
  // A reload would have removed this mark.
  expect(await page.evaluate(() => 'isKept' in window)).toBe(true);
  const { profile } = await call(person, accountsApi.getProfile, {});
  expect(profile!.roles).toContain('coach');
  await page.getByRole('link', { name: 'Start with your first steps' }).click();
  const steps = page.getByRole('region', { name: 'Your first steps' });
  await expect(steps.getByText('1 of 6 done')).toBeVisible();
  await page.goto('/become-a-coach');
  await expect(page.getByText(/you're (now|already) a coach/i).first()).toBeVisible();
});

test('says on submission that the person is a coach if coaches join at once', async ({ page }) => {
  const person = await openCustomer({ card: null, fullName: 'Ada Atonce' });
  await call(person, applicationsApi.saveDraft, completeApplication);
  await becomePerson(page, person);
  // Other tests share the setting of the whole club, so an admin approves while the page waits.
  await changeResponse(page, applicationsApi.getOwn, (own) => ({ ...own, joining: 'at_once' as const }));
  const submission = await holdResponse(page, applicationsApi.submit, { once: true });
  await page.goto('/become-a-coach');
  await expect(page.getByText(/^Tell us who you are and what you teach\. Submit.* at once\./)).toBeVisible();
  await expect(page.getByText('We read every application')).toHaveCount(0);
  await expectNoViolationsInBothThemes(page);
  await page.getByRole('button', { name: 'Submit application' }).click();
  await submission.arrived;
  await decide(person, 'approve');
  await submission.release();
  await expect(page.getByRole('heading', { name: "You're in! You're now a coach" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start with your first steps' })).toBeVisible();
});

test('updates the page of a person whose application was decided in the meantime', async ({
  page,
  context,
}) => {
  const person = await openCustomer({ card: null, fullName: 'Tara Tabs' });
  await applyAsCoach(person);
  await becomePerson(page, person);
  await page.goto('/become-a-coach');
  const other = await context.newPage();
  await other.goto('/become-a-coach');
  await other.getByRole('button', { name: 'Withdraw application' }).click();
  await decide(person, 'approve');
  // The coach's page changes while the dialog is open.
  await expect(other.getByRole('heading', { name: "You're in! You're now a coach" })).toBeVisible();
  await expect(page.getByRole('heading', { name: "You're in! You're now a coach" })).toBeVisible();
});

test('leads an invited person into the application and on to the team [VERIFY-1g]', async ({ page }) => {
  const owner = await openCoach('Olive Owner');
  await call(owner, businessesApi.saveBusiness, { businessName: 'Lakeside Rowing' });
  const invited = await openCustomer({ card: null, fullName: 'Ivo Invited' });
  await call(owner, invitationsApi.inviteCoach, { email: invited.email });
  const link = linkIn(await readEmail(invited.email, /Lakeside Rowing/));
  await becomePerson(page, invited);
  await page.goto(link);
  await page.getByRole('link', { name: 'Apply to become a coach' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Become a coach' })).toBeVisible();
  await applyAsCoach(invited);
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();
  await page.goto(link);
  await expect(page.getByText("You've applied to become a coach.")).toBeVisible();
  await decide(invited, 'approve');
  await page.goto(link);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page, "You've joined the team")).toBeVisible();
  await expect(page).toHaveURL(/\/coach\/team$/);
});

test('asks visitors to sign in or sign up before they apply', async ({ page }) => {
  await page.goto('/become-a-coach');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Join as a coach' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get('next') === '/become-a-coach');
});
