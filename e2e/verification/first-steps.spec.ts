import { firstStepsApi } from '#domain/account/first-steps-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { storageOf } from '#server/storage/pictures.test-support.ts';
import { call, productUrl } from '../support/api.ts';
import { publishAt, soon } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach } from '../support/people.ts';
import { createRandomPicture } from '../support/pictures.ts';
import { changeResponse } from '../support/responses.ts';

test('shows the first steps above the calendar until they are done [VERIFY-13b]', async ({ page }) => {
  const coach = await openCoach('Nia New');
  await becomePerson(page, coach);
  await page.goto('/coach/calendar');
  const steps = page.getByRole('region', { name: 'Your first steps' });
  await expect(steps.getByText('0 of 6 done')).toBeVisible();
  const screens = [
    ['Complete your profile', /\/coach\/business$/],
    ['Add your picture', /\/account$/],
    ['Add a location', /\/coach\/locations$/],
    ['Create a template', /\/coach\/templates$/],
    ['Enter your bank details', /\/coach\/bank-details$/],
  ] as const;
  for (const [name, url] of screens) {
    await steps.getByRole('link', { name }).click();
    await expect(page).toHaveURL(url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
  }
  await steps.getByRole('link', { name: 'Publish your first lessons' }).click();
  await expect(page.getByRole('dialog', { name: 'Create New Lesson Slots' })).toBeVisible();
  await page.keyboard.press('Escape');

  // A phone shows only the next step until someone asks for the others.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(steps.getByRole('listitem').filter({ visible: true })).toHaveText([/Complete your profile/]);
  await steps.getByRole('button', { name: 'Show all' }).click();
  await expect(steps.getByRole('listitem').filter({ visible: true })).toHaveCount(6);
  await page.setViewportSize({ width: 1280, height: 720 });

  // The card changes without a reload once a lesson is published elsewhere.
  await publishAt(coach, soon());
  await expect(steps.getByText('2 of 6 done')).toBeVisible();
  await expect(steps.getByRole('link', { name: 'Create a template' })).toHaveCount(0);

  const profile = { coachType: 'Tennis coach', bio: 'Small groups.', sports: ['tennis' as const] };
  await call(coach, businessesApi.saveCoachProfile, profile);
  const account = { accountName: 'Nia New', sortCode: '089999', accountNumber: '66374958' };
  await call(coach, payoutsApi.saveBankDetails, account);
  const picture = await createRandomPicture(400, 400);
  const { error } = await storageOf(productUrl, coach)
    .from('avatars')
    .upload(`${coach.userId}/avatar`, picture, { contentType: 'image/png' });
  expect(error).toBeNull();
  await page.reload();
  await expect(steps.getByText('5 of 6 done')).toBeVisible();
  await steps.getByRole('link', { name: 'Add a location' }).click();
  await page.getByRole('button', { name: 'Add a location' }).first().click();
  await page.getByLabel('Name').fill('Hyde Park');
  await page.getByLabel('Address').fill('14 Park Road');
  await page.getByLabel('Town').fill('Leeds');
  await page.getByLabel('Postcode').fill('LS6 3AA');
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText('Hyde Park').first()).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Calendar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test('adds checks and documents to the first steps if the club requires any [VERIFY-13c]', async ({
  page,
}) => {
  const coach = await openCoach('Cleo Checked');
  await becomePerson(page, coach);
  // The club of these tests requires nothing of coaches.
  const answer = (isDone: boolean) =>
    changeResponse(page, firstStepsApi.list, ({ steps }) => ({
      steps: [...steps, { step: 'checks' as const, isDone }],
    }));
  const open = await answer(false);
  await page.goto('/coach/calendar');
  const steps = page.getByRole('region', { name: 'Your first steps' });
  await expect(steps.getByText('0 of 7 done')).toBeVisible();
  await expect(steps.getByRole('listitem').last()).toHaveText(/checks and documents/);
  await steps.getByRole('link', { name: 'Provide your checks and documents' }).click();
  await expect(page).toHaveURL(/\/coach\/verification$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Checks and documents' })).toBeVisible();
  await open.release();

  const done = await answer(true);
  await page.goto('/coach/calendar');
  await expect(steps.getByText('1 of 7 done')).toBeVisible();
  await expect(steps.getByRole('link', { name: 'Provide your checks and documents' })).toHaveCount(0);
  await done.release();
});
