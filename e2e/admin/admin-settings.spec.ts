import { defaultBrand } from '#domain/default-brand.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { openTab } from '../support/admin-panel.ts';
import { call } from '../support/api.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { openDemo } from '../support/people.ts';
import { failResponse } from '../support/responses.ts';

test('shows errors at the fields, asks before a fee change and saves settings [ADM-6c, ADM-6d, LAND-2b]', async ({
  page,
}) => {
  await openTab(page, 'Settings');
  const form = page.getByRole('form', { name: 'Platform fee' });
  const percent = form.getByLabel('Percentage of the price');
  await expect(percent).toHaveValue('2');
  await expect(form.getByRole('checkbox', { name: 'Charge a fee' })).toBeChecked();
  const save = form.getByRole('button', { name: 'Save platform fee' });
  const question = page.getByRole('alertdialog', { name: 'Change the platform fee?' });
  const change = question.getByRole('button', { name: 'Change fee' });
  for (const wrong of ['100.1', '-1', '2.25', '']) {
    await percent.fill(wrong);
    await save.click();
    await expect(form.getByRole('alert')).toContainText('from 0 to 100');
    await expect(percent).toHaveValue(wrong);
  }
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/platform-fee') && asked.push(request.method()));
  const offline = await failResponse(page, settingsApi.updatePlatformFee);
  await percent.fill('2.5');
  await save.click();
  await expect(question).toContainText(
    'The fee changes from 2% to 2.5% for all coaches. It applies to every booking made after you confirm',
  );
  await expect(question).toContainText('Existing bookings keep their fee');
  await inspect(page, 'change the platform fee');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  expect(asked).toEqual([]);
  await save.click();
  await change.click();
  await expect(form.getByRole('alert')).toContainText("couldn't reach");
  await expect(question).toBeHidden();
  await expect(percent).toHaveValue('2.5');
  await offline.release();
  await expect(form).toContainText('the platform keeps £1.25 and the coach gets £48.75');
  // Records the submitted fee but saves 2%, because other tests' bookings rely on that fee.
  const sent: unknown[] = [];
  await page.route('**/api/admin/settings/platform-fee', (route) => {
    const fee = route.request().postDataJSON();
    sent.push(fee);
    return route.continue({ postData: { ...fee, percent: 2, enabled: true } });
  });
  await save.click();
  await change.click();
  await expect(page.getByText('Platform fee saved')).toBeVisible();
  expect(sent).toEqual([{ mode: 'percentage', percent: 2.5, enabled: true }]);
  await page.goto('/admin/panel?tab=settings');
  await expect(percent).toHaveValue('2');
  await form.getByRole('checkbox', { name: 'Charge a fee' }).click();
  await save.click();
  await expect(question).toContainText('The fee changes from 2% to no fee for all coaches.');
  await change.click();
  await expect(page.getByText('Platform fee saved')).toBeVisible();
  expect(sent.slice(1)).toEqual([{ mode: 'percentage', percent: 2, enabled: false }]);
  await page.unroute('**/api/admin/settings/platform-fee');

  const policy = page.getByRole('form', { name: 'Cancellation policy' });
  await policy.getByLabel('Full refund until').fill('721');
  await policy.getByRole('button', { name: 'Save cancellation policy' }).click();
  await expect(policy.getByRole('alert')).toHaveText('Enter at most 720 hours (30 days).');
  // Records each submission, but saves the current settings, because other tests rely on them.
  const current = await call(await openDemo('admin@demo.test'), settingsApi.getSettings, {});
  const submitted: unknown[] = [];
  for (const [{ path }, setting] of [
    [settingsApi.updateCancellationPolicy, current.cancellationPolicy],
    [settingsApi.updatePayrunControl, current.payrunControl],
    [settingsApi.updateBrand, current.brand],
    [settingsApi.updateLandingStats, current.landingStats],
  ] as const) {
    await page.route(`**${path}`, (route) => {
      submitted.push(route.request().postDataJSON());
      return route.continue({ postData: setting });
    });
  }
  await policy.getByLabel('Full refund until').fill('48');
  await policy.getByRole('button', { name: 'Save cancellation policy' }).click();
  await expect(page.getByText('Cancellation policy saved')).toBeVisible();
  const control = page.getByRole('form', { name: 'Payrun control' });
  await control.getByLabel('Payruns need two admins').check();
  await control.getByRole('button', { name: 'Save payrun control' }).click();
  await expect(page.getByText('Payrun control saved')).toBeVisible();
  const brand = page.getByRole('form', { name: 'Brand' });
  await expect(brand.getByLabel('Brand name')).toHaveValue(defaultBrand);
  await brand.getByLabel('Brand name').fill('Riverside');
  await brand.getByRole('button', { name: 'Save brand' }).click();
  await expect(page.getByText('Brand saved')).toBeVisible();
  const contact = page.getByRole('form', { name: 'Contact' });
  await contact.getByLabel('Contact email address').fill('nobody');
  await contact.getByRole('button', { name: /^Save/ }).click();
  await expect(contact.getByRole('alert')).toHaveText('Enter an email address, such as hello@club.example.');
  const figures = page.getByRole('form', { name: 'Landing page figures' });
  await expect(figures.getByRole('radio', { name: /^Counted/ })).toBeChecked();
  await expect(figures.getByLabel('Figure', { exact: true })).toBeHidden();
  await figures.getByRole('radio', { name: /^As typed/ }).check();
  await figures.getByRole('button', { name: 'Add a figure' }).click();
  await figures.getByLabel('Figure', { exact: true }).first().fill('40+');
  await figures.getByRole('button', { name: /^Save/ }).click();
  await expect(figures.getByRole('alert')).toHaveText('Enter what the figure counts.');
  await figures.getByLabel('What it counts').first().fill('five-star reviews');
  await figures.getByRole('button', { name: /^Save/ }).click();
  await expect(figures.getByRole('alert')).toContainText('Figures about reviews can only be counted.');
  await figures.getByLabel('What it counts').first().fill('clubs');
  await figures.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByText('Landing page figures saved')).toBeVisible();
  expect(submitted).toEqual([
    { ...current.cancellationPolicy, freeUntilHours: 48 },
    { needsSecondAdmin: true },
    { name: 'Riverside' },
    { mode: 'typed', stats: [{ figure: '40+', label: 'clubs' }] },
  ]);
});
