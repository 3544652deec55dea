import type { Page } from '@playwright/test';
import { addDays, wallTimeOf } from '#domain/time.ts';
import {
  becomePerson,
  bookByApi,
  bookingOf,
  cardOf,
  confirmButton,
  discover,
  openCustomer,
  publishLessons,
} from './club.ts';
import { expect, test, waitForLayout } from './fixtures.ts';

const cards = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('h3') });
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

test('[DISC-6] sport, place, dates and coach narrow the list from the address and the chips', async ({
  page,
}) => {
  await page.goto('/customer/discover');
  await waitForLayout(page);
  const filters = page.getByRole('search');
  await filters.getByLabel('Sport').filter({ visible: true }).selectOption('Tennis');
  await filters.getByLabel('Town or postcode').filter({ visible: true }).fill('ls6');
  await expect(page).toHaveURL(
    ({ search }) => search.includes('sport=tennis') && search.includes('place=ls6'),
  );
  await expect(cards(page).first()).toContainText('Leeds');
  await expect(cards(page).filter({ hasNotText: /Tennis.*Leeds/ })).toHaveCount(0);
  await page.getByRole('button', { name: /^Remove.*ls6/i }).click();
  await expect(page).toHaveURL(({ search }) => !search.includes('place'));

  // One day of one coach, as a link may have it; not today, whose lessons begin and leave the list.
  const tomorrow = addDays(wallTimeOf(Date.now()).date, 1);
  const answer = await page.request.get(`/api/slots?sport=tennis&from=${tomorrow}&limit=1`);
  const { slots } = (await answer.json()) as {
    slots: { coachId: string; coachName: string; startTime: string }[];
  };
  const [first] = slots;
  const day = wallTimeOf(first!.startTime).date;
  await page.goto(`/customer/discover?coachId=${first!.coachId}&from=${day}&to=${day}`);
  await expect(cards(page).first()).toContainText(first!.coachName);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(1);
  await page.goto(`/customer/discover?coachId=${first!.coachId}&from=${day}&to=${day}&place=nowhere-at-all`);
  await expect(page.getByText('No lessons fit these filters')).toBeVisible();
});

test('[DISC-6] who pages on and comes back finds the same lessons at the same place', async ({ page }) => {
  let [pagesAsked, pagesRead] = [0, 0];
  const isPage = (asked: { url(): string }) => /\/api\/slots(\?|$)/.test(asked.url());
  page.on('request', (asked) => {
    if (isPage(asked)) pagesAsked += 1;
  });
  page.on('requestfinished', (asked) => {
    if (isPage(asked)) pagesRead += 1;
  });
  await page.goto('/customer/discover');
  await waitForLayout(page);
  await expect(cards(page)).toHaveCount(20);
  for (const count of [40, 60]) {
    await cards(page).last().scrollIntoViewIfNeeded();
    await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(count);
  }
  // Far from the end, so that nothing more is asked for.
  await cards(page).nth(25).scrollIntoViewIfNeeded();
  await expect.poll(() => pagesAsked - pagesRead).toBe(0);
  const [count, place, asked] = [await cards(page).count(), await scrolled(page), pagesAsked];
  const expectUnmoved = async () => {
    await expect.poll(() => scrolled(page)).toBe(place);
    expect(await cards(page).count()).toBe(count);
  };
  // Details over the list, closed with Escape and with the way back.
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
  // Another page and back.
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome Back');
  await page.goBack();
  await expectUnmoved();
  expect(pagesAsked, 'nothing was asked for anew').toBe(asked);
});

test('loads the next page where a busy browser tells late that the end is near', async ({ page }) => {
  // As it does after frames in which nobody could be told: what was first, then what is so now.
  await page.addInitScript(() => {
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
      constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const before = { isIntersecting: false } as IntersectionObserverEntry;
        super((entries, observer) => tell([before, ...entries], observer), options);
      }
    };
  });
  await page.goto('/customer/discover');
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(20);
  await page.getByRole('button', { name: 'Show more lessons' }).scrollIntoViewIfNeeded();
  await expect.poll(() => cards.count()).toBeGreaterThan(20);
});

test('[DISC-6] a lesson that fills up while it is on the screen says so in its place, without a reload', async ({
  page,
  request,
}) => {
  const lessons = await publishLessons(request, { count: 3, places: 1 });
  const [first, middle, last] = lessons;
  const [person, rival] = [await openCustomer(request), await openCustomer(request)];
  await becomePerson(page, person);
  await page.clock.install();
  await page.goto(discover(first!));
  await waitForLayout(page);
  await expect(cards(page)).toHaveCount(3);
  await expect(cards(page).last()).toBeVisible();
  const boxes = () => cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
  const before = await boxes();
  const fullButton = (index: number) => cards(page).nth(index).getByRole('button', { name: 'Fully Booked' });
  await bookByApi(request, rival, middle!);
  await expect(fullButton(1)).toHaveCount(0);
  await page.clock.runFor(21_000);
  await expect(fullButton(1)).toBeDisabled();
  await expect(
    cards(page)
      .nth(0)
      .getByRole('link', { name: /^Book Lesson/ }),
  ).toBeVisible();
  await expect.poll(boxes).toEqual(before);

  // Coming back to the tab asks at once.
  await bookByApi(request, rival, last!);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(fullButton(2)).toBeDisabled();
  await expect.poll(boxes).toEqual(before);

  // One's own booking leaves the list as it is too.
  await cardOf(page, first!)
    .first()
    .getByRole('link', { name: /^Book Lesson/ })
    .click();
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
  await page.keyboard.press('Escape');
  await expect(
    cards(page)
      .nth(0)
      .getByRole('link', { name: /^View booking/ }),
  ).toBeVisible();
  await expect(cards(page)).toHaveCount(3);
});

test('lets a visitor choose a coach and dates, and read terms and map before sign-in [DISC-6]', async ({
  page,
  request,
}) => {
  const [lesson] = await publishLessons(request);
  await page.goto('/customer/discover');
  await waitForLayout(page);
  await expect(page.getByText(/\d\+ lessons/)).toHaveCount(0);
  const filters = page.getByRole('search');
  const coach = filters.getByRole('combobox', { name: 'Coach' }).filter({ visible: true });
  const { slot } = (await (await request.get(`/api/slots/${lesson!.slotId}`)).json()) as {
    slot: { coachName: string };
  };
  await expect(page.locator('[data-drawn]')).toHaveCount(0);
  await coach.pressSequentially(slot.coachName.slice(0, 4));
  await filters.getByRole('option', { name: slot.coachName }).click();
  await expect(page).toHaveURL(({ search }) => search.includes('coachId='));
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(1);
  await expect(coach).toHaveValue(slot.coachName);
  await expect(cards(page).filter({ hasNotText: slot.coachName })).toHaveCount(0);

  // An end before the start is left out of an address, and taken off when the start moves past it.
  await page.goto('/customer/discover?from=2099-05-10&to=2099-05-01');
  await waitForLayout(page);
  await expect(page.getByText('No lessons fit these filters')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove filter Until/ })).toHaveCount(0);
  await filters.getByRole('button', { name: 'To date' }).filter({ visible: true }).click();
  await expect(page.getByRole('grid', { name: 'May 2099' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Saturday, 9 May 2099' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await page.goto(discover(lesson!));
  await cards(page).getByRole('heading').getByRole('link').click();
  const details = page.getByRole('dialog');
  await expect(details).toContainText('£50.00 is refunded in full');
  const { slots } = (await (await request.get('/api/slots?place=leeds&limit=1')).json()) as {
    slots: { slotId: string }[];
  };
  await page.goto(`/customer/discover?lesson=${slots[0]!.slotId}`);
  await expect(details.getByRole('link', { name: /^Map/ })).toHaveAttribute('href', /query=.*Leeds/);
});

test('marks a booked lesson on its card and says so before price and card', async ({ page, request }) => {
  const [lesson] = await publishLessons(request, { places: 4 });
  const person = await openCustomer(request);
  await bookByApi(request, person, lesson!);
  await becomePerson(page, person);
  await page.goto(discover(lesson!));
  await expect(cards(page).getByText('Booked', { exact: true })).toBeVisible();
  await cards(page).getByRole('heading').getByRole('link').click();
  await expect(page.getByRole('dialog')).toContainText('You have booked this lesson.');
  await page.goto(bookingOf(lesson!));
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('You have already booked this lesson.');
  await expect(dialog).not.toContainText('Total price');
  await dialog.getByRole('link', { name: 'See your booking' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(lesson!.title);
});

test('[DISC-2] the first lessons stand in the page itself: read without JavaScript, and asked for by nobody again', async ({
  browser,
  page,
  request,
}) => {
  const title = `</script><b>Volleys</b> ${Date.now()}`;
  await publishLessons(request, { title });
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
  // What makes no sense in the address is left out here, too.
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
  await expect(page.locator('[data-drawn]')).toHaveCount(0);
  await expect(cards(page).getByRole('heading')).toHaveText(title);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  expect(complaints, 'what was drawn is what the app shows').toEqual([]);
});

test('what is typed before the app is there is searched for, and who is signed in is not asked to sign in', async ({
  page,
  request,
}) => {
  const [lesson] = await publishLessons(request);
  let begin = () => {};
  const hold = async () => {
    const held = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await page.unroute(/\/assets\/index-.*\.js$/);
    await page.route(/\/assets\/index-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
  };
  await hold();
  await page.goto('/customer/discover', { waitUntil: 'commit' });
  await page.getByRole('searchbox', { name: 'Search lessons' }).pressSequentially(lesson!.title);
  await expect(page.locator('[data-drawn]')).toHaveCount(1);
  begin();
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByRole('searchbox', { name: 'Search lessons' })).toBeFocused();
  await expect(page.getByRole('searchbox', { name: 'Search lessons' })).toHaveValue(lesson!.title);

  await becomePerson(page, await openCustomer(request));
  await hold();
  await page.goto('/customer/discover', { waitUntil: 'commit' });
  await expect(cards(page)).toHaveCount(20);
  await expect(page.locator('[data-drawn]')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeHidden();
  begin();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expect(cards(page)).toHaveCount(20);
});
