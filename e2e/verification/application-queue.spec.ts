import { applicationsApi } from '#domain/verification/applications-contract.ts';
import { call } from '../support/api.ts';
import { applyAsCoach } from '../support/applications.ts';
import { toast } from '../support/booking-page.ts';
import { unique } from '../support/coaching.ts';
import { readEmail } from '../support/emails.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomeDemo, openCustomer } from '../support/people.ts';
import { open } from '../support/screens.ts';

test('lets an admin ask for changes, approve and decline in the panel [VERIFY-2e]', async ({ page }) => {
  const name = unique('Quentin Queue');
  const person = await openCustomer({ card: null, fullName: name });
  await applyAsCoach(person);
  await becomeDemo(page, 'admin@demo.test');
  await page.goto('/dashboard');
  await page
    .getByRole('list', { name: 'Waiting for you' })
    .getByRole('link', { name: /applications? (is|are) waiting for a decision$/ })
    .click();
  const waiting = page.getByRole('list', { name: 'Waiting applications' });
  const row = waiting.getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('Tennis coach for beginners · Tennis');
  await expect(row).toContainText('No profile picture');
  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText('Six years at a club in Leeds; LTA level 3.')).toBeVisible();
  await expect(page.getByText('Will only coach adults')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Still missing' })).toContainText('No profile picture');

  await page.getByRole('button', { name: 'Ask for changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for changes?' });
  await dialog.getByRole('button', { name: 'Ask for changes' }).click();
  await expect(dialog.getByText('Enter what has to change.')).toBeVisible();
  await dialog.getByLabel('What should change?').fill('Say where you have coached.');
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole('button', { name: 'Ask for changes' }).click();
  await expect(toast(page, 'Changes requested')).toBeVisible();
  await expect(page.getByText('Changes needed', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  expect((await readEmail(person.email, /application/i)).text).toContain('Say where you have coached.');

  // The person submits the application again, and an admin decides on the page that is already open.
  await call(person, applicationsApi.submit, {});
  await page.getByRole('button', { name: 'Approve' }).click();
  const question = page.getByRole('alertdialog', { name: `Make ${name} a coach?` });
  await question.getByRole('button', { name: 'Approve' }).click();
  await expect(toast(page, 'Application approved')).toBeVisible();
  await expect(page.getByText('Approved', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'View their checks' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${name}: checks` })).toBeVisible();

  const other = await openCustomer({ card: null, fullName: unique('Dora Declined') });
  await applyAsCoach(other);
  const { applicationId } = (await call(other, applicationsApi.getOwn, {})).application!;
  await page.goto(`/admin/applications/${applicationId}`);
  await page.getByRole('button', { name: 'Decline' }).click();
  const declining = page.getByRole('dialog', { name: 'Decline this application?' });
  await declining.getByLabel('Reason').fill('We have enough tennis coaches.');
  await declining.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Declined', { exact: true })).toBeVisible();
  await page.goto('/admin/panel?tab=applications');
  await page.getByRole('radio', { name: 'Decided' }).check({ force: true });
  const decided = page.getByRole('list', { name: 'Decided applications' }).getByRole('listitem');
  await expect(decided.filter({ hasText: name })).toContainText('Approved');
});

test("has no serious axe violations or overflow on the admins' application screens [NAV-9b, NAV-9d, UX-5a]", async ({
  page,
}) => {
  const person = await openCustomer({ card: null, fullName: unique('Ira Inspected') });
  await applyAsCoach(person);
  const { applicationId } = (await call(person, applicationsApi.getOwn, {})).application!;
  await becomeDemo(page, 'admin@demo.test');
  await open(page, '/admin/panel?tab=applications', 'No profile picture');
  await inspect(page, 'applications');
  await open(page, `/admin/applications/${applicationId}`, 'Still missing');
  await inspect(page, 'application of a person');
});
