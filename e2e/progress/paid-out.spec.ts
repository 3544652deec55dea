import { businessesApi } from '#domain/businesses/contract.ts';
import { formatPounds } from '#domain/money.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt } from '../support/club.ts';
import { today, unique } from '../support/coaching.ts';
import { addChild, bookFor } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { endLesson } from '../support/past-lessons.ts';
import { becomePerson, openBrowserOf, openCoach, openCustomer, openDemo } from '../support/people.ts';

test("pays the coach once the note is written; shows the coach the family's answer [PROGRESS-5a, PROGRESS-5d]", async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Cora Coach');
  await call(coach, businessesApi.saveBusiness, { businessName: 'Leeds Tennis' });
  await call(coach, payoutsApi.saveBankDetails, {
    ...{ accountName: 'Cora Coach', sortCode: '08-99-99', accountNumber: '66374958' },
  });
  const title = unique('Junior tennis');
  const priceCents = 5000;
  const slot = await publishAt(coach, { date: addDays(today(), 9), hour: 10 }, { title, priceCents });
  const parent = await openCustomer({ fullName: 'Gill Guardian' });
  const mia = await addChild(parent);
  await bookFor(parent, mia, slot);
  await endLesson(slot, 2);

  // The owner requires a note, so the lesson waits for attendance first.
  await becomePerson(page, coach);
  await page.goto('/coach/progress');
  await page.getByRole('radio', { name: /^Attendance and a note/ }).check({ force: true });
  await expect(toast(page, 'Saved')).toBeVisible();
  await page.goto('/coach/earnings');
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
  await expect(
    page.getByText(/^£49\.00 is from lessons that are over and waits until you mark/),
  ).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText(
    /Mia Guardian · waits for attendance, until \w{3} \d+ \w+( \d{4})?, \d\d:\d\d at the latest£49\.00/,
  );
  await expectNoViolationsInBothThemes(page);
  await page.getByRole('link', { name: 'Mark attendance' }).click();
  await page.getByRole('button', { name: 'Attended: Mia Guardian' }).click();
  await expect(page.getByRole('listitem').getByText('Completed', { exact: true })).toBeVisible();
  await page.goto('/coach/earnings');
  await expect(page.getByText(/^Mia Guardian · waits for a note, until/)).toBeVisible();

  // The admin sees why the lesson can't be paid out. The note makes it payable while the page is open.
  const admin = await openBrowserOf(browser, await openDemo('admin@demo.test'));
  await admin.goto(`/admin/panel?tab=payouts&coach=${encodeURIComponent(coach.email)}`);
  const row = admin
    .getByRole('table', { name: 'Payable bookings' })
    .getByRole('row')
    .filter({ hasText: title });
  await expect(row).toContainText(
    "Waits for a noteThe coach's business requires it. Can be paid anyway from",
  );
  await expect(row.getByRole('checkbox')).toBeDisabled();
  await page.getByRole('link', { name: 'Write the note' }).click();
  await page.getByRole('textbox', { name: 'Note about Mia Guardian' }).fill('Good serve, elbow high.');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(row).toContainText('Saved');
  await expect(row.getByRole('checkbox')).toBeEnabled();

  // The family reads the note and answers.
  const family = await openBrowserOf(browser, parent);
  await family.goto(`/account/family/${mia}/progress`);
  const lesson = family.getByRole('listitem').filter({ hasText: 'Good serve, elbow high.' });
  await lesson.getByRole('button', { name: 'How did it go?' }).click();
  await lesson.getByRole('radio', { name: '5, Very well' }).check({ force: true });
  await lesson.getByLabel('A sentence for the coach').fill('She loved it.');
  await lesson.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('“She loved it.”')).toBeVisible();

  // The admin pays the lesson out.
  const pounds = formatPounds((await call(coach, earningsApi.getEarnings, {})).readyCents);
  const reference = `COACHING ${Date.now().toString(36).toUpperCase()}`;
  await row.getByRole('checkbox').press('Space');
  await admin.getByRole('button', { name: 'Create payrun' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Create payrun' });
  await expect(dialog).toContainText(`Total in GBP · 1 booking${pounds}`);
  await dialog.getByLabel('Payment reference').fill(reference);
  await dialog.getByRole('button', { name: 'Create payrun' }).click();
  await expect(row).toHaveCount(0);
  const payrun = admin
    .getByRole('table', { name: 'Payruns' })
    .getByRole('row')
    .filter({ hasText: reference });
  await payrun.getByRole('button', { name: /^Mark Paid/ }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Mark Paid' }).click();
  await expect(toast(admin, 'Payrun marked as paid')).toBeVisible();
  await expect(payrun).toContainText('Paid');

  // The coach's earnings show the lesson as paid, and no lesson waits for anything.
  await page.goto('/coach/earnings');
  const payment = page.getByRole('list', { name: 'Recent payments' }).getByRole('listitem').first();
  await expect(payment).toContainText(reference);
  await payment.getByText(reference).click();
  await expect(payment.getByRole('listitem')).toContainText(title);
  await expect(payment.getByRole('listitem')).toContainText(pounds);
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toHaveCount(0);
  await expect(
    page.locator('dt', { hasText: /^Paid out$/ }).locator('xpath=following-sibling::dd'),
  ).toHaveText(`-${pounds}`);
  for (const other of [family, admin]) await other.context().close();
});
