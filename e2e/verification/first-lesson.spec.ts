import { addDays } from '#domain/time.ts';
import { confirmButton } from '../support/booking-page.ts';
import { addLocation, createTemplate, openCreateSlots, today, unique } from '../support/coaching.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, demoPassword, newAddress, openCustomer } from '../support/people.ts';

const limitMs = 5 * 60_000;

test('gets a new coach from the landing page to a booked lesson within five minutes [VERIFY-1h]', async ({
  page,
  browser,
}) => {
  const email = newAddress();
  const name = unique('Nora Newcomer');
  const title = unique('First serve');
  // The admin and the customer are already signed in, each in their own browser.
  const admin = await (await browser.newContext()).newPage();
  await becomeDemo(admin, 'admin@demo.test');
  await admin.goto('/admin/panel?tab=applications');
  await expect(admin.getByRole('tab', { name: /Applications/, selected: true })).toBeVisible();
  const customer = await (await browser.newContext()).newPage();
  await becomePerson(customer, await openCustomer());

  const startedAt = Date.now();
  await page.goto('/');
  await page.getByRole('link', { name: 'Join as Coach' }).click();
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Create account and apply' }).click();
  await page.goto(linkIn(await readEmail(email, /^Confirm your email/)));
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
  await page.getByLabel('Headline').fill('Tennis coach for beginners');
  await page.getByLabel('About you').fill('I coach in small groups.');
  await page.getByRole('button', { name: 'Tennis', exact: true }).click();
  await page.getByRole('button', { name: 'England' }).click();
  await page.getByLabel('Experience and qualifications').fill('Six years at a club in Leeds.');
  await page.getByRole('radio', { name: /only coach adults/ }).check({ force: true });
  await page.getByRole('checkbox', { name: /I accept the terms/ }).check();
  await page.getByRole('button', { name: 'Submit application' }).click();
  await expect(page.getByText('Submitted', { exact: true })).toBeVisible();

  // The application appears in the queue without a reload.
  await admin.getByRole('link', { name: new RegExp(name) }).click();
  await expect(admin.getByText('Six years at a club in Leeds.')).toBeVisible();
  await admin.getByRole('button', { name: 'Approve' }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();

  await page.getByRole('link', { name: 'Start with your first steps' }).click();
  const steps = page.getByRole('region', { name: 'Your first steps' });
  await expect(steps.getByText('1 of 6 done')).toBeVisible();
  await steps.getByRole('link', { name: 'Create a template' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Lesson templates' })).toBeVisible();
  await createTemplate(page, { title, minutes: '60', price: '40' });
  const dialog = await openCreateSlots(page, addDays(today(), 7), title);
  await addLocation(dialog, 'Hyde Park');
  await dialog.getByRole('button', { name: 'Create 1 Lesson Slot(s)' }).click();
  await expect(dialog).toBeHidden();
  await expect(steps.getByText('4 of 6 done')).toBeVisible();

  await customer.goto(`/customer/discover?search=${encodeURIComponent(title)}`);
  const lesson = customer.getByRole('listitem').filter({ hasText: title });
  await expect(lesson.getByText(name)).toBeVisible();
  await lesson.getByRole('link', { name: /^Book Lesson/ }).click();
  await confirmButton(customer).click();
  await expect(customer.getByRole('dialog')).toContainText("You're booked");
  const tookMs = Date.now() - startedAt;
  expect(tookMs).toBeLessThan(limitMs);

  // The new coach sees the booking.
  await expect(page.getByText('1/1').first()).toBeVisible();
  await admin.context().close();
  await customer.context().close();
});
