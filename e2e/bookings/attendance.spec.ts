import type { APIRequestContext, Page } from '@playwright/test';
import { addDays, wallTimeOf } from '#domain/time.ts';
import {
  becomePerson,
  bookByApi,
  call,
  openCustomer,
  openSession,
  publishLessons,
  toast,
} from '../support/club.ts';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';

async function openCoach(request: APIRequestContext) {
  const email = 'coach@demo.test';
  return { email, fullName: '', session: await openSession(request, email) };
}

type Attendees = {
  attendees: { bookingId: string; fullName: string; status: string; attended: boolean | null }[];
};

/** The last past lesson with at least two people; its earlier attendance is removed. */
async function openPastLesson(page: Page, request: APIRequestContext) {
  const coach = await openCoach(request);
  const today = wallTimeOf(Date.now()).date;
  const listing = `/api/coach/slots?from=${addDays(today, -28)}&to=${addDays(today, -1)}`;
  const { slots } = await call<{ slots: { slotId: string; status: string; bookedCount: number }[] }>(
    request,
    coach,
    'GET',
    listing,
  );
  const held = slots.filter(({ status, bookedCount }) => status === 'completed' && bookedCount > 1).at(-1)!;
  const path = `/api/coach/slots/${held.slotId}/attendees`;
  const read = async () => {
    const { attendees } = await call<Attendees>(request, coach, 'GET', path);
    return attendees.filter(({ status }) => status === 'booked' || status === 'attended');
  };
  const attendees = await read();
  for (const { bookingId } of attendees) {
    await call(request, coach, 'PUT', `/api/coach/bookings/${bookingId}/attendance`, { attended: null });
  }
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${held.slotId}`);
  return { attendees, read };
}

test('the coach marks on a phone who came, and takes a mark off again [LES-2c, LES-4]', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.clock.install();
  const { attendees, read } = await openPastLesson(page, request);
  const count = page.getByRole('status').filter({ hasText: 'to mark' });
  await expect(count).toHaveText(`0 attended0 absent${attendees.length} to mark`);
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') });
  const came = rows.first().getByRole('button', { name: /^Attended/ });
  const stayedAway = rows.nth(1).getByRole('button', { name: /^Absent/ });
  expect((await came.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await came.click();
  await stayedAway.click();
  await expect(came).toHaveAttribute('aria-pressed', 'true');
  await expect(rows.first()).toContainText('Completed');
  await expect(count).toHaveText(`1 attended1 absent${attendees.length - 2} to mark`);
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, ['color-contrast']);
  await expect
    .poll(async () => (await read()).slice(0, 2).map(({ attended }) => attended))
    .toEqual([true, false]);
  await page.reload();
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'true');

  await stayedAway.press('Space');
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'false');
  await expect(rows.nth(1)).toContainText('Booked');
  await expect.poll(async () => (await read())[1]!.attended).toBeNull();

  // A list requested before a tap that arrives after it does not remove the mark.
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isAsked = false;
  await page.route(
    '**/attendees',
    async (route) => {
      isAsked = true;
      const response = await route.fetch();
      await held;
      await route.fulfill({ response }).catch(() => undefined);
    },
    { times: 1 },
  );
  // Returning to the page after half a minute refetches the list, unless it is being fetched.
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000);
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
      return isAsked;
    })
    .toBe(true);
  await stayedAway.click();
  await expect.poll(async () => (await read())[1]!.attended).toBe(false);
  answer();
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'true');
  await stayedAway.click();
  await expect.poll(async () => (await read())[1]!.attended).toBeNull();
  await expect(stayedAway).toHaveAttribute('aria-pressed', 'false');

  // A mark that was not saved does not look saved.
  await page.route('**/attendance', (route) => route.abort('failed'));
  await came.click();
  await expect(toast(page, "We couldn't reach the server.")).toBeVisible();
  await expect(came).toHaveAttribute('aria-pressed', 'true');
});

test('offers no attendance before the lesson starts [LES-4]', async ({ page, request }) => {
  const [lesson] = await publishLessons(request, { seats: 2 });
  await bookByApi(request, await openCustomer(request), lesson!);
  await becomePerson(page, await openCoach(request));
  await page.goto(`/coach/lesson/${lesson!.slotId}`);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('Cleo Customer');
  await expect(page.getByRole('button', { name: /^Attended/ })).toHaveCount(0);
});
