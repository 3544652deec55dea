import type { Page } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, clearAttendance, publishLessons, readMarkable } from '../support/club.ts';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { changeResponse, failResponse, holdResponse } from '../support/responses.ts';

/** Opens the coach's latest past lesson with at least two attendees, after clearing their attendance. */
async function openPastLesson(page: Page) {
  const coach = await openDemo('coach@demo.test');
  const today = wallTimeOf(Date.now()).date;
  const period = { from: addDays(today, -28), to: addDays(today, -1) };
  const { slots } = await call(coach, slotsApi.listCoachSlots, period);
  const held = slots.filter(({ status, bookedCount }) => status === 'completed' && bookedCount > 1).at(-1)!;
  await clearAttendance(coach, held.slotId);
  const read = () => readMarkable(coach, held.slotId);
  const attendees = await read();
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${held.slotId}`);
  return { attendees, read };
}

test('marks attendance on a phone and removes a mark [LES-2c, LES-4]', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.clock.install();
  const { attendees, read } = await openPastLesson(page);
  const count = page.getByRole('status').filter({ hasText: 'to mark' });
  await expect(count).toHaveText(`0 attended0 absent${attendees.length} to mark`);
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') });
  const came = rows.first().getByRole('button', { name: /^Attended/ });
  const stayedAway = rows.nth(1).getByRole('button', { name: /^Absent/ });
  // Everyone with a seat has both buttons, and neither is pressed.
  await expect(rows).toHaveCount(attendees.length);
  for (const row of await rows.all()) {
    await expect(row.getByRole('button')).toHaveText(['Attended', 'Absent']);
    await expect(row.getByRole('button', { pressed: false })).toHaveCount(2);
  }
  expect((await came.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await expect(came).toHaveText('Attended');
  await expect(stayedAway).toHaveText('Absent');
  // The button always has this text; the status has the same text once the attendee is marked absent.
  const absent = rows.nth(1).getByText('Absent', { exact: true });
  await expect(absent).toHaveCount(1);
  await came.click();
  await stayedAway.click();
  await expect(came).toHaveAttribute('aria-pressed', 'true');
  await expect(rows.first().getByText('Completed', { exact: true })).toBeVisible();
  await expect(absent).toHaveCount(2);
  await expect(count).toHaveText(`1 attended1 absent${attendees.length - 2} to mark`);
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, ['color-contrast']);
  await expect
    .poll(async () => (await read()).slice(0, 2).map(({ attended }) => attended))
    .toEqual([true, false]);
  await page.reload();
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'true');
  await expect(came).toHaveAttribute('aria-pressed', 'true');

  await stayedAway.press('Space');
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'false');
  await expect(rows.nth(1).getByText('Booked', { exact: true })).toBeVisible();
  await expect(absent).toHaveCount(1);
  await expect.poll(async () => (await read())[1]!.attended).toBeNull();

  // A list requested before the tap and received after the tap does not remove the mark.
  const list = await holdResponse(page, lessonsApi.listAttendees, { once: true });
  let isAsked = false;
  void list.arrived.then(() => {
    isAsked = true;
  });
  // Returning to the page after half a minute refetches the list, unless a fetch is under way.
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000);
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
      return isAsked;
    })
    .toBe(true);
  await stayedAway.click();
  await expect.poll(async () => (await read())[1]!.attended).toBe(false);
  await list.release();
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'true');
  await stayedAway.click();
  await expect.poll(async () => (await read())[1]!.attended).toBeNull();
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'false');

  // A change that could not be saved is reverted.
  await failResponse(page, lessonsApi.markAttendance);
  await came.click();
  await expect(toast(page, /^We couldn't reach the server\./)).toBeVisible();
  await expect(came).toHaveAttribute('aria-pressed', 'true');
});

test('offers to mark attendance only once the lesson has started [LES-4]', async ({ page }) => {
  const [lesson] = await publishLessons({ seats: 2 });
  await bookByApi(await openCustomer(), lesson!);
  await becomePerson(page, await openDemo('coach@demo.test'));
  await page.goto(`/coach/lesson/${lesson!.slotId}`);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('Cleo Customer');
  await expect(page.getByRole('button', { name: /^(Attended|Absent)/ })).toHaveCount(0);
  // Simulates a lesson that began a minute ago and is not over.
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  await changeResponse(page, slotsApi.getCoachSlot, ({ slot }) => ({
    slot: { ...slot, startTime: at(-1), endTime: at(14) },
  }));
  await page.reload();
  await expect(page.getByRole('main').getByRole('listitem').getByRole('button')).toHaveText([
    'Attended',
    'Absent',
  ]);
});

test('says "Nobody booked this lesson" once an unbooked lesson starts or is cancelled', async ({ page }) => {
  const [lesson] = await publishLessons();
  const coach = await openDemo('coach@demo.test');
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${lesson!.slotId}`);
  const main = page.getByRole('main');
  const invitation = main.getByText(/^People who book this lesson will appear here/);
  await expect(main.getByText('Nobody has booked yet')).toBeVisible();
  await expect(invitation).toBeVisible();
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const { release } = await changeResponse(page, slotsApi.getCoachSlot, ({ slot }) => ({
    slot: { ...slot, startTime: at(-1), endTime: at(14) },
  }));
  await page.reload();
  await expect(main.getByText('Nobody booked this lesson')).toBeVisible();
  await expect(invitation).toHaveCount(0);
  await release();
  await call(coach, lessonsApi.cancelSlot, { slotId: lesson!.slotId });
  await page.reload();
  await expect(main.getByText('You cancelled this lesson')).toBeVisible();
  await expect(main.getByText('Nobody booked this lesson')).toBeVisible();
  await expect(invitation).toHaveCount(0);
});
