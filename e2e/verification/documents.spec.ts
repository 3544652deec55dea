import { readFile } from 'node:fs/promises';
import { addDays, addMonths } from '#domain/time.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { toast } from '../support/booking-page.ts';
import { today } from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, openCoach, openDemo } from '../support/people.ts';
import { failResponse } from '../support/responses.ts';
import { chooseFile, partOf, pdf, shownDate } from '../support/trust-file.ts';

test('submits a document that an admin declines, and another that is accepted [VERIFY-3c]', async ({
  page,
  browser,
}) => {
  const name = `Hanna Handin ${Date.now().toString(36)}`;
  const coach = await openCoach(name);
  await becomePerson(page, coach);
  await page.goto('/coach/calendar');
  await page.getByRole('button', { name: 'Other' }).click();
  await page.getByRole('menuitem', { name: 'Checks' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Checks and documents' })).toBeVisible();
  const part = partOf(page, 'Public liability insurance');
  await expect(part).toContainText('It covers you if someone is hurt');
  await part.getByRole('button', { name: /^Submit/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Submit public liability insurance' });
  const send = dialog.getByRole('button', { name: 'Submit', exact: true });
  await send.click();
  for (const message of [
    'Enter who issued it.',
    'Enter the number.',
    'Enter the first day.',
    'Enter the last day.',
    'Choose the file.',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Issued by').fill('Pitchside Mutual');
  await dialog.getByLabel('Number').fill('POL-7781');
  await dialog.getByLabel('First day').fill(addDays(today(), -400));
  await dialog.getByLabel('Last day').fill(addDays(today(), -35));
  await chooseFile(page, 'notes.txt', 'text/plain', Buffer.from('Hello'));
  await expect(dialog.getByText('Choose a PDF or a picture.')).toBeVisible();
  await chooseFile(page, 'long.pdf', 'application/pdf', Buffer.alloc(8 * 1024 * 1024 + 1, 32));
  await expect(dialog.getByText('This file is larger than 8 MB. Choose a smaller one.')).toBeVisible();
  await chooseFile(page, 'policy.pdf', 'application/pdf', pdf);
  await send.click();
  await expect(dialog.getByText('This document has already ended.')).toBeVisible();
  const end = addDays(today(), 330);
  await dialog.getByLabel('First day').fill(addDays(today(), -35));
  await dialog.getByLabel('Last day').fill(end);

  // A refusal after the upload keeps the input and the file.
  const { release } = await failResponse(page, documentsApi.submit);
  await send.click();
  await expect(dialog.getByRole('alert').filter({ hasText: /connection|reach/i })).toBeVisible();
  await release();
  await expect(dialog.getByLabel('Number')).toHaveValue('POL-7781');
  await expect(dialog.getByText('policy.pdf')).toBeVisible();
  await send.click();
  await expect(toast(page, 'Document submitted')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(part.getByText('Waiting to be checked').first()).toBeVisible();
  await expect(part.getByText('POL-7781')).toBeVisible();

  const context = await browser.newContext();
  const desk = await context.newPage();
  await becomeDemo(desk, 'admin@demo.test');
  await desk.goto('/admin/panel?tab=verification');
  await desk.getByRole('link', { name: `Check public liability insurance of ${name}` }).click();
  await expect(desk.getByRole('heading', { level: 1, name: `${name}: checks` })).toBeVisible();
  const record = partOf(desk, 'Public liability insurance');
  const download = desk.waitForEvent('download');
  await record.getByRole('button', { name: 'Open file' }).click();
  expect(await readFile(await (await download).path())).toEqual(pdf);
  await record.getByRole('button', { name: 'Decline' }).click();
  const declining = desk.getByRole('dialog', { name: 'Decline public liability insurance?' });
  await declining.getByRole('button', { name: 'Decline' }).click();
  await expect(declining.getByText('Enter the reason.')).toBeVisible();
  await declining.getByLabel('Reason').fill('The second page is missing.');
  await declining.getByRole('button', { name: 'Decline' }).click();
  await expect(toast(desk, 'Document declined')).toBeVisible();
  await expect(record.getByText('The second page is missing.')).toBeVisible();

  // The coach's page updates without a reload.
  await expect(part.getByText('The second page is missing.')).toBeVisible();
  await expect(part.getByText('Declined', { exact: true }).first()).toBeVisible();
  await part.getByRole('button', { name: /^Submit/ }).click();
  await dialog.getByLabel('Issued by').fill('Pitchside Mutual');
  await dialog.getByLabel('Number').fill('POL-7781');
  await dialog.getByLabel('First day').fill(addDays(today(), -35));
  await dialog.getByLabel('Last day').fill(end);
  await chooseFile(page, 'policy.pdf', 'application/pdf', pdf);
  await send.click();
  await expect(part.getByText('Waiting to be checked').first()).toBeVisible();
  await record.getByRole('button', { name: 'Accept' }).click();
  const accepting = desk.getByRole('dialog', { name: 'Accept public liability insurance?' });
  await accepting.getByRole('button', { name: 'Accept' }).click();
  await expect(accepting.getByText('Choose how you saw it.')).toBeVisible();
  await accepting.getByRole('radio', { name: /^The uploaded file/ }).check();
  await accepting.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(desk, 'Document accepted')).toBeVisible();
  await expect(part.getByText(`Valid to ${shownDate(end)}`)).toBeVisible();
  await expect(part.getByRole('button', { name: /^Submit a renewal/ })).toBeVisible();
  await context.close();
});

test('offers no upload for a criminal record check, which an admin records [VERIFY-6c, VERIFY-7b, UX-4c]', async ({
  page,
  browser,
}) => {
  const name = `Rhea Record ${Date.now().toString(36)}`;
  const coach = await openCoach(name);
  await becomePerson(page, coach);
  await page.goto('/coach/verification');
  const part = partOf(page, 'Criminal record check');
  await expect(part).toContainText(
    "Don't send us a copy. Show the original to an admin, in person or by video call.",
  );
  await expect(part).toContainText("Certificates don't expire");
  await expect(part.getByRole('button', { name: /submit/i })).toHaveCount(0);
  await expect(part.locator('input')).toHaveCount(0);
  await expect(part).toContainText('I agree that the club checks the status of my DBS certificate online');

  const context = await browser.newContext();
  const desk = await context.newPage();
  await becomeDemo(desk, 'admin@demo.test');
  await desk.goto(`/admin/coaches/${coach.userId}`);
  const record = partOf(desk, 'Criminal record check');
  await record.getByRole('button', { name: 'Record a check' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Record a criminal record check' });
  await expect(dialog.getByRole('radio', { name: /^The DBS Update Service/ })).toBeDisabled();
  await expect(dialog.locator('textarea, input[type=file]')).toHaveCount(0);
  const save = dialog.getByRole('button', { name: 'Record check' });
  await save.click();
  for (const message of ['Enter the number.', 'Enter the issue date.', 'Choose how you saw it.']) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Number').fill('00198765');
  const issuedOn = addDays(today(), -40);
  await dialog.getByLabel('Issue date').fill(issuedOn);
  await dialog.getByRole('radio', { name: 'The original, in person' }).check();
  await dialog.getByRole('radio', { name: 'Yes' }).check();
  const again = shownDate(addMonths(issuedOn, 36));
  await expect(dialog.getByText(`Certificates don't expire. We ask again after ${again}.`)).toBeVisible();
  await save.click();
  await expect(dialog.getByText('Enter the 12 digits of the DBS certificate number.')).toBeVisible();
  await dialog.getByLabel('Number').fill('0019 8765 4321');
  await save.click();
  await expect(toast(desk, 'Check recorded')).toBeVisible();
  await expect(record).toContainText('001987654321');
  await expect(record).toContainText("DBS, Enhanced with children's barred list");
  await expect(record.getByRole('button', { name: 'Record a status check' })).toHaveCount(0);
  await record.getByRole('button', { name: 'Decline' }).click();
  const declining = desk.getByRole('dialog', { name: 'Decline criminal record check?' });
  await expect(declining).toContainText("You can't give a reason");
  await expect(declining.locator('textarea, input')).toHaveCount(0);
  await declining.getByRole('button', { name: 'Cancel' }).click();
  await expect(declining).toBeHidden();

  // The coach gives consent, which lets the admin ask the Update Service, and later withdraws it.
  await expect(part).toContainText(`We ask again after${again}`);
  await part.getByRole('button', { name: 'I agree' }).click();
  await expect(part.getByText(`You agreed on ${shownDate(today())}.`)).toBeVisible();
  await desk.reload();
  await record.getByRole('button', { name: 'Record a status check' }).click();
  const asking = desk.getByRole('dialog', { name: 'Record a status check' });
  await expect(asking).toContainText("for Enhanced with children's barred list and child workforce only");
  const next = shownDate(addMonths(today(), 12));
  await expect(asking).toContainText(`Certificates don't expire, but we ask again after ${next}.`);
  await asking.getByRole('radio', { name: /^The certificate is still current/ }).check();
  await asking.getByRole('button', { name: 'Record status check' }).click();
  await expect(toast(desk, 'Status check recorded')).toBeVisible();
  await expect(record).toContainText(next);
  await part.getByRole('button', { name: 'Withdraw consent' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw consent' }).click();
  await expect(part.getByRole('button', { name: 'I agree' })).toBeVisible();
  await context.close();
});

test('previews how many coaches a policy would hide, and saves it [VERIFY-4e]', async ({ page }) => {
  await becomePerson(page, await openDemo('admin@demo.test'));
  await page.goto('/admin/panel?tab=verification');
  const form = page.getByRole('form', { name: 'Required checks' });
  const licence = form.getByRole('group', { name: 'Governing-body licence' });
  const requiredOf = licence.getByLabel('Required of');
  const before = await requiredOf.inputValue();
  await expect(form.getByRole('status')).toHaveText(/^With these choices, \d+ coaches can be found/);
  await requiredOf.selectOption('all');
  await licence.getByLabel('Without it').selectOption('hidden');
  // Other tests add coaches and lessons, so the figures themselves are checked in the server's own tests.
  await expect(form.getByRole('status')).toHaveText(
    /^[1-9]\d* coaches would be hidden now \(of [1-9]\d*\), with [1-9]\d* upcoming lessons\.$/,
  );
  // Saves the policy with an effect that hides nobody, because other tests share the club.
  await licence.getByLabel('Without it').selectOption('badge');
  await expect(form.getByRole('status')).toHaveText(/^With these choices, \d+ coaches can be found/);
  if (before === 'all') await requiredOf.selectOption('under_18s');
  const chosen = await requiredOf.inputValue();
  await form.getByRole('button', { name: 'Save required checks' }).click();
  await expect(toast(page, 'Required checks saved')).toBeVisible();
  await page.reload();
  await expect(requiredOf).toHaveValue(chosen);
});
