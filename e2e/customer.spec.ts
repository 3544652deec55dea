import { wallTimeOf } from '#domain/time.ts';
import {
  answerBank,
  becomePerson,
  bookByApi,
  bookingOf,
  cardOf,
  confirmButton,
  discover,
  type Lesson,
  openCustomer,
  publishLessons,
  readBookedCount,
  testCards,
  toast,
  typeCard,
} from './club.ts';
import {
  becomeDemo,
  demoPassword,
  expect,
  newAddress,
  readMail,
  test,
  verifyEmail,
  waitForLayout,
} from './fixtures.ts';
import { openCoach, publishAt } from './own-coach.ts';

test('[DISC-3] [DISC-4] [DISC-5] [PAY-1] [PAY-4] [PAY-6] [BOOK-1] [BOOK-2] [BOOK-3] a visitor signs up, saves a card with 3-D Secure, books two lessons, cancels one and is refunded', async ({
  page,
  request,
}) => {
  const [group] = await publishLessons(request, { places: 4, priceCents: 1850 });
  const [single] = await publishLessons(request);
  const email = newAddress();

  await page.goto('/');
  await page.getByRole('link', { name: 'Find Your Coach' }).click();
  await page.getByRole('searchbox', { name: 'Search lessons' }).filter({ visible: true }).fill(group!.title);
  await expect(cardOf(page, group!)).toContainText('4 of 4 left');
  await cardOf(page, group!)
    .getByRole('link', { name: /^Book Lesson/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Login Required');
  await expect(dialog).toContainText('Authentication Required');
  await dialog.getByRole('link', { name: 'Create Account' }).click();

  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.locator('form').getByRole('button', { name: 'Create Account' }).click();
  await verifyEmail(page, email);

  // Back in the booking; without a card the way leads through the card form and back again.
  await expect(dialog).toContainText('Group lesson: 1 of 4 with you');
  await dialog.getByRole('link', { name: 'Add a card' }).click();
  await typeCard(page, testCards.asksOnSaving);
  await answerBank(page, 'Complete');
  await expect(toast(page, 'Card saved')).toBeVisible();
  await expect(dialog).toContainText('Visa ending 3155');
  await expect(dialog).toContainText('£18.50');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(toast(page, 'Booking Successful!')).toContainText('Your lesson has been booked successfully');
  await expect(dialog).toContainText('You’re booked');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Add to calendar' }).click();
  expect((await download).suggestedFilename()).toBe('lesson.ics');

  await page.goto(discover(single!));
  await cardOf(page, single!)
    .getByRole('link', { name: /^Book Lesson/ })
    .click();
  await expect(confirmButton(page)).toBeVisible();
  await expect(dialog).not.toContainText('Group lesson');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(dialog).toContainText('You’re booked');
  await dialog.getByRole('link', { name: 'View My Bookings' }).click();

  const hero = page.getByRole('region', { name: 'Next lesson' });
  await expect(hero).toContainText(group!.title);
  await expect(hero).toContainText('£18.50');
  const row = page.getByRole('listitem').filter({ hasText: single!.title });
  await expect(row).toContainText('£50.00');
  await expect(row).toContainText('Booked');

  await row.getByRole('button', { name: /^Cancel Booking/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText("You'll be refunded £50.00 to Visa ending 3155 in 5 to 10 days.");
  await question.getByRole('button', { name: 'Keep Booking' }).click();
  await expect(question).toBeHidden();
  expect(await readBookedCount(request, single!)).toBe(1);
  await row.getByRole('button', { name: /^Cancel Booking/ }).click();
  await question.getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
  await expect(row).toContainText('Refunded');
  await expect(row).toContainText('£50.00 refunded to Visa ending 3155.');
  expect(await readBookedCount(request, single!)).toBe(0);

  await row.getByRole('link', { name: single!.title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(single!.title);
  await expect(page.getByRole('main')).toContainText('-£50.00');
  await readMail(page, email, /booked|receipt/i);
});

test('[DISC-1] [DISC-2] search, type and sort stand in the address and narrow the list', async ({
  page,
  request,
}) => {
  const [tagged] = await publishLessons(request, { places: 8, priceCents: 1200 });
  await publishLessons(request, { title: `${tagged!.title} one to one`, priceCents: 9000 });
  await page.goto('/customer/discover');
  const cards = page.getByRole('main').getByRole('listitem');
  // The next page comes of itself when the end of the list comes near.
  await expect(cards).toHaveCount(20);
  await page.mouse.move(600, 600);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4000);
      return cards.count();
    })
    .toBeGreaterThan(40);

  await page.getByRole('searchbox', { name: 'Search lessons' }).filter({ visible: true }).fill(tagged!.title);
  await expect(page).toHaveURL(/search=Lesson/);
  await expect(page.getByRole('status').filter({ hasText: /^2 lessons$/ })).toBeVisible();
  const sort = page.getByRole('combobox', { name: 'Sort' }).filter({ visible: true });
  await sort.selectOption('Price High to Low');
  await expect(page).toHaveURL(/sort=price_high/);
  await expect(cards.first()).toContainText('£90.00');
  await sort.selectOption('Price Low to High');
  await expect(cards.first()).toContainText('£12.00');
  await expect(cards.first()).toContainText('8 of 8 left');
  const type = page.getByRole('combobox', { name: 'Lesson type' }).filter({ visible: true });
  await expect(type.getByRole('option')).toHaveText(['All Types', 'Individual', 'Group']);
  await type.selectOption('Individual');
  await expect(cards).toHaveCount(1);
  await page.reload();
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('one to one');
  await expect(sort).toHaveValue('price_low');

  await page.getByRole('button', { name: 'Remove filter Individual' }).click();
  await expect(cards).toHaveCount(2);
  await page.goto(`${discover(tagged!)}%20nowhere&type=group&from=nonsense`);
  await waitForLayout(page);
  await expect(page.getByText('No lessons fit these filters')).toBeVisible();
  await page.getByRole('button', { name: /^Drop “Lesson/ }).click();
  await expect(page).toHaveURL((url) => !url.searchParams.has('search') && url.search.includes('type=group'));
  await expect(cards.first()).toContainText('left');
});

test('[DISC-2] a list that cannot be loaded says so and can be asked for again', async ({ page }) => {
  await becomePerson(page, await openCustomer(page.request));
  await page.goto('/customer/my-bookings');
  await page.route(/\/api\/slots(\?|$)/, (route) => route.abort('failed'));
  // Not as a page of its own, in which the server has drawn the list already.
  await page.getByRole('banner').getByRole('link', { name: 'Book', exact: true }).click();
  await expect(toast(page, 'Failed to load available lesson slots')).toBeVisible();
  await page.unroute(/\/api\/slots(\?|$)/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
});

test('[DISC-2] [DISC-5] the last place goes while somebody looks at it', async ({ page, request }) => {
  const [lesson] = await publishLessons(request);
  const [person, rival] = [await openCustomer(request), await openCustomer(request)];
  await becomePerson(page, person);
  await page.goto(discover(lesson!));
  await cardOf(page, lesson!).getByRole('link', { name: lesson!.title, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Bring water and shoes that grip.');
  await dialog.getByRole('button', { name: 'Book Lesson' }).click();
  await expect(confirmButton(page)).toBeVisible();
  await bookByApi(request, rival, lesson!);
  await confirmButton(page).click();
  await expect(toast(page, 'Booking Failed')).toContainText('the last place has just gone');
  await expect(dialog.getByRole('alert')).toContainText('You have not been charged.');
  await dialog.getByRole('button', { name: 'Find another lesson' }).click();
  await expect(cardOf(page, lesson!).getByRole('button', { name: 'Fully Booked' })).toBeDisabled();
});

test('a price that changed meanwhile is shown, and asked about again', async ({ page, request }) => {
  const [lesson] = await publishLessons(request);
  await becomePerson(page, await openCustomer(request));
  // The page still shows what the lesson cost before.
  await page.route(`**/api/slots/${lesson!.slotId}`, async (route) => {
    const response = await route.fetch();
    const { slot } = await response.json();
    await route.fulfill({ response, json: { slot: { ...slot, priceCents: 4500 } } });
  });
  await page.goto(bookingOf(lesson!));
  await page.getByRole('button', { name: 'Confirm Booking · £45.00' }).click();
  await expect(page.getByRole('alert')).toContainText('The price of this lesson is now £50.00.');
  expect(await readBookedCount(request, lesson!)).toBe(0);
  await page.getByRole('button', { name: 'Confirm Booking · £50.00' }).click();
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
});

test('a lost answer, an impatient double click and a second tab book once and charge once', async ({
  page,
  request,
  context,
}) => {
  const [lesson, other] = await publishLessons(request, { count: 2, places: 6 });
  await becomePerson(page, await openCustomer(request));
  const second = await context.newPage();
  await second.goto(bookingOf(lesson!));
  await expect(confirmButton(second)).toBeVisible();

  const charge = '**/api/functions/charge-payment-method';
  await page.route(charge, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Confirming again is safe');
  await page.unroute(charge);
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('You’re booked');

  await confirmButton(second).click();
  await expect(second.getByRole('dialog').getByRole('alert')).toContainText(
    'You have already booked this lesson.',
  );
  await second.getByRole('link', { name: 'See your booking' }).click();
  await expect(second.getByRole('heading', { level: 1 })).toHaveText(lesson!.title);
  expect(await readBookedCount(request, lesson!)).toBe(1);

  await page.goto(bookingOf(other!));
  await confirmButton(page).dblclick();
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
  expect(await readBookedCount(request, other!)).toBe(1);
});

test('cancels once on a double click, late without a refund [BOOK-3]', async ({ page, request }) => {
  // A coach of the test's own is free at every hour: the lesson begins within the next 20.
  const { date, hour } = wallTimeOf(Date.now() + 20 * 3_600_000);
  const lesson = await publishAt(request, await openCoach(request), { date, hour }, { priceCents: 3000 });
  const person = await openCustomer(request);
  const bookingId = await bookByApi(request, person, lesson);
  await becomePerson(page, person);
  await page.goto(`/customer/bookings/${bookingId}`);
  await page.getByRole('button', { name: 'Cancel Booking' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(
    'The lesson starts in less than 24 hours, so £30.00 will not be refunded.',
  );
  const sent: string[] = [];
  page.on('request', (asked) => asked.url().endsWith('/cancellation') && sent.push(asked.url()));
  await question.getByRole('button', { name: 'Cancel Booking' }).dblclick();
  await expect(page.getByRole('main')).toContainText('Cancelled');
  await expect(page.getByRole('main')).toContainText('Not refunded');
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
  await expect(toast(page, 'Error')).toBeHidden();
  expect(sent).toHaveLength(1);
  expect(await readBookedCount(request, lesson)).toBe(0);
  await page.goto('/customer/my-bookings');
  await expect(page.getByRole('listitem').filter({ hasText: lesson.title })).toContainText('Not refunded');
});

test('shows bookings by lesson time; none, and a failure, are told [BOOK-1] [BOOK-4]', async ({
  page,
  request,
}) => {
  const [first, second, third] = await publishLessons(request, { count: 3, places: 2 });
  const person = await openCustomer(request);
  await becomePerson(page, person);
  await page.goto('/my-bookings');
  await expect(page).toHaveURL(/\/customer\/my-bookings$/);
  await expect(page.getByText('No bookings yet')).toBeVisible();

  for (const lesson of [first!, third!, second!]) await bookByApi(request, person, lesson);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Next lesson' })).toContainText('Booked');
  const days = page.getByRole('main').getByRole('listitem').locator('p > span:first-child');
  const dayOf = ({ startTime }: Lesson) => new RegExp(`\\b${Number(startTime.slice(8, 10))} `);
  await expect(days.filter({ hasText: /^[A-Z][a-z]{2} \d/ })).toHaveText([dayOf(second!), dayOf(third!)]);
  // Each lesson ahead goes into the customer's own calendar.
  await expect(page.getByRole('button', { name: 'Add to calendar' })).toHaveCount(3);

  await page.route('**/api/bookings?*', (route) => route.abort('failed'));
  await page.route('**/api/bookings', (route) => route.abort('failed'));
  await page.reload();
  await expect(toast(page, 'Failed to load your bookings')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Next lesson' })).toBeVisible();
});

test('[BOOK-1] lessons that are over read "Completed", given back ones "Refunded"', async ({ page }) => {
  await becomeDemo(page, 'customer@demo.test');
  await page.goto('/customer/my-bookings');
  await page.getByText('Past lessons').click();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible();
});

test('[DASH-1] [DASH-2] [DASH-4] [DASH-5] the dashboard greets, counts and leads on', async ({
  page,
  request,
}) => {
  const person = await openCustomer(request, { fullName: 'Dora Dash' });
  await becomePerson(page, person);
  await page.goto('/customer');
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Dora Dash!');
  await expect(page.getByText('Your athletic journey continues here')).toBeVisible();
  await expect(page.getByText('No recent activity')).toBeVisible();
  await expect(page.getByText('Book your first lesson to get started!')).toBeVisible();

  const lessons = await publishLessons(request, { count: 4, places: 2 });
  for (const lesson of lessons) await bookByApi(request, person, lesson);
  await page.reload();
  const figure = (label: string) => page.locator('dl > div').filter({ hasText: label }).locator('dd');
  await expect(figure('Lessons Booked')).toHaveText('4');
  await expect(figure('Upcoming')).toHaveText('4');
  await expect(figure('Total Hours')).toHaveText('0');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3);

  const logged = page.waitForEvent('console', (message) =>
    message.text().includes('Failed to fetch customer stats'),
  );
  await page.route('**/api/bookings-stats', (route) => route.abort('failed'));
  await page.reload();
  await logged;
  await expect(page.getByRole('alert')).toContainText("Your bookings couldn't be loaded");
  await expect(page.getByText('No recent activity')).toBeHidden();
  await page.unrouteAll();

  for (const [action, path] of [
    ['Book a Lesson', '/customer/discover'],
    ['View My Bookings', '/customer/my-bookings'],
    ['Payment Methods', '/customer/payment-methods'],
  ] as const) {
    await page.goto('/customer/dashboard');
    await page.getByRole('link', { name: action }).click();
    await expect(page).toHaveURL((url) => url.pathname === path);
  }
});
