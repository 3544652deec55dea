import type { Page } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { progressApi } from '#domain/progress/contract.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { sports } from '#domain/sports.ts';
import { addDays } from '#domain/time.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { call } from '../support/api.ts';
import { today } from '../support/coaching.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCoach, openCustomer, openDemo } from '../support/people.ts';
import { open } from '../support/screens.ts';

/**
 * Finds the past lesson of the demo's coach with the demo's customer that is `n` lessons before the latest, marks the
 * customer as present and clears the notes. Each test uses a different `n`, because the tests may run at the same time.
 */
async function findTaught(coach: Someone, customer: Someone, n: number) {
  const { slots } = await call(coach, slotsApi.listCoachSlots, {
    from: addDays(today(), -28),
    to: addDays(today(), -1),
  });
  const found: { slotId: string; bookingId: string; title: string }[] = [];
  for (const { slotId, title } of slots.filter(({ bookedCount }) => bookedCount > 0).reverse()) {
    const { attendees } = await call(coach, notesApi.getOfLesson, { slotId });
    const mine = attendees.find(({ participantId }) => participantId === customer.userId);
    if (mine) found.push({ slotId, bookingId: mine.bookingId, title });
    if (found.length > n) break;
  }
  const lesson = found[n]!;
  await call(coach, lessonsApi.markAttendance, { bookingId: lesson.bookingId, attended: true });
  for (const isShared of [true, false]) {
    const { attendees } = await call(coach, notesApi.getOfLesson, { slotId: lesson.slotId });
    const own = attendees.find(({ bookingId }) => bookingId === lesson.bookingId)!;
    const note = own.notes.find((one) => one.isShared === isShared && !one.isForAll);
    await call(coach, notesApi.save, {
      ...{ bookingId: lesson.bookingId, isShared, body: '', seenAt: note?.updatedAt ?? null },
    });
  }
  return lesson;
}

/** The demo's customer. */
const customerName = 'Sam Sample';

/** The shared note about one participant, as the server has it. */
async function readSharedNote(coach: Someone, { slotId, bookingId }: { slotId: string; bookingId: string }) {
  const { attendees } = await call(coach, notesApi.getOfLesson, { slotId });
  const { notes } = attendees.find((attendee) => attendee.bookingId === bookingId)!;
  return notes.find(({ isShared, isForAll }) => isShared && !isForAll)!;
}

const unsent = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.note.')));

test('keeps a note written without a connection, sends it, and shows it to the family [PROGRESS-1c, PROGRESS-4a]', async ({
  page,
  context,
  browser,
}) => {
  const [coach, customer] = [await openDemo('coach@demo.test'), await openDemo('customer@demo.test')];
  const { slotId, bookingId, title } = await findTaught(coach, customer, 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${slotId}`);
  await page.getByRole('link', { name: 'Write notes' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Notes: ${title}`);
  const entry = page.getByRole('button', { name: customerName });
  if ((await entry.getAttribute('aria-expanded')) === 'false') await entry.click();
  const box = page.getByRole('textbox', { name: `Note about ${customerName}` });
  await box.fill('Good serve.');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toContainText(
    "We'll send your notes later, but you can't save other changes.",
  );
  await box.fill('Good serve, keep the elbow high.');
  await expect(
    page.getByText("Not sent yet. We've kept this on your device and will send it later."),
  ).toBeVisible();
  expect(await unsent(page)).toHaveLength(1);
  await context.setOffline(false);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await unsent(page)).toEqual([]);

  // Another device changes the note while this one is offline.
  await context.setOffline(true);
  await box.fill('Only on this phone.');
  await expect(page.getByText('Not sent yet.')).toBeVisible();
  const { updatedAt } = await readSharedNote(coach, { slotId, bookingId });
  const elsewhere = 'Good serve, keep the elbow high. Bend the knees.';
  await call(coach, notesApi.save, { bookingId, isShared: true, body: elsewhere, seenAt: updatedAt });
  await context.setOffline(false);
  await expect(page.getByText('This note has changed on another device:')).toBeVisible();
  expect((await readSharedNote(coach, { slotId, bookingId })).body).toBe(elsewhere);
  await expect(box).toHaveValue('Only on this phone.');
  await page.getByRole('button', { name: 'Use the other text' }).click();
  await expect(box).toHaveValue(elsewhere);
  expect(await unsent(page)).toEqual([]);

  await page.getByText('Private', { exact: true }).click();
  const entries = page.getByRole('listitem').filter({ has: entry });
  await expect(
    entries.getByText('Not shown to the family, but included if they ask for their data.'),
  ).toBeVisible();
  await page.getByRole('textbox', { name: `Private note about ${customerName}` }).fill('Ask about the knee.');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(entries.getByRole('button', { name: 'Report a welfare concern' })).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  const other = await browser.newContext();
  const family = await other.newPage();
  await becomePerson(family, customer);
  await family.goto(`/account/family/${customer.userId}`);
  await family.getByRole('link', { name: 'Progress' }).click();
  const lesson = family.getByRole('listitem').filter({ hasText: 'Good serve, keep the elbow high.' });
  await expect(lesson).toBeVisible();
  await expect(family.getByText('Ask about the knee.')).toHaveCount(0);
  await lesson.getByRole('button', { name: /How did it go\?|Change your answer/ }).click();
  await lesson.getByRole('radio', { name: '5, Very well' }).check({ force: true });
  await lesson.getByLabel('A sentence for the coach').fill('Best lesson so far.');
  await lesson.getByRole('button', { name: 'Send answer' }).click();
  await expect(lesson.getByText('“Best lesson so far.”')).toBeVisible();
  await expectNoViolationsInBothThemes(family);
  await other.close();

  // The coach's open page shows the answer without a reload.
  await expect(page.getByText('“Best lesson so far.”')).toBeVisible();
});

test('sets levels, marks a goal as reached and shows both to the family [PROGRESS-2d, NAV-9b, NAV-9d]', async ({
  page,
}) => {
  const [coach, customer] = [await openDemo('coach@demo.test'), await openDemo('customer@demo.test')];
  const { slotId, bookingId } = await findTaught(coach, customer, 1);
  const { canEdit, skills } = await call(coach, skillsApi.getLists, {});
  expect(canEdit).toBe(true);
  const { sport } = await call(coach, notesApi.getOfLesson, { slotId });
  const known = skills.filter((skill) => skill.sport === sport);
  const name = known[0]?.name ?? 'Serve';
  await becomePerson(page, coach);
  if (known.length === 0) {
    await page.goto('/coach/progress');
    await page.getByLabel('Sport').selectOption(sport);
    await page.getByRole('button', { name: 'Add a skill' }).click();
    await page.getByLabel('Skill 1').fill(name);
    await page.getByRole('button', { name: 'Save skills' }).click();
    await expect(page.getByText('Skills saved')).toBeVisible();
  }
  await page.goto(`/coach/registers/${slotId}/notes`);
  const entry = page.getByRole('button', { name: customerName });
  if ((await entry.getAttribute('aria-expanded')) === 'false') await entry.click();
  const levels = page.getByRole('group', { name });
  for (const level of ['2, With help', '4, Reliable']) {
    await levels.getByRole('radio', { name: level }).check({ force: true });
    await expect(levels.getByRole('radio', { name: level })).toBeChecked();
  }
  await inspect(page, 'notes with levels');
  await page.getByRole('link', { name: 'Progress and goals' }).click();
  const title = `Ten serves in a row ${bookingId.slice(0, 6)}-${Date.now().toString(36)}`;
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByRole('dialog').getByLabel('Goal').fill(title);
  await page.getByRole('dialog').getByRole('button', { name: 'Add goal' }).click();
  await page.getByRole('button', { name: `Reached: ${title}` }).click();
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('Reached');
  await inspect(page, 'progress of a participant');
  await becomePerson(page, customer);
  await page.goto(`/account/family/${customer.userId}/progress`);
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('Reached');
  await expect(page.getByRole('heading', { level: 3, name: sports[sport], exact: true })).toBeVisible();
  await expect(
    page.getByRole('img', { name: new RegExp(`^${name}: .*level 2 on .*level 4 on`) }),
  ).toBeVisible();
  await inspect(page, 'timeline');
});

test('shows the skill settings, an empty list of concerns and an empty progress page [NAV-9b, NAV-9d]', async ({
  page,
}) => {
  const coach = await openCoach();
  await becomePerson(page, coach);
  await open(page, '/coach/progress', 'No skills for this sport yet.');
  await inspect(page, 'skills');
  await open(page, '/welfare-concerns', 'No concerns');
  await inspect(page, 'no concerns');
  const customer = await openCustomer({ card: null });
  await becomePerson(page, customer);
  await open(page, `/account/family/${customer.userId}/progress`, 'No lessons yet');
  await inspect(page, 'empty timeline');
  const { lessons } = await call(customer, progressApi.get, { participantId: customer.userId });
  expect(lessons).toEqual([]);
});
