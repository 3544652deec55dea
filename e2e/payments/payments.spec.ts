import { bookingsApi } from '#domain/bookings/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { ask } from '../support/api.ts';
import {
  answerBank,
  bookingOf,
  confirmButton,
  goodExpiry,
  toast,
  typeCard,
} from '../support/booking-page.ts';
import { publishLessons, readBookedCount } from '../support/club.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCustomer } from '../support/people.ts';
import { failResponse, giveResponse, holdResponse } from '../support/responses.ts';

test('adds, replaces and removes a card, and says why a new card is declined [PAY-1a, PAY-4, UX-1b]', async ({
  page,
}) => {
  await becomePerson(page, await openCustomer({ card: null }));
  const unread = await failResponse(page, paymentsApi.getPaymentMethod);
  await page.goto('/customer/payment-methods');
  const add = page.getByRole('button', { name: 'Add Payment Method' });
  await expect(page.getByText('Failed to load your card').first()).toBeVisible();
  await expect(add).toHaveCount(0);
  await unread.release();
  await page.reload();
  await expect(add).toHaveText('Add Payment Method');
  await expect(page.getByText(/ending \d{4}/)).toHaveCount(0);
  await add.click();

  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByText('Enter the long number on the front of the card.')).toBeVisible();
  await expect(page.getByLabel('Card number')).toBeFocused();
  await typeCard(page, '4242424242424241');
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4241');
  await expect(page.getByLabel('Security code')).toHaveValue('123');
  await typeCard(page, testCards.good, '0120');
  await expect(page.getByLabel('Expiry date')).toHaveAttribute('aria-invalid', 'true');
  for (const [number, reason] of [
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'insufficient funds'],
    ['4000000000000069', 'expired'],
  ] as const) {
    await typeCard(page, number);
    await expect(page.locator('form').getByRole('alert')).toContainText(reason);
    await expect(page.getByLabel('Expiry date')).toHaveValue(goodExpiry.replace(/^../, '$&/'));
  }
  await typeCard(page, testCards.good);
  // Checks everything in one step, because toasts disappear automatically.
  const saved = toast(page, 'Card saved').and(page.locator('[data-type="success"]'));
  await expect(saved).toContainText('Visa ending 4242');
  await expect(page.getByRole('main')).toContainText('Visa ending 4242');
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Visa ending 4242');
  await expect(page.getByRole('main')).toContainText(`expires ${goodExpiry.replace(/^../, '$&/')}`);
  await expect(add).toHaveCount(0);

  // The new card needs 3-D Secure. If that fails, the old card stays; otherwise the new card replaces it.
  await page.getByRole('button', { name: 'Replace' }).click();
  await typeCard(page, testCards.asksAlways);
  await answerBank(page, 'Fail');
  const problem = page.locator('form').getByRole('alert');
  await expect(problem).toHaveText(
    "Your bank couldn't confirm that it was you. Your card wasn't saved. Try again, or use another card.",
  );
  await expect(page.getByLabel('Card number')).toHaveValue('4000 0027 6000 3184');
  await expect(page.getByLabel('Card number')).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByRole('button', { name: 'Stop without confirming' }).click();
  await expect(problem).toContainText("Your bank's check wasn't completed. Your card wasn't saved.");
  await page.getByRole('button', { name: 'Save card' }).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('main')).toContainText('Visa ending 3184');

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove card' }).click();
  await expect(toast(page, 'Card removed')).toHaveAttribute('data-type', 'success');
  await expect(page.getByText('No card saved yet')).toBeVisible();
  await expect(add).toBeVisible();
  await expect(page.getByText(/ending \d{4}/)).toHaveCount(0);
});

test('keeps card details in the form when saving them fails [PAY-1b, UX-4d]', async ({ page }) => {
  await becomePerson(page, await openCustomer({ card: null }));
  const offline = await failResponse(page, paymentsApi.setupPaymentMethod);
  await page.goto('/customer/payment-methods');
  await page.getByRole('button', { name: 'Add Payment Method' }).click();
  await typeCard(page, testCards.mastercard);
  await expect(toast(page, 'Error')).toContainText("We couldn't reach the server.");
  await expect(page.getByLabel('Card number')).toHaveValue('5555 5555 5555 4444');
  await expect(page.getByLabel('Expiry date')).toHaveValue(goodExpiry.replace(/^../, '$&/'));
  await expect(page.getByLabel('Security code')).toHaveValue('123');
  await expect(toast(page, 'Failed to add payment method')).toHaveCount(0);
  await offline.release();
  // The server refuses the request without a reason.
  const reasonless = { code: 'unprocessable', message: '' } as const;
  const refused = await failResponse(page, paymentsApi.setupPaymentMethod, reasonless);
  await page.getByRole('button', { name: 'Save card' }).click();
  // Checks everything in one step, because toasts disappear automatically.
  const failure = toast(page, 'Failed to add payment method')
    .and(page.locator('[data-type="error"]'))
    .filter({ has: page.locator('[data-title]', { hasText: /^Error$/ }) });
  await expect(failure).toBeVisible();
  await expect(toast(page, 'Card saved')).toHaveCount(0);
  await refused.release();
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByRole('main')).toContainText('Mastercard ending 4444');
});

test('stays at "Loading payment form..." without a publishable key [PAY-2]', async ({ page }) => {
  await becomePerson(page, await openCustomer({ card: null }));
  const config = await giveResponse(page, paymentsApi.getStripeConfig, withKey(null, true));
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  const read = page.waitForResponse((answer) => answer.url().endsWith(paymentsApi.getStripeConfig.path));
  await page.goto('/customer/payment-methods');
  await page.getByRole('button', { name: 'Add Payment Method' }).click();
  await config.arrived;
  await (await read).finished();
  // Opens another page and returns, by which time the response has taken effect.
  await page.getByRole('banner').getByRole('link', { name: 'Book', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find a lesson');
  await page.goBack();
  await expect(page.getByText('Loading payment form...', { exact: true })).toBeVisible();
  expect(sent.filter((url) => /(sandbox|stripe)-card-form|js\.stripe\.com/.test(url))).toEqual([]);
  await expect(page.getByLabel('Card number')).toHaveCount(0);
  await config.release();
  // The form is still open after a reload.
  await page.reload();
  await expect(page.getByLabel('Card number')).toBeVisible();
  await expect(page.getByText('Loading payment form...')).toHaveCount(0);
});

test("shows a booking's progress and releases the seat unless 3-D Secure succeeds [PAY-4, UX-4a]", async ({
  page,
}) => {
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer({ card: testCards.asksAlways }));
  await page.goto(bookingOf(lesson!));
  const held = await holdResponse(page, bookingsApi.book);
  await confirmButton(page).click();
  const placing = page.getByRole('button', { name: 'Booking your place...', exact: true });
  await expect(placing).toHaveAttribute('aria-busy', 'true');
  await held.release();
  // The bank's dialog hides the rest of the page from `getByRole`, so the test finds the button by its text.
  await expect(page.getByText('Waiting for your bank...', { exact: true })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  await expect(page.getByText('Booking your place...', { exact: true })).toHaveCount(0);
  await answerBank(page, 'Fail');
  const alert = page.getByRole('dialog').getByRole('alert');
  // The toast disappears automatically, so it is checked first.
  await expect(toast(page, 'Booking Failed')).toBeVisible();
  await expect(alert).toContainText('You have not been charged.');
  expect(await readBookedCount(lesson!)).toBe(0);

  // Escape works while the bank's page is loading and, once that page shows a button, on the page itself.
  const complete = page
    .frameLocator('iframe[title="Your bank\'s security check"]')
    .getByRole('button', { name: 'Complete authentication' });
  const script = '**/challenge.js';
  await page.route(script, () => {});
  const asked = page.waitForRequest(script);
  await confirmButton(page).click();
  await asked;
  // The frame loads in parallel with the dialog, which listens for Escape once it has the focus.
  await expect(page.getByRole('dialog', { name: 'Your bank needs' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(alert).toContainText("You didn't finish your bank's check");
  await page.unroute(script);
  let isScriptSent = false;
  await page.route(script, async (route) => {
    const response = await route.fetch();
    isScriptSent = true;
    await route.fulfill({ response });
  });
  await confirmButton(page).click();
  await complete.focus();
  expect(isScriptSent).toBe(true);
  await page.keyboard.press('Escape');
  await expect(alert).toContainText("You didn't finish your bank's check");
  // The seat is free immediately, not only when the hold expires.
  expect(await readBookedCount(lesson!)).toBe(0);

  const settled = await holdResponse(page, bookingsApi.settle);
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  const confirming = page.getByRole('button', { name: 'Confirming your place...', exact: true });
  await expect(confirming).toHaveAttribute('aria-busy', 'true');
  await settled.release();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
  expect(await readBookedCount(lesson!)).toBe(1);
});

test('lets a customer who left during 3-D Secure finish the booking [PAY-4]', async ({ page }) => {
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer({ card: testCards.asksAlways }));
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Your bank needs' })).toBeVisible();
  await page.goto('/customer/my-bookings');
  await expect(page.getByText('Waiting for payment')).toBeVisible();
  await page.getByRole('link', { name: 'Finish Booking' }).click();
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('dialog')).toContainText("You're booked");
  expect(await readBookedCount(lesson!)).toBe(1);
});

test('says why a card was declined, and continues the booking with another card [DISC-5b]', async ({
  page,
}) => {
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer({ card: testCards.declinedOnPaying }));
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  // The toast disappears automatically, so it is checked first.
  await expect(toast(page, 'Booking Failed')).toContainText('Your bank declined the card.');
  await expect(alert).toContainText('Your bank declined the card. You have not been charged.');
  expect(await readBookedCount(lesson!)).toBe(0);
  await page.getByRole('link', { name: 'Change card' }).click();
  await typeCard(page, testCards.asksThenInsufficient);
  await answerBank(page, 'Complete');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(alert).toContainText('Your card was declined because of insufficient funds.');
  await page.getByRole('link', { name: 'Change card' }).click();
  await typeCard(page, testCards.good);
  await expect(page.getByRole('dialog')).toContainText('Visa ending 4242');
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
});

test('goes back to the list in one step, and never to a finished dialog', async ({ page }) => {
  const [lesson] = await publishLessons();
  await becomePerson(page, await openCustomer({ card: testCards.declinedOnPaying }));
  const list = `/customer/discover?search=${encodeURIComponent(lesson!.title)}`;
  await page.goto('/customer/my-bookings');
  await page.goto(list);
  const dialog = page.getByRole('dialog');
  const open = async () => {
    await page.getByRole('link', { name: lesson!.title, exact: true }).first().click();
    await dialog.getByRole('button', { name: 'Book Lesson' }).click();
    await expect(confirmButton(page)).toBeVisible();
  };
  // Once the dialog is closed, Back leads to the page before the list.
  await open();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/my-bookings$/);
  await page.goForward();

  // Changes the card, books and opens the list of bookings. A bank's page may add history entries.
  await open();
  await page.getByRole('link', { name: 'Change card' }).click();
  await typeCard(page, testCards.asksAlways);
  await page
    .frameLocator('iframe')
    .getByRole('button', { name: 'Complete' })
    .evaluate(() => history.pushState(null, ''));
  await answerBank(page, 'Complete');
  await expect(dialog).toContainText('Visa ending 3184');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(dialog).toContainText("You're booked");
  await dialog.getByRole('link', { name: 'View My Bookings' }).click();
  await expect(page).toHaveURL(/my-bookings$/);
  await page.goBack();
  await expect(page).toHaveURL(/discover\?search=/);
  // The URL changes before the page does, so the test waits for the page, where a dialog would appear.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find a lesson');
  await expect(dialog).toBeHidden();
});

test('pauses payments after ten failures but still books free lessons', async ({ page }) => {
  const [lesson] = await publishLessons();
  const [free] = await publishLessons({ priceCents: 0 });
  const person = await openCustomer({ card: testCards.declinedOnPaying });
  for (let tries = 0; tries < 10; tries++) {
    const booking = { slotId: lesson!.slotId, baseAmountCents: lesson!.priceCents };
    const { status, error } = await ask(person, bookingsApi.book, booking);
    expect(status, error?.message).toBe(402);
  }
  await becomePerson(page, person);
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await expect(dialog.getByRole('alert')).toHaveText(
    /^Several payments didn't go through\. You have not been charged\. Check your card with your bank, or save another card\. Please try again in \d+ minutes\.$/,
  );
  // No seat is held, and the lesson and both buttons stay on the screen.
  expect(await readBookedCount(lesson!)).toBe(0);
  await expect(dialog).toContainText(lesson!.title);
  await expect(confirmButton(page)).toBeEnabled();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(bookingOf(free!));
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText("You're booked");
});

test("shows Stripe's card form without wallets and reports its errors", async ({ browser }) => {
  // Tests cannot reach Stripe's script, so a stub provides the functions that the form uses.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: stripeScript }),
  );
  await giveResponse(page, paymentsApi.getStripeConfig, withKey('pk_test_1', false));
  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto('/customer/payment-methods');
  await page.getByRole('button', { name: 'Add Payment Method' }).click();
  const save = page.getByRole('button', { name: 'Save card' });
  await expect(save).toBeDisabled();
  const wallets = await page.evaluate(() => (window as never as { stripeOptions: object }).stripeOptions);
  expect(wallets).toMatchObject({ wallets: { applePay: 'never', googlePay: 'never', link: 'never' } });
  await page.evaluate(() => (window as never as { emit: (name: string) => void }).emit('ready'));
  await expect(save).toBeEnabled();
  await save.click();
  await expect(page.locator('form').getByRole('alert')).toContainText(
    "Your bank couldn't confirm that it was you. Your card wasn't saved.",
  );
  await page.evaluate(() => (window as never as { emit: (name: string) => void }).emit('loaderror'));
  await expect(page.getByText("The payment form couldn't be used")).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(save).toBeDisabled();
  await context.close();
});

const withKey = (key: string | null, isSandbox: boolean) => ({
  publishable_key: key,
  publishableKey: key,
  isSandbox,
});

const stripeScript = `
const handlers = {};
window.emit = (name) => (handlers[name] ?? []).forEach((handle) => handle({ elementType: 'payment', error: {} }));
const element = {
  on(name, handle) { (handlers[name] ??= []).push(handle); return element; },
  off() { return element; },
  once() { return element; },
  mount() {}, unmount() {}, destroy() {}, update() {},
};
window.Stripe = () => ({
  _registerWrapper() {}, registerAppInfo() {},
  createToken() {}, createPaymentMethod() {}, confirmCardPayment() {},
  elements: () => ({
    create(type, options) { window.stripeOptions = options; return element; },
    getElement: () => element, update() {}, on() {}, off() {},
  }),
  confirmSetup: async () => ({ error: { type: 'card_error', code: 'setup_intent_authentication_failure' } }),
});
`;
