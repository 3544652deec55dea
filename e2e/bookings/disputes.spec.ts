import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openDemo } from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

test('answers the demo dispute with evidence; divides a loss among its bookings [CONNECT-2c, CONNECT-2e]', async ({
  page,
}) => {
  const admin = await openDemo('admin@demo.test');
  const { disputes } = await call(admin, disputesApi.listDisputes, {});
  const { disputeId, customerName, titles } = disputes[0]!;
  await becomePerson(page, admin);
  await page.goto('/admin/panel?tab=payouts');
  const list = page.getByRole('table', { name: 'Disputes' });
  const row = list.getByRole('row').filter({ hasText: customerName });
  await expect(row).toContainText('Needs evidence');
  await expect(row).toContainText('product not received');
  await row.getByRole('link', { name: customerName }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Dispute by ${customerName}` })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Disputed bookings' })).toContainText(titles[0]!);
  await expect(page.getByRole('table', { name: 'Disputed bookings' })).toContainText('Completed');
  const evidence = page.locator('section', { has: page.getByRole('heading', { name: 'Evidence' }) });
  await expect(evidence).toContainText('The customer accepted these terms by booking on');
  await expect(evidence).toContainText(/Attendance of booking \w+: Completed\./);
  await inspect(page, 'evidence form');

  await evidence.getByLabel('Statement in your own words').fill('She came and played the whole lesson.');
  await evidence.getByRole('button', { name: 'Send evidence' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText("You can't change or add anything afterwards.");
  await question.getByRole('button', { name: 'Send evidence' }).click();
  await expect(toast(page, 'Evidence is on its way')).toBeVisible();
  await expect(evidence.getByRole('button', { name: 'Send evidence' })).toHaveCount(0);
  await expect(evidence).toContainText('She came and played the whole lesson.');
  await expect
    .poll(async () => (await call(admin, disputesApi.getDispute, { disputeId })).dispute.evidenceState)
    .toBe('sent');

  // A bank takes months to decide, so the test serves a lost dispute about parts of two bookings.
  const [sum, half] = [8000, 5000];
  const otherId = crypto.randomUUID();
  await changeResponse(page, disputesApi.getDispute, ({ dispute }) => {
    const [booking] = dispute.bookings;
    const other = { ...booking!, bookingId: otherId, title: 'Second lesson', leftCents: half };
    return {
      dispute: {
        ...dispute,
        ...{ status: 'lost', amountCents: sum, bookings: [{ ...booking!, leftCents: half }, other] },
        evidenceRefusal: 'The deadline has passed.',
      },
    };
  });
  await page.reload();
  await expect(page.getByText('Stripe refused the evidence: The deadline has passed.')).toBeVisible();
  await page.getByRole('button', { name: 'Record the loss' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record the loss' });
  await expect(dialog.getByRole('button', { name: 'Record the loss' })).toBeDisabled();
  await expect(dialog).toContainText('The parts must add up to £80.00.');
  await dialog.getByLabel('Second lesson').fill('30');
  await dialog.getByLabel(titles[0]!).fill('50');
  await expect(dialog.getByRole('button', { name: 'Record the loss' })).toBeEnabled();
  await dialog.getByRole('radio', { name: /^The coach\b/ }).check();
  await inspect(page, 'book a loss');
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith(`/${disputeId}/loss`),
  );
  await dialog.getByRole('button', { name: 'Record the loss' }).click();
  const { borneBy, lines } = (await sent).postDataJSON();
  expect(borneBy).toBe('coach');
  expect(lines.map(({ cents }: { cents: number }) => cents)).toEqual([5000, 3000]);
  // The server refuses, because the bank hasn't decided yet.
  await expect(dialog).toContainText('You can record a loss only for a lost dispute.');
});

test('reports a missing dispute, a failed load and an empty list of disputes', async ({ page }) => {
  const admin = await openDemo('admin@demo.test');
  await becomePerson(page, admin);
  await page.goto('/admin/disputes/du_nobody');
  await expect(page.getByRole('heading', { name: 'Dispute not found' })).toBeVisible();
  await inspect(page, 'dispute not found');
  const failing = await failResponse(page, disputesApi.listDisputes);
  await page.goto('/admin/panel?tab=payouts');
  await expect(page.getByText('Failed to load disputes')).toBeVisible();
  await failing.release();
  await changeResponse(page, disputesApi.listDisputes, () => ({ disputes: [] }));
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(page.getByText('No open disputes.')).toBeVisible();
  await page.getByRole('button', { name: 'Show decided disputes' }).click();
  await expect(page.getByText('No dispute has been decided yet.')).toBeVisible();
});
