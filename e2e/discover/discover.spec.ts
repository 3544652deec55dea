import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { bookingOf, cardOf, confirmButton, discover } from '../support/booking-page.ts';
import { bookByApi, publishAt, publishLessons } from '../support/club.ts';
import { shownDay, today } from '../support/coaching.ts';
import { expect, expectNoViolations, test, waitForLayout } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { changeResponse, giveResponse, holdResponse } from '../support/responses.ts';

const cards = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('h3') });
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

test('filters by sport, location, dates and coach through fields, chips and the URL [DISC-6]', async ({
  page,
}) => {
  await page.goto('/customer/discover');
  await waitForLayout(page);
  const filters = page.getByRole('search');
  await filters.getByLabel('Sport').filter({ visible: true }).selectOption('Tennis');
  await filters.getByLabel('Town or postcode').filter({ visible: true }).fill('ls6');
  await expect(page).toHaveURL(
    ({ search }) => search.includes('sport=tennis') && search.includes('location=ls6'),
  );
  await expect(cards(page).first()).toContainText('Leeds');
  await expect(cards(page).filter({ hasNotText: /Tennis.*Leeds/ })).toHaveCount(0);
  await page.getByRole('button', { name: /^Remove.*ls6/i }).click();
  await expect(page).toHaveURL(
    ({ search }) => search.includes('sport=tennis') && !search.includes('location='),
  );

  await filters.getByLabel('Town or postcode').filter({ visible: true }).fill('Leeds');
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('location') === 'Leeds');
  await expect(cards(page).first()).toContainText('Leeds');
  await expect(cards(page).filter({ hasNotText: /Tennis.*Leeds/ })).toHaveCount(0);

  // Lists one coach's lessons on one day, as a shared link does. Today's lessons leave the list when they start.
  const tomorrow = addDays(wallTimeOf(Date.now()).date, 1);
  const search = { sport: 'tennis', from: tomorrow, limit: 1 } as const;
  const [first] = (await call(null, discoverApi.discoverSlots, search)).slots;
  const day = wallTimeOf(first!.startTime).date;
  await page.goto(`/customer/discover?coachId=${first!.coachId}&from=${day}&to=${day}`);
  await expect(cards(page).first()).toContainText(first!.coachName);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(1);
  await page.goto(
    `/customer/discover?coachId=${first!.coachId}&from=${day}&to=${day}&location=nowhere-at-all`,
  );
  await expect(page.getByText('No lessons match these filters')).toBeVisible();
});

test('restores the list and scroll position after going back [DISC-6]', async ({ page }) => {
  let [pagesAsked, pagesRead] = [0, 0];
  const isPage = (asked: { url(): string }) => /\/api\/slots(\?|$)/.test(asked.url());
  page.on('request', (asked) => {
    if (isPage(asked)) pagesAsked += 1;
  });
  page.on('requestfinished', (asked) => {
    if (isPage(asked)) pagesRead += 1;
  });
  const secondPage = await holdResponse(page, discoverApi.discoverSlots);
  await page.goto('/customer/discover');
  await waitForLayout(page);
  await expect(cards(page)).toHaveCount(20);
  await cards(page).last().scrollIntoViewIfNeeded();
  await secondPage.arrived;
  const readTop = () =>
    cards(page)
      .nth(18)
      .evaluate((card) => Math.round(card.getBoundingClientRect().top));
  const top = await readTop();
  // Makes the third page the last, because a later page would change the list that is compared below.
  await changeResponse(page, discoverApi.discoverSlots, (found) => ({ ...found, nextCursor: null }));
  await secondPage.release();
  await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(40);
  expect(await readTop(), 'the list stays in place as it grows').toBe(top);
  await cards(page).last().scrollIntoViewIfNeeded();
  await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(60);
  await cards(page).nth(25).scrollIntoViewIfNeeded();
  await expect.poll(() => pagesAsked - pagesRead).toBe(0);
  const [count, offset, asked] = [await cards(page).count(), await scrolled(page), pagesAsked];
  const expectUnmoved = async () => {
    await expect.poll(() => scrolled(page)).toBe(offset);
    expect(await cards(page).count()).toBe(count);
  };
  // A lesson's details open in a dialog over the list. Escape and the Back button close the dialog.
  const title = cards(page).nth(25).getByRole('heading').getByRole('link');
  await title.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectUnmoved();
  await title.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectUnmoved();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome Back');
  await page.goBack();
  await expectUnmoved();
  expect(pagesAsked, 'nothing was refetched').toBe(asked);
});

test('loads the next page when a busy browser reports the end of the list late', async ({ page }) => {
  // Simulates a busy browser: each report contains the initial state, followed by the current state.
  await page.addInitScript(() => {
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
      constructor(report: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const before = { isIntersecting: false } as IntersectionObserverEntry;
        super((entries, observer) => report([before, ...entries], observer), options);
      }
    };
  });
  await page.goto('/customer/discover');
  await expect(cards(page)).toHaveCount(20);
  await page.getByRole('button', { name: 'Show more lessons' }).scrollIntoViewIfNeeded();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(20);
});

test('marks a lesson as full while it is on the screen [DISC-6]', async ({ page }) => {
  const lessons = await publishLessons({ count: 3, seats: 1 });
  const [first, middle, last] = lessons;
  const [person, rival] = [await openCustomer(), await openCustomer()];
  await becomePerson(page, person);
  await page.clock.install();
  await page.goto(discover(first!));
  await waitForLayout(page);
  await expect(cards(page)).toHaveCount(3);
  await expect(cards(page).last()).toBeVisible();
  const boxes = () => cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
  const before = await boxes();
  const fullButton = (index: number) => cards(page).nth(index).getByRole('button', { name: 'Fully Booked' });
  await expect(fullButton(1)).toHaveCount(0);
  await bookByApi(rival, middle!);
  await page.clock.fastForward(21_000);
  await expect(fullButton(1)).toBeDisabled();
  await expect(fullButton(1)).toHaveText('Fully Booked');
  await expect(
    cards(page)
      .nth(0)
      .getByRole('link', { name: /^Book Lesson/ }),
  ).toBeVisible();
  await expect.poll(boxes).toEqual(before);

  // Returning to the tab refetches immediately.
  await bookByApi(rival, last!);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(fullButton(2)).toBeDisabled();
  await expect.poll(boxes).toEqual(before);

  // A lesson stays in the list after the customer books it.
  await cardOf(page, first!)
    .first()
    .getByRole('link', { name: /^Book Lesson/ })
    .click();
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
  await page.keyboard.press('Escape');
  await expect(
    cards(page)
      .nth(0)
      .getByRole('link', { name: /^View booking/ }),
  ).toBeVisible();
  await expect(cards(page)).toHaveCount(3);
});

test('filters by coach and dates, and shows refund terms and a map before sign-in [DISC-6, BIZ-2c]', async ({
  page,
}) => {
  const [lesson, next] = await publishLessons({ count: 2 });
  await page.goto('/customer/discover');
  await waitForLayout(page);
  await expect(page.getByText(/\d\+ lessons/)).toHaveCount(0);
  const filters = page.getByRole('search');
  const coach = filters.getByRole('combobox', { name: 'Coach' }).filter({ visible: true });
  const { slot } = await call(null, slotsApi.getOpenSlot, { slotId: lesson!.slotId });
  await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  await coach.pressSequentially(slot.coachName.slice(0, 4));
  await filters.getByRole('option', { name: slot.coachName }).click();
  await expect(page).toHaveURL(({ search }) => search.includes('coachId='));
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(1);
  await expect(coach).toHaveValue(slot.coachName);
  await expect(cards(page).filter({ hasNotText: slot.coachName })).toHaveCount(0);

  // The two lessons share a title but not a day, so a start date or an end date filters out one of them.
  const [day, nextDay] = [lesson!, next!].map(({ startTime }) => wallTimeOf(startTime).date) as [
    string,
    string,
  ];
  await page.goto(`${discover(lesson!)}&from=${day}`);
  await waitForLayout(page);
  const days = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(days).toHaveText([shownDay(day), shownDay(nextDay)]);
  const open = (label: string) =>
    filters.getByRole('button', { name: label }).filter({ visible: true }).click();
  const picker = page.getByRole('dialog', { name: 'Calendar' });
  const choose = (date: string) => picker.locator(`[data-day="${date}"]`).getByRole('button').click();
  await open('To date');
  await choose(day);
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('to') === day);
  await expect(days).toHaveText([shownDay(day)]);
  await page.getByRole('button', { name: /^Remove filter Until/ }).click();
  await expect(days).toHaveCount(2);
  await open('From date');
  if (nextDay.slice(0, 7) !== day.slice(0, 7)) {
    await picker.getByRole('button', { name: /next month/i }).click();
  }
  await choose(nextDay);
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('from') === nextDay);
  await expect(days).toHaveText([shownDay(nextDay)]);

  // An end date before the start date is ignored in the URL and cannot be picked.
  await page.goto('/customer/discover?from=2099-05-10&to=2099-05-01');
  await waitForLayout(page);
  await expect(page.getByText('No lessons match these filters')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove filter Until/ })).toHaveCount(0);
  await filters.getByRole('button', { name: 'To date' }).filter({ visible: true }).click();
  await expect(page.getByRole('grid', { name: 'May 2099' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Saturday, 9 May 2099' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await page.goto(discover(lesson!));
  const details = page.getByRole('dialog');
  const toCoach = { name: slot.coachName, exact: true };
  const coachPage = `/coaches/${slot.coachAddress}`;
  await expect(cards(page).first().getByRole('link', toCoach)).toHaveAttribute('href', coachPage);
  await cards(page).first().getByRole('heading').getByRole('link').click();
  await expect(details.getByRole('link', toCoach)).toHaveAttribute('href', coachPage);
  await expect(details).toContainText('for a full refund of £50.00');
  // Today's lessons leave the list when they start.
  const tomorrow = addDays(wallTimeOf(Date.now()).date, 1);
  const inLeeds = { location: 'leeds', from: tomorrow, limit: 1 } as const;
  const { slots } = await call(null, discoverApi.discoverSlots, inLeeds);
  await page.goto(`/customer/discover?lesson=${slots[0]!.slotId}`);
  await expect(details.getByRole('link', { name: /^Map/ })).toHaveAttribute('href', /query=.*Leeds/);
});

test('keeps the highlighted coach when new results arrive before Enter is pressed', async ({ page }) => {
  const [first, second] = ['Ann Ash', 'Ann Birch'].map((fullName) => ({
    ...{ coachId: randomUUID(), fullName, towns: [] },
  }));
  await page.goto('/customer/discover');
  await waitForLayout(page);
  const filters = page.getByRole('search');
  const coach = filters.getByRole('combobox', { name: 'Coach' }).filter({ visible: true });
  const options = filters.getByRole('listbox').getByRole('option');
  const early = await giveResponse(page, businessesApi.searchCoaches, { coaches: [first!, second!] });
  await coach.pressSequentially('an');
  await expect(options).toHaveText(['Ann Ash', 'Ann Birch']);
  await early.release();
  const late = await holdResponse(page, businessesApi.searchCoaches, {
    change: () => ({ coaches: [second!, first!] }),
  });
  await coach.press('n');
  await late.arrived;
  await coach.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await late.release();
  await expect(options).toHaveText(['Ann Birch', 'Ann Ash']);
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await coach.press('Enter');
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('coachId') === first!.coachId);
});

test('marks booked lessons on their cards and in their dialogs', async ({ page }) => {
  const [lesson] = await publishLessons({ seats: 4 });
  const person = await openCustomer();
  await bookByApi(person, lesson!);
  await becomePerson(page, person);
  await page.goto(discover(lesson!));
  await expect(cards(page).getByText('Booked', { exact: true })).toBeVisible();
  await cards(page).getByRole('heading').getByRole('link').click();
  await expect(page.getByRole('dialog')).toContainText("You've booked this lesson.");
  await page.goto(bookingOf(lesson!));
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText("You've already booked this lesson.");
  await expect(dialog).not.toContainText('Total price');
  await dialog.getByRole('link', { name: 'See your booking' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(lesson!.title);
});

test('renders the first lessons without JavaScript and does not refetch them', async ({ browser, page }) => {
  const title = `</script><b>Volleys</b> ${Date.now()}`;
  await publishLessons({ title });
  const address = `/customer/discover?search=${encodeURIComponent(title)}`;
  const bare = await browser.newContext({ javaScriptEnabled: false });
  const reader = await bare.newPage();
  await reader.goto('/customer/discover');
  await expect(reader).toHaveTitle(/^Find a lesson · /);
  await expect(cards(reader)).toHaveCount(20);
  await expect(
    cards(reader)
      .getByRole('link', { name: /^Book Lesson/ })
      .first(),
  ).toHaveAttribute('href', /book=/);
  // The server ignores invalid filters in the URL.
  await reader.goto(`${address}&from=soon&sport=chess`);
  await expect(cards(reader)).toHaveCount(1);
  await expect(cards(reader).getByRole('heading')).toHaveText(title);
  await bare.close();

  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const asked: string[] = [];
  page.on('request', (sent) => {
    if (/\/api\/(slots|product)\b/.test(sent.url())) asked.push(sent.url());
  });
  await page.goto(address);
  await expect(page.locator('[data-server-rendered]')).toHaveCount(0);
  await expect(cards(page).getByRole('heading')).toHaveText(title);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  expect(complaints, 'hydration finds no difference from the page that the server rendered').toEqual([]);
});

test('shows that a listed lesson was moved or cancelled [RT-3d]', async ({ page }) => {
  const coach = await openCoach('Mona Mover');
  const [day, later] = [addDays(today(), 3), addDays(today(), 5)];
  const start = (hour: number) => ({ date: day, hour });
  const moved = await publishAt(coach, start(10), { title: 'Moved tennis', seats: 4 });
  const relocated = await publishAt(coach, start(12), { title: 'Relocated tennis', seats: 4 });
  const cancelled = await publishAt(coach, start(14), { title: 'Cancelled tennis', seats: 4 });
  await page.goto(`/customer/discover?coachId=${coach.userId}&to=${day}`);
  await waitForLayout(page);
  const card = ({ title }: { title: string }) => cards(page).filter({ hasText: title });
  await expect(card(moved)).toContainText('10:00–11:00');
  await expect(cards(page)).toHaveCount(3);

  await call(coach, lessonsApi.moveSlot, { slotId: moved.slotId, date: later, hour: 16, minute: 30 });
  const address = { address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
  const { location } = await call(coach, catalogueApi.createLocation, { name: 'Park Hall', ...address });
  const { locationId } = location;
  const kept = { priceCents: 0, minCapacity: 2, maxCapacity: 4 };
  await call(coach, lessonsApi.editSlot, { slotId: relocated.slotId, locationId, ...kept });
  await call(coach, lessonsApi.cancelSlot, { slotId: cancelled.slotId, reason: 'Rain' });

  await expect(card(moved)).toContainText('16:30–17:30');
  await expect(card(moved)).toContainText(shownDay(later));
  await expect(card(moved)).toContainText(
    `Moved from ${shownDay(day)}, 10:00–11:00. This lesson no longer matches your filters.`,
  );
  await expect(card(relocated)).toContainText('Leeds · Park Hall');
  await expect(card(relocated)).toContainText('Moved from a location to be agreed.');
  await expect(card(relocated)).not.toContainText('no longer matches');
  await expect(card(cancelled).getByRole('button')).toHaveText('Cancelled by the coach');
  // The cards stay where they were.
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(1);
  await expect(cards(page).first()).toContainText(moved.title);
  await expectNoViolations(page);
});
