import { addDays } from '#domain/time.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { addChild, bookFor } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer, openDemo } from '../support/people.ts';
import {
  addAccepted,
  applyPolicy,
  chooseFile,
  partOf,
  pdf,
  showAsAsked,
  shownDate,
} from '../support/trust-file.ts';

const asksInsurance = {
  insurance: { askedOf: 'all', effect: 'hidden' },
  criminal_record_check: { askedOf: 'under_18s', effect: 'badge' },
} as const;

test('warns on the calendar before documents end, until a renewal is accepted [VERIFY-10d]', async ({
  page,
}) => {
  const coach = await openCoach('Enda Ending');
  const end = addDays(today(), 20);
  const title = 'Evening tennis';
  const start = { date: addDays(end, 2), hour: 17 };
  const slot = { ...(await publishAt(coach, start, { title, seats: 3 })), priceCents: 0 };
  const parent = await openCustomer({ card: null });
  for (const who of [parent.userId, await addChild(parent)]) await bookFor(parent, who, slot);
  await addAccepted(coach, 'insurance', end);
  await applyPolicy(coach, asksInsurance);
  const asked = await showAsAsked(page, 'insurance');
  await becomePerson(page, coach);
  await page.goto('/coach/calendar');
  const notice = page.getByRole('region', { name: `Your lessons will be hidden after ${shownDate(end)}` });
  await expect(notice).toContainText('public liability insurance');
  await expect(notice).toContainText('1 booked lesson falls after your documents end.');
  await notice.getByRole('link', { name: 'Open checks and documents' }).click();
  await expect(page).toHaveURL('/coach/verification');
  const lessons = page.getByRole('list', {
    name: 'Booked lessons not covered by valid checks and documents',
  });
  await expect(lessons).toContainText(title);
  await expect(lessons).toContainText('2 booked, 1 under 18');

  // The renewal is submitted before the old document ends. The old one still counts.
  const part = partOf(page, 'Public liability insurance');
  await expect(part.getByText(`Ends on ${shownDate(end)}`)).toBeVisible();
  await part.getByRole('button', { name: 'Submit a renewal: Public liability insurance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Submit public liability insurance' });
  const renewedEnd = addDays(end, 365);
  await dialog.getByLabel('Issued by').fill('Pitchside Mutual');
  await dialog.getByLabel('Number').fill('POL-7782');
  await dialog.getByLabel('First day').fill(addDays(end, 1));
  await dialog.getByLabel('Last day').fill(renewedEnd);
  await chooseFile(page, 'policy.pdf', 'application/pdf', pdf);
  await dialog.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(toast(page, 'Document submitted')).toBeVisible();
  await expect(part.getByText('Waiting to be checked')).toBeVisible();
  await expect(part.getByText(`Ends on ${shownDate(end)}`)).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await applyPolicy(coach, asksInsurance);
  await page.reload();
  await expect(notice).toBeVisible();
  const { trustFile } = await call(coach, documentsApi.getMine, {});
  const { documentId } = trustFile.kinds
    .flatMap(({ documents }) => documents)
    .find(({ status }) => status === 'submitted')!;
  const admin = await openDemo('admin@demo.test');
  await call(admin, checksApi.accept, { documentId, method: 'file' });
  await expect(part.getByText(`Valid to ${shownDate(renewedEnd)}`)).toBeVisible();
  await applyPolicy(coach, asksInsurance);
  await page.reload();
  await expect(part.getByText(`Valid to ${shownDate(renewedEnd)}`)).toBeVisible();
  await expect(notice).toHaveCount(0);

  // The club now requires first aid training, which the coach has never submitted.
  await asked.release();
  await showAsAsked(page, 'first_aid');
  await applyPolicy(coach, { first_aid: { askedOf: 'all', effect: 'hidden' } });
  await page.goto('/coach/calendar');
  await expect(page.getByRole('region', { name: 'Your lessons are hidden' })).toContainText(
    "Nobody can find or book them until we've accepted your first aid training.",
  );
});

test('says what is needed before the first lessons, without calling them hidden [VERIFY-10f]', async ({
  page,
}) => {
  const coach = await openCoach('Nellie New');
  await showAsAsked(page, 'insurance');
  await applyPolicy(coach, asksInsurance);
  await becomePerson(page, coach);
  const hidden = page.getByRole('region', { name: 'Your lessons are hidden' });
  for (const path of ['/coach/calendar', '/coach/verification']) {
    await page.goto(path);
    await expect(page.getByRole('region', { name: 'Before your first lessons' })).toContainText(
      "Lessons that you publish can't be found or booked until we've accepted your public liability insurance.",
    );
    await expect(hidden).toHaveCount(0);
  }
  await publishAt(coach, { date: addDays(today(), 3), hour: 17 }, { title: 'Evening tennis', seats: 3 });
  await applyPolicy(coach, asksInsurance);
  await page.reload();
  await expect(hidden).toBeVisible();
});

test('says which criminal record check the nation of a location needs', async ({ page }) => {
  const coach = await openCoach('Nora Nation');
  await becomePerson(page, coach);
  await page.goto('/coach/verification');
  const part = partOf(page, 'Criminal record check');
  await expect(part).toContainText('Which certificate you need depends on where you teach.');
  await part.getByRole('link', { name: 'Say which nation your locations are in' }).click();
  await page.getByRole('button', { name: 'Add a location' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a location' });
  await dialog.getByLabel('Name').fill('Meadows Courts');
  await dialog.getByLabel('Town').fill('Edinburgh');
  await expect(dialog.getByLabel('Nation').locator('option:checked')).toHaveText('Not stated');
  await dialog.getByLabel('Nation').selectOption('Scotland');
  await dialog.getByRole('button', { name: 'Save location' }).click();
  await expect(toast(page, 'Location added')).toBeVisible();
  await page.getByRole('button', { name: /^Edit/ }).click();
  const editing = page.getByRole('dialog', { name: 'Edit location' });
  await expect(editing.getByLabel('Nation').locator('option:checked')).toHaveText('Scotland');
  await editing.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/coach/verification');
  await expect(part).toContainText('For your locations we need PVG.');
  await expect(part).not.toContainText('Update Service');
});
