import type { Page } from '@playwright/test';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { addDays } from '#domain/time.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt } from '../support/club.ts';
import { today, unique } from '../support/coaching.ts';
import { addChild, bookFor } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { ageNotes, endLesson } from '../support/past-lessons.ts';
import { becomePerson, openBrowserOf, openCoach, openCustomer, openDemo } from '../support/people.ts';
import { createRandomPicture } from '../support/pictures.ts';

/**
 * Creates a lesson, booked for these children, that ended this many hours ago; returns the lesson with its bookings.
 */
async function teach(coach: Someone, parent: Someone, children: string[], hoursAgo: number) {
  const start = { date: addDays(today(), hoursAgo), hour: 10 };
  const title = unique('Junior tennis');
  const seats = children.length;
  const slot = { ...(await publishAt(coach, start, { title, seats })), priceCents: 0 };
  const bookingIds: string[] = [];
  for (const child of children) bookingIds.push(await bookFor(parent, child, slot));
  await endLesson(slot, hoursAgo);
  return { slotId: slot.slotId, title, bookingIds };
}

const notesOf = (slotId: string) => `/coach/registers/${slotId}/notes`;

async function choosePicture(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add a picture' }).click();
  const buffer = await createRandomPicture(320, 240);
  await (await chooser).setFiles({ name: 'serve.png', mimeType: 'image/png', buffer });
}

test("adds a picture if the family allows it, and a text to last week's note [PROGRESS-1b, PROGRESS-1d, UX-4c]", async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Cora Coach');
  const parent = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const mia = await addChild(parent);
  const ben = await addChild(parent, { fullName: 'Ben Guardian' });
  const answerPhotos = (choice: 'coaching' | 'none') =>
    call(parent, careApi.giveConsent, {
      ...{ participantId: mia, kind: 'photos', choice, textVersion: consentTexts.photos.version },
    });
  await answerPhotos('coaching');
  const { slotId, bookingIds } = await teach(coach, parent, [mia, ben], 3);
  for (const bookingId of bookingIds) {
    await call(coach, notesApi.save, { bookingId, isShared: true, body: 'Good serve.' });
  }
  const old = await teach(coach, parent, [mia], 8 * 24);
  await call(coach, notesApi.save, {
    ...{ bookingId: old.bookingIds[0]!, isShared: true, body: 'First steps at the net.' },
  });
  await ageNotes(old.bookingIds[0]!, 8);

  // The coach can add a picture of the child whose family allows photos, and none of the other child.
  await page.setViewportSize({ width: 390, height: 844 });
  await becomePerson(page, coach);
  await page.goto(notesOf(slotId));
  await page.getByRole('button', { name: /^Ben Guardian/ }).click();
  await expect(page.getByText("This family doesn't allow photos for coaching.")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a picture' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Mia Guardian/ }).click();
  await choosePicture(page);
  const picture = page.getByRole('img', { name: '1 of 1' });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
    .toBeGreaterThan(0);
  await expectNoViolationsInBothThemes(page);
  const question = page.getByRole('alertdialog', { name: 'Remove this picture?' });
  for (const choice of ['Keep picture', 'Remove picture']) {
    await page.getByRole('button', { name: 'Remove picture 1' }).click();
    await expectNoViolationsInBothThemes(page);
    await question.getByRole('button', { name: choice, exact: true }).click();
    await expect(question).toBeHidden();
    await expect(picture).toHaveCount(choice === 'Keep picture' ? 1 : 0);
  }
  await choosePicture(page);
  await expect(picture).toBeVisible();

  // The family sees the picture until they withdraw their consent.
  const family = await openBrowserOf(browser, parent);
  await family.goto(`/account/family/${mia}/progress`);
  const seen = family.getByRole('img', { name: 'From the lesson, 1 of 1' });
  await expect.poll(() => seen.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  await answerPhotos('none');
  await expect(seen).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: /^Mia Guardian/ }).click();
  await expect(page.getByText("This family doesn't allow photos for coaching.")).toBeVisible();
  await expect(picture).toHaveCount(0);

  // Last week's note can only be added to.
  await page.goto(notesOf(old.slotId));
  await expect(page.getByText('First steps at the net.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Note about Mia Guardian' })).toHaveCount(0);
  await page.getByLabel('Add to this note').fill('A week later she volleys.');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('paragraph').filter({ hasText: 'A week later she volleys.' })).toContainText(
    'Added',
  );
  await expect(page.getByLabel('Add to this note')).toHaveValue('');
  await expect(family.getByText('A week later she volleys.')).toBeVisible();
  await expect(family.getByText('First steps at the net.')).toBeVisible();
  await family.context().close();
});

test('reports a welfare concern to an admin without showing it to the family [NAV-9b, NAV-9d]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Cora Coach');
  const parent = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const mia = await addChild(parent);
  const { slotId } = await teach(coach, parent, [mia], 3);
  const concern = unique('A bruise on her arm');
  await becomePerson(page, coach);
  await page.goto(notesOf(slotId));
  await page.getByRole('button', { name: 'Report a welfare concern' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report a welfare concern' });
  await expect(dialog).toContainText('About Mia Guardian.');
  await expect(dialog.getByRole('button', { name: 'Report' })).toBeDisabled();
  await dialog.getByLabel('What did you see or hear?').fill(concern);
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole('button', { name: 'Report' }).click();
  await expect(toast(page, 'Concern reported')).toContainText('The admins have been notified.');
  await expect(dialog).toBeHidden();

  const admin = await openBrowserOf(browser, await openDemo('admin@demo.test'));
  await admin.goto('/notifications');
  await expect(admin.getByRole('main')).not.toContainText(concern);
  await admin.goto('/welfare-concerns');
  const reported = admin.getByRole('listitem').filter({ hasText: concern });
  await expect(reported).toContainText('Open');
  await inspect(admin, 'welfare concerns');
  await reported.getByRole('button', { name: "I've looked into it" }).click();
  await expect(reported).toContainText('Handled');
  await admin.context().close();
  await page.goto('/welfare-concerns');
  await expect(page.getByRole('listitem').filter({ hasText: concern })).toContainText('looked into it on');
  await becomePerson(page, parent);
  await page.goto(`/account/family/${mia}/progress`);
  await expect(page.getByRole('heading', { level: 3, name: /^Junior tennis/ })).toBeVisible();
  await expect(page.getByText(concern)).toHaveCount(0);
});

test('opens previously visited notes offline and sends changes later', async ({ page, context }) => {
  const coach = await openCoach('Cora Coach');
  const parent = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const mia = await addChild(parent);
  const { slotId, bookingIds } = await teach(coach, parent, [mia], 1);
  await call(coach, notesApi.save, { bookingId: bookingIds[0]!, isShared: true, body: 'Good serve.' });
  await page.setViewportSize({ width: 390, height: 844 });
  await becomePerson(page, coach);
  await page.goto(notesOf(slotId));
  const box = page.getByRole('textbox', { name: 'Note about Mia Guardian' });
  await expect(box).toHaveValue('Good serve.');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));

  await context.setOffline(true);
  await page.reload();
  await expect(box).toHaveValue('Good serve.');
  await expect(page.getByText(/^We can't reach the server\./)).toBeVisible();
  await expect(page.getByText(/photos/)).toHaveCount(0);
  await box.fill('Good serve, elbow high.');
  await expect(
    page.getByText("Not sent yet. We've kept this on your device and will send it later."),
  ).toBeVisible();
  // A reload doesn't lose the text.
  await page.reload();
  await expect(box).toHaveValue('Good serve, elbow high.');
  await expectNoViolationsInBothThemes(page);

  await context.setOffline(false);
  await page.reload();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(box).toHaveValue('Good serve, elbow high.');
  const { attendees } = await call(coach, notesApi.getOfLesson, { slotId });
  expect(attendees[0]!.notes).toMatchObject([{ body: 'Good serve, elbow high.' }]);
});
