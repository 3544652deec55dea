import type { Page } from '@playwright/test';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt, soon } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { addChild, bookFor, noNotes } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer, type Person } from '../support/people.ts';

/** A lesson that starts soon, with one child who has notes and one whose family gives none. */
async function openLesson(coach: Person) {
  const lesson = {
    ...(await publishAt(coach, soon(), { title: 'Junior tennis', seats: 20 })),
    priceCents: 0,
  };
  const parent = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  const mia = await addChild(parent, {
    knownAs: 'Mimi',
    care: {
      notes: { ...noNotes, allergies: 'Nuts: carries an injector' },
      collection: { mayLeaveAlone: false, collectors: ['Sam Sitter', 'Gill Guardian'], password: 'Otter' },
    },
  });
  const ben = await addChild(parent, { fullName: 'Ben Guardian', care: { notes: null } });
  for (const child of [mia, ben]) await bookFor(parent, child, lesson);
  return { lesson, parent };
}

const keptRegisters = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('app.register.')));

/** Waits until the service worker can open the page without a connection. */
async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

test('lists participants with the details a coach may see, and opens the register [PART-5a]', async ({
  page,
}) => {
  const coach = await openCoach('Cara Coach');
  const { lesson } = await openLesson(coach);
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${lesson.slotId}`);
  const mia = page.getByRole('listitem').filter({ hasText: 'Mia Guardian' });
  for (const text of [
    'Mia Guardian (Mimi)',
    'Age 10',
    'Parent or guardian: Gill Guardian',
    'Has notes',
    'No photos',
  ]) {
    await expect(mia).toContainText(text);
  }
  // Notes and contacts appear only in the register.
  await expect(page.getByRole('main')).not.toContainText('injector');
  await expect(page.getByRole('main')).not.toContainText('0113 496 0000');
  await expect(page.getByRole('listitem').filter({ hasText: 'Ben Guardian' })).not.toContainText('Has notes');

  await page.getByRole('link', { name: 'Open the register' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Junior tennis');
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Mia/ }) });
  for (const text of [
    'Age 10',
    'No photos',
    'First aid: not answered',
    'AllergiesNuts: carries an injector',
    'Nothing to note: medical conditions, medication, access needs, learning needs',
    'Collected by Sam Sitter or Gill Guardian. Password: Otter',
    'Booked by: Gill Guardian',
  ]) {
    await expect(row).toContainText(text);
  }
  await expect(row.getByRole('link', { name: /Gill Guardian/ })).toHaveAttribute('href', 'tel:01134960000');
  const other = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Ben/ }) });
  await expect(other).toContainText("The family hasn't given any notes");
  await expectNoViolationsInBothThemes(page);
});

test('opens a register only at the right time, and not for other coaches or customers', async ({ page }) => {
  const coach = await openCoach();
  const date = addDays(today(), 30);
  const later = { ...(await publishAt(coach, { date, hour: 9 }, { seats: 4 })), priceCents: 0 };
  const parent = await openCustomer({ card: null });
  await bookFor(parent, await addChild(parent), later);
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${later.slotId}`);
  await expect(page.getByText(/^The register, with emergency contacts and notes, opens on/)).toBeVisible();
  await page.goto(`/coach/registers/${later.slotId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The register is closed');
  await expect(page.getByText(/^You can open this register from/)).toBeVisible();
  await page.getByRole('link', { name: 'All registers' }).click();
  await expect(page.getByText('No registers right now')).toBeVisible();

  const { lesson } = await openLesson(await openCoach());
  await page.goto(`/coach/registers/${lesson.slotId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lesson not found');
  expect(await keptRegisters(page)).toEqual([]);
  await becomePerson(page, parent);
  await page.goto(`/coach/registers/${lesson.slotId}`);
  await expect(page.getByText('You need coach permissions to access this area.')).toBeVisible();
});

test('opens a register offline after it was opened online, until the coach signs out [PART-7a, PART-7c]', async ({
  page,
  context,
}) => {
  const coach = await openCoach();
  const { lesson } = await openLesson(coach);
  await page.setViewportSize({ width: 390, height: 844 });
  await becomePerson(page, coach);
  await page.goto('/coach/registers');
  await page.getByRole('link', { name: 'Junior tennis' }).click();
  const mia = page.getByRole('heading', { name: 'Mia Guardian (Mimi)' });
  await expect(mia).toBeVisible();
  await waitForWorker(page);
  await expect.poll(() => keptRegisters(page)).toHaveLength(1);

  await context.setOffline(true);
  await page.reload();
  await expect(mia).toBeVisible();
  await expect(page.getByText(/This is the register as of .*, from this device\.$/)).toBeVisible();
  await expect(page.getByText('Nuts: carries an injector').first()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.reload();
  await expect(page.getByText('Nuts: carries an injector').first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  // Without a connection, other pages of the coach's area lead to the registers on this device.
  await page.goto('/coach/calendar');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registers');
  await expect(page.getByText('On this device')).toBeVisible();
  await page.getByRole('link', { name: 'Junior tennis' }).click();
  await expect(mia).toBeVisible();

  await context.setOffline(false);
  await page.reload();
  await expect(page.getByText(/from this device\.$/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  expect(await keptRegisters(page)).toEqual([]);
  await context.setOffline(true);
  await page.goto(`/coach/registers/${lesson.slotId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  await expect(page.getByText('Mia')).toHaveCount(0);
  await context.setOffline(false);
});

test('deletes a register from the device 24 hours after the lesson [PART-7c]', async ({ page }) => {
  const coach = await openCoach();
  const { lesson } = await openLesson(coach);
  await page.clock.install();
  await becomePerson(page, coach);
  await page.goto(`/coach/registers/${lesson.slotId}`);
  const mia = page.getByRole('heading', { name: 'Mia Guardian (Mimi)' });
  await expect(mia).toBeVisible();
  await expect.poll(() => keptRegisters(page)).toHaveLength(1);
  const [key] = await keptRegisters(page);
  expect(Number(key!.split('.')[2])).toBe(Date.parse(lesson.endTime) + 24 * 3_600_000);

  // The copy is deleted while the page is open.
  await page.clock.fastForward(Date.parse(lesson.endTime) + 24 * 3_600_000 - Date.now() + 60_000);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This register is closed');
  await expect(mia).toHaveCount(0);
  expect(await keptRegisters(page)).toEqual([]);

  // The copy is deleted when any page opens, before anything is shown, even if nobody is signed in.
  await page.evaluate(() => localStorage.setItem(`app.register.${Date.now() - 1}.old`, '{}'));
  await page.goto('/terms');
  expect(await keptRegisters(page)).toEqual([]);
  await page.evaluate(() => {
    localStorage.setItem(`app.register.${Date.now() + 60_000}.left`, '{}');
    localStorage.removeItem('app.session');
  });
  await page.goto('/terms');
  expect(await keptRegisters(page)).toEqual([]);
});

test('prints the register of a full lesson on one page [PART-7b]', async ({ page }) => {
  const coach = await openCoach();
  const { lesson } = await openLesson(coach);
  for (const family of [1, 2]) {
    const parent = await openCustomer({ card: null, fullName: `Gill Guardian ${family}` });
    for (let child = 1; child <= 9; child += 1) {
      const fullName = `Child ${family}-${child} Guardian`;
      const notes = { ...noNotes, medical: 'Asthma: has an inhaler in the side pocket of the bag' };
      await bookFor(parent, await addChild(parent, { fullName, care: { notes } }), lesson);
    }
  }
  await becomePerson(page, coach);
  await page.goto(`/coach/registers/${lesson.slotId}`);
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(20);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByRole('table');
  await expect(sheet.getByRole('row')).toHaveCount(21);
  await expect(sheet).toContainText('Allergies: Nuts: carries an injector');
  await expect(page.getByRole('banner')).toBeHidden();
});

test("lets owners and welfare officers open a colleague's register", async ({ page }) => {
  const owner = await openCoach('Olive Owner');
  await call(owner, businessesApi.saveBusiness, { businessName: 'Riverside Tennis' });
  const colleague = await openCoach('Cora Colleague');
  const officer = await openCoach('Wes Welfare');
  for (const { email, ...someone } of [colleague, officer]) {
    await call(owner, invitationsApi.inviteCoach, { email });
    const token = new URL(linkIn(await readEmail(email, /Riverside Tennis/))).searchParams.get('token')!;
    await call({ email, ...someone }, invitationsApi.acceptInvitation, { token });
  }
  const { lesson } = await openLesson(colleague);
  await becomePerson(page, officer);
  await page.goto('/coach/registers');
  await expect(page.getByText('No registers right now')).toBeVisible();
  await page.goto(`/coach/registers/${lesson.slotId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lesson not found');

  await becomePerson(page, owner);
  await page.goto('/coach/team');
  await page.getByRole('button', { name: 'Make Wes Welfare a welfare officer' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Families can see each time a register is opened.');
  await question.getByRole('button', { name: 'Make welfare officer' }).click();
  await expect(toast(page, 'Welfare officer appointed')).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Wes Welfare' })).toContainText(
    'Welfare officer',
  );

  for (const reader of [owner, officer]) {
    await becomePerson(page, reader);
    await page.goto('/coach/registers');
    await expect(page.getByText('with Cora Colleague')).toBeVisible();
    await page.getByRole('link', { name: 'Junior tennis' }).click();
    await expect(page.getByRole('heading', { name: 'Mia Guardian (Mimi)' })).toBeVisible();
  }
});
