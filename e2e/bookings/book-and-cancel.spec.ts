import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { call } from '../support/api.ts';
import {
  answerBank,
  bookingOf,
  cardOf,
  confirmButton,
  discover,
  toast,
  typeCard,
} from '../support/booking-page.ts';
import { bookByApi, publishAt, publishLessons, readBookedCount } from '../support/club.ts';
import { clockAt, shownDay } from '../support/coaching.ts';
import { readEmail } from '../support/emails.ts';
import { expect, test, waitForLayout } from '../support/fixtures.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import {
  becomePerson,
  demoPassword,
  newAddress,
  openCoach,
  openCustomer,
  openDemo,
  verifyEmail,
} from '../support/people.ts';
import { changeResponse, failResponse } from '../support/responses.ts';

test('signs a visitor up, saves a card, books lessons and refunds a cancelled one [DISC-3, DISC-4, DISC-5a]', async ({
  page,
}) => {
  const [group] = await publishLessons({ seats: 4, priceCents: 1850 });
  const [single] = await publishLessons();
  await bookByApi(await openCustomer(), group!);
  const email = newAddress();

  await page.goto('/');
  await page.getByRole('link', { name: 'Find Your Coach' }).click();
  await page.getByRole('searchbox', { name: 'Search lessons' }).filter({ visible: true }).fill(group!.title);
  await expect(cardOf(page, group!)).toContainText('3 of 4 left');
  const book = cardOf(page, group!).getByRole('link', { name: /^Book Lesson/ });
  await expect(book).toHaveText('Book Lesson');
  await book.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Login Required', { exact: true })).toBeVisible();
  await expect(dialog.getByText('Authentication Required', { exact: true })).toBeVisible();
  await expect(dialog).not.toContainText("You're signed out");
  await dialog.getByRole('link', { name: 'Create Account' }).click();

  await page.getByLabel('Full name').fill('Vera Visitor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.locator('form').getByRole('button', { name: 'Create Account' }).click();
  await verifyEmail(page, email);

  // Signing up reopened the booking dialog. Without a saved card, the dialog leads to the card form and back.
  await expect(dialog).toContainText('Group lesson: 2 of 4 places taken, including yours');
  await expect(dialog).not.toContainText('Login Required');
  await expect(dialog).not.toContainText('Authentication Required');
  await expect(confirmButton(page)).toHaveCount(0);
  await dialog.getByRole('link', { name: 'Add a card' }).click();
  await typeCard(page, testCards.asksOnSaving);
  await answerBank(page, 'Complete');
  await expect(toast(page, 'Card saved')).toBeVisible();
  await expect(dialog).toContainText('Visa ending 3155');
  await expect(dialog.getByText('Total price', { exact: true }).locator('xpath=..')).toHaveText(
    'Total price£18.50',
  );
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £18.50');
  expect(await readBookedCount(group!)).toBe(1);
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  const success = toast(page, 'Your lesson has been booked successfully');
  await expect(success.locator('[data-title]')).toHaveText('Booking Successful!');
  await expect(toast(page, 'Booking Failed')).toBeHidden();
  await expect(dialog).toContainText("You're booked");
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Add to calendar' }).click();
  expect((await download).suggestedFilename()).toBe('lesson.ics');

  await page.goto(discover(single!));
  await cardOf(page, single!)
    .getByRole('link', { name: /^Book Lesson/ })
    .click();
  await expect(confirmButton(page)).toBeVisible();
  await expect(dialog).not.toContainText('Group lesson');
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £50.00');
  expect(await readBookedCount(single!)).toBe(0);
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(dialog).toContainText("You're booked");
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
  await expect(question).not.toContainText(/coming soon/i);
  await question.getByRole('button', { name: 'Keep Booking' }).click();
  await expect(question).toBeHidden();
  expect(await readBookedCount(single!)).toBe(1);
  await row.getByRole('button', { name: /^Cancel Booking/ }).click();
  await question.getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
  await expect(row).toContainText('Refunded');
  await expect(row).toContainText('£50.00 refunded to Visa ending 3155.');
  expect(await readBookedCount(single!)).toBe(0);

  await row.getByRole('link', { name: single!.title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(single!.title);
  await expect(page.getByRole('main')).toContainText('-£50.00');
  await readEmail(email, /booked|receipt/i);
});

test('filters and sorts lessons and keeps search, type and order in the URL [DISC-1, DISC-2]', async ({
  page,
}) => {
  const [tagged] = await publishLessons({ seats: 8, priceCents: 1200 });
  await publishLessons({ title: `${tagged!.title} one to one`, priceCents: 9000 });
  await page.goto('/customer/discover');
  const cards = page.getByRole('main').getByRole('listitem');
  // The next page loads automatically near the end of the list.
  await expect(cards).toHaveCount(20);
  await page.mouse.move(600, 600);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4000);
      return cards.count();
    })
    .toBeGreaterThan(40);

  const box = page.getByRole('searchbox', { name: 'Search lessons' }).filter({ visible: true });
  await box.fill(tagged!.title);
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('search') === tagged!.title);
  await expect(page.getByRole('status').filter({ hasText: /^2 lessons$/ })).toBeVisible();
  const { date } = wallTimeOf(tagged!.startTime);
  await expect(page.getByRole('heading', { level: 2, name: shownDay(date), exact: true })).toBeVisible();
  const sort = page.getByRole('combobox', { name: 'Sort' }).filter({ visible: true });
  await expect(sort.getByRole('option')).toHaveText([
    'Earliest First',
    'Price Low to High',
    'Price High to Low',
  ]);
  await sort.selectOption('Price High to Low');
  await expect(page).toHaveURL(/sort=price_high/);
  await expect(cards.first()).toContainText('£90.00');
  await sort.selectOption('Price Low to High');
  await expect(page).toHaveURL(/sort=price_low/);
  await expect(cards.first()).toContainText('£12.00');
  const times = `${clockAt(tagged!.startTime)}–${clockAt(tagged!.startTime, 15)}`;
  for (const text of [tagged!.title, 'Tess Trial', shownDay(date), times, '£12.00', '8 of 8 left']) {
    await expect(cards.first().getByText(text, { exact: true })).toBeVisible();
  }
  const type = page.getByRole('combobox', { name: 'Lesson type' }).filter({ visible: true });
  await expect(type.getByRole('option')).toHaveText(['All Types', 'Individual', 'Group']);
  await type.selectOption('Individual');
  await expect(page).toHaveURL(/type=individual/);
  await expect(cards).toHaveCount(1);
  await page.reload();
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('one to one');
  await expect(cards.getByText('Individual', { exact: true })).toBeVisible();
  await expect(sort).toHaveValue('price_low');
  await expect(type).toHaveValue('individual');
  await expect(box).toHaveValue(tagged!.title);
  await type.selectOption('Group');
  await expect(page).toHaveURL(/type=group/);
  await expect(cards).toHaveCount(1);
  await expect(cards).not.toContainText('one to one');
  await type.selectOption('All Types');
  await expect(page).toHaveURL((url) => !url.searchParams.has('type'));
  await expect(cards).toHaveCount(2);
  await sort.selectOption('Price High to Low');
  await expect(cards.first()).toContainText('one to one');
  await sort.selectOption('Earliest First');
  await expect(page).toHaveURL((url) => !url.searchParams.has('sort'));
  await expect(cards.first()).not.toContainText('one to one');

  await type.selectOption('Individual');
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove filter Individual' }).click();
  await expect(cards).toHaveCount(2);
  await page.goto(`${discover(tagged!)}%20nowhere&type=group&from=nonsense`);
  await waitForLayout(page);
  await expect(page.getByText('No lessons match these filters')).toBeVisible();
  await page.getByRole('button', { name: /^Remove “Lesson/ }).click();
  await expect(page).toHaveURL((url) => !url.searchParams.has('search') && url.search.includes('type=group'));
  await expect(cards.first()).toContainText('left');
});

test('reports that the lessons failed to load and retries [DISC-2]', async ({ page }) => {
  await becomePerson(page, await openCustomer());
  await page.goto('/customer/my-bookings');
  const offline = await failResponse(page, discoverApi.discoverSlots);
  // Opens the list from within the app, because the server would render it on a page load.
  await page.getByRole('banner').getByRole('link', { name: 'Book', exact: true }).click();
  await expect(toast(page, 'Failed to load available lesson slots')).toBeVisible();
  await offline.release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
});

test('reports a failed booking, and says when the lesson has just filled up [DISC-2, DISC-5b]', async ({
  page,
}) => {
  const [lesson] = await publishLessons();
  const [person, rival] = [await openCustomer(), await openCustomer()];
  await becomePerson(page, person);
  await page.goto(discover(lesson!));
  // Until the app has loaded, a link loads another page, and going back would load a list without the full lesson.
  await waitForLayout(page);
  await cardOf(page, lesson!).getByRole('link', { name: lesson!.title, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Bring water and shoes that grip.');
  const unread = await failResponse(page, paymentsApi.getPaymentMethod, { code: 'conflict' });
  await dialog.getByRole('button', { name: 'Book Lesson' }).click();
  await expect(dialog).toContainText("We couldn't load your saved card.");
  await unread.release();
  await expect(confirmButton(page)).toBeVisible();
  // The server refuses the booking without a reason.
  const refused = await failResponse(page, bookingsApi.book, { code: 'conflict', message: '' });
  await confirmButton(page).click();
  await expect(toast(page, 'Failed to book the lesson').locator('[data-title]')).toHaveText('Booking Failed');
  await refused.release();
  await bookByApi(rival, lesson!);
  await confirmButton(page).click();
  const full = toast(page, 'Sorry, the last place has just gone. You have not been charged.');
  await expect(full.locator('[data-title]')).toHaveText('Booking Failed');
  await expect(full).not.toContainText('Failed to book the lesson');
  await expect(toast(page, 'Booking Successful!')).toBeHidden();
  await expect(dialog.getByRole('alert')).toContainText('You have not been charged.');
  await dialog.getByRole('button', { name: 'Find another lesson' }).click();
  const fullyBooked = cardOf(page, lesson!).getByRole('button', { name: 'Fully Booked' });
  await expect(fullyBooked).toBeDisabled();
  await expect(fullyBooked).toHaveText('Fully Booked');
});

test('shows a changed price and asks for confirmation again', async ({ page }) => {
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer());
  // Serves the old price to the page, which a live update would correct before the press.
  await stopLiveUpdates(page);
  await changeResponse(page, slotsApi.getOpenSlot, ({ slot }) => ({
    slot: { ...slot, priceCents: 4500 },
  }));
  await page.goto(bookingOf(lesson!));
  await page.getByRole('button', { name: 'Confirm Booking · £45.00' }).click();
  await expect(page.getByRole('alert')).toContainText('The price of this lesson is now £50.00.');
  expect(await readBookedCount(lesson!)).toBe(0);
  await page.getByRole('button', { name: 'Confirm Booking · £50.00' }).click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
});

test('announces a price that changes while the booking dialog is open on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer());
  await page.goto(bookingOf(lesson!));
  await expect(page.getByRole('button', { name: 'Confirm Booking · £50.00' })).toBeVisible();
  const edit = { locationId: null, priceCents: 6000, minCapacity: 1, maxCapacity: 1 };
  await call(await openDemo('coach@demo.test'), lessonsApi.editSlot, { slotId: lesson!.slotId, ...edit });
  const notice = page.getByRole('dialog').getByRole('alert');
  await expect(notice).toHaveText(
    'The coach has just changed the price of this lesson. Previous price: £50.00.',
  );
  const press = page.getByRole('button', { name: 'Confirm Booking · £60.00' });
  await expect
    .poll(async () => {
      const [above, below] = await Promise.all([notice.boundingBox(), press.boundingBox()]);
      return below!.y - above!.y - above!.height;
    })
    .toBeGreaterThan(0);
  await press.click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
});

test('books once despite a lost response, a double click and a second tab [PAY-5, PAY-6b]', async ({
  page,
  context,
}) => {
  await stopLiveUpdates(context);
  const [lesson, other] = await publishLessons({ count: 2, seats: 6 });
  const person = await openCustomer();
  await becomePerson(page, person);
  const second = await context.newPage();
  await second.goto(bookingOf(lesson!));
  await expect(confirmButton(second)).toBeVisible();

  const lost = await failResponse(page, bookingsApi.book, 'lost');
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  await expect(page.getByRole('alert')).toContainText('You can safely confirm again');
  await lost.release();
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");

  await confirmButton(second).click();
  await expect(second.getByRole('dialog').getByRole('alert')).toContainText(
    "You've already booked this lesson.",
  );
  await second.getByRole('link', { name: 'See your booking' }).click();
  await expect(second.getByRole('heading', { level: 1 })).toHaveText(lesson!.title);
  const receipt = second.getByRole('main');
  const { startTime } = lesson!;
  const times = `${clockAt(startTime)}–${clockAt(startTime, 15)} London\u00a0time`;
  const lessonTime = `${shownDay(wallTimeOf(startTime).date)}, ${times}`;
  for (const text of ['Visa ending 4242', lessonTime]) await expect(receipt).toContainText(text);
  const total = receipt.locator('p').filter({ hasText: 'Total, including all fees' });
  await expect(total).toContainText('£50.00');
  expect(await readBookedCount(lesson!)).toBe(1);

  await page.goto(bookingOf(other!));
  await confirmButton(page).dblclick();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
  expect(await readBookedCount(other!)).toBe(1);
  const mine = await call(person, bookingsApi.listMine, { view: 'upcoming' });
  expect(mine.bookings.map(({ slotId, status, amountCents }) => ({ slotId, status, amountCents }))).toEqual(
    [lesson!, other!].map(({ slotId }) => ({ slotId, status: 'booked', amountCents: 5000 })),
  );
});

test('states the refund, and cancels only once on a double click [BOOK-2, BOOK-3a, BOOK-3c]', async ({
  page,
}) => {
  // Uses a new coach, who is free at every hour. The lesson starts within 20 hours.
  const { date, hour } = wallTimeOf(Date.now() + 20 * 3_600_000);
  const lesson = await publishAt(await openCoach(), { date, hour }, { priceCents: 3000 });
  const person = await openCustomer();
  const bookingId = await bookByApi(person, lesson);
  await becomePerson(page, person);
  const question = page.getByRole('alertdialog');
  // Simulates a booking made while the operator had switched refunds off.
  const earlier = await changeResponse(page, bookingsApi.getMine, ({ booking, ...rest }) => ({
    ...rest,
    booking: { ...booking, refundsEnabled: false },
  }));
  await page.goto(`/customer/bookings/${bookingId}`);
  const opener = page.getByRole('button', { name: 'Cancel Booking' });
  await expect(opener).toHaveText('Cancel Booking');
  await opener.click();
  await expect(question).toContainText('Refund processing is coming soon.');
  await question.getByRole('button', { name: 'Keep Booking' }).click();
  await expect(question).toBeHidden();
  expect(await readBookedCount(lesson)).toBe(1);
  await earlier.release();
  const started = await changeResponse(page, bookingsApi.getMine, ({ booking, ...rest }) => ({
    ...rest,
    booking: { ...booking, startTime: new Date(Date.now() - 60_000).toISOString() },
  }));
  await page.goto(`/customer/bookings/${bookingId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(lesson.title);
  await expect(opener).toBeHidden();
  await started.release();

  await page.goto(`/customer/bookings/${bookingId}`);
  await page.getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(question).toContainText(
    "This lesson starts in less than 24 hours, so £30.00 won't be refunded.",
  );
  await expect(question).not.toContainText(/coming soon/i);
  await expect(question.getByRole('button')).toHaveText(['Keep Booking', 'Cancel Booking']);
  const sent: string[] = [];
  page.on('request', (asked) => asked.url().endsWith('/cancellation') && sent.push(asked.url()));
  await question.getByRole('button', { name: 'Cancel Booking' }).dblclick();
  await expect(toast(page, 'Booking cancelled')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Cancelled');
  await expect(page.getByRole('main')).toContainText('Not refunded');
  await expect(toast(page, 'Error')).toBeHidden();
  await expect(opener).toBeHidden();
  expect(sent).toHaveLength(1);
  expect(await readBookedCount(lesson)).toBe(0);
  await page.goto('/customer/my-bookings');
  const row = page.getByRole('listitem').filter({ hasText: lesson.title });
  await expect(row).toContainText('Not refunded');
  await expect(row).toContainText('Cancelled');
  for (const path of ['/customer/my-bookings', `/customer/bookings/${bookingId}`, bookingOf(lesson)]) {
    await page.goto(path);
    await expect(page.getByText(lesson.title).first()).toBeVisible();
    await expect(page.getByText(/coming soon/i)).toHaveCount(0);
  }
});
