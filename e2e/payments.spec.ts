import {
  answerBank,
  becomePerson,
  bookingOf,
  confirmButton,
  goodExpiry,
  openCustomer,
  publishLessons,
  readBookedCount,
  testCards,
  toast,
  typeCard,
} from './club.ts';
import { expect, test } from './fixtures.ts';

test('[PAY-1] [PAY-4] a card is added, refused with its reason at the field, replaced and removed', async ({
  page,
  request,
}) => {
  await becomePerson(page, await openCustomer(request, { card: null }));
  await page.goto('/customer/payment-methods');
  await page.getByRole('button', { name: 'Add Payment Method' }).click();

  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByText('Type the long number on the front of the card.')).toBeVisible();
  await expect(page.getByLabel('Card number')).toBeFocused();
  await typeCard(page, '4242424242424241');
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4241');
  await expect(page.getByLabel('Security code')).toHaveValue('123');
  await typeCard(page, testCards.good, '0120');
  await expect(page.getByLabel('Expiry date')).toHaveAttribute('aria-invalid', 'true');
  for (const [number, reason] of [
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'does not have enough money'],
    ['4000000000000069', 'expired'],
  ] as const) {
    await typeCard(page, number);
    await expect(page.locator('form').getByRole('alert')).toContainText(reason);
    await expect(page.getByLabel('Expiry date')).toHaveValue(goodExpiry.replace(/^../, '$&/'));
  }
  await typeCard(page, testCards.good);
  await expect(toast(page, 'Card saved')).toContainText('Visa ending 4242');
  await expect(page.getByRole('main')).toContainText('Visa ending 4242');

  // Replacing with a card whose bank asks: failing keeps the card before, completing takes the new one.
  await page.getByRole('button', { name: 'Replace' }).click();
  await typeCard(page, testCards.asksAlways);
  await answerBank(page, 'Fail');
  const problem = page.locator('form').getByRole('alert');
  await expect(problem).toHaveText(
    'Your bank could not confirm that it was you. Your card was not saved. Try again, or use another card.',
  );
  await expect(page.getByLabel('Card number')).toHaveValue('4000 0027 6000 3184');
  await expect(page.getByLabel('Card number')).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByRole('button', { name: 'Stop without confirming' }).click();
  await expect(problem).toContainText("Your bank's check was not finished. Your card was not saved.");
  await page.getByRole('button', { name: 'Save card' }).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('main')).toContainText('Visa ending 3184');

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove card' }).click();
  await expect(toast(page, 'Card removed')).toBeVisible();
  await expect(page.getByText('No card saved yet')).toBeVisible();
});

test('[PAY-1] a card that could not be stored stays typed in, and is stored on the next try', async ({
  page,
  request,
}) => {
  await becomePerson(page, await openCustomer(request, { card: null }));
  const setup = '**/api/functions/setup-payment-method';
  await page.route(setup, (route) => route.abort('failed'));
  await page.goto('/customer/payment-methods');
  await page.getByRole('button', { name: 'Add Payment Method' }).click();
  await typeCard(page, testCards.mastercard);
  await expect(toast(page, 'Error')).toContainText("We couldn't reach Touchline.");
  await expect(page.getByLabel('Card number')).toHaveValue('5555 5555 5555 4444');
  await page.unroute(setup);
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByRole('main')).toContainText('Mastercard ending 4444');
});

test('[PAY-2] without a publishable key the form stays at "Loading payment form..."', async ({
  page,
  request,
}) => {
  await becomePerson(page, await openCustomer(request, { card: null }));
  const asked = page.waitForResponse('**/api/functions/get-stripe-config');
  await page.route('**/api/functions/get-stripe-config', async (route) => {
    await route.fulfill({ json: { publishableKey: null, isSandbox: true } });
  });
  await page.goto('/customer/payment-methods');
  await page.getByRole('button', { name: 'Add Payment Method' }).click();
  await asked;
  await expect(page.getByText('Loading payment form...')).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveCount(0);
});

test('[PAY-4] 3-D Secure on paying: failed, walked away from, then completed', async ({ page, request }) => {
  const [lesson] = await publishLessons(request);
  await becomePerson(page, await openCustomer(request, { card: testCards.asksAlways }));
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  await answerBank(page, 'Fail');
  const alert = page.getByRole('dialog').getByRole('alert');
  await expect(alert).toContainText('You have not been charged.');
  await expect(toast(page, 'Booking Failed')).toBeVisible();
  expect(await readBookedCount(request, lesson!)).toBe(0);

  // Escape is heard while the bank's page is on its way, and on that page as soon as it has a button.
  const complete = page
    .frameLocator('iframe[title="Your bank\'s security check"]')
    .getByRole('button', { name: 'Complete authentication' });
  const script = '**/challenge.js';
  await page.route(script, () => {});
  const asked = page.waitForRequest(script);
  await confirmButton(page).click();
  await asked;
  // The frame loads beside the dialog, which listens once it has the focus.
  await expect(page.getByRole('dialog', { name: 'Your bank wants' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(alert).toContainText("Your bank's check was not finished");
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
  await expect(alert).toContainText("Your bank's check was not finished");
  // The place is free at once, not only when the hold runs out.
  expect(await readBookedCount(request, lesson!)).toBe(0);

  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
  expect(await readBookedCount(request, lesson!)).toBe(1);
});

test('[PAY-4] somebody who left at the bank’s question finishes the booking later', async ({
  page,
  request,
}) => {
  const [lesson] = await publishLessons(request);
  await becomePerson(page, await openCustomer(request, { card: testCards.asksAlways }));
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Your bank wants' })).toBeVisible();
  await page.goto('/customer/my-bookings');
  await expect(page.getByText('Waiting for payment')).toBeVisible();
  await page.getByRole('link', { name: 'Finish Booking' }).click();
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
  expect(await readBookedCount(request, lesson!)).toBe(1);
});

test('[DISC-5] [PAY-1] a declined card says why, and another one books without losing the place', async ({
  page,
  request,
}) => {
  const [lesson] = await publishLessons(request);
  await becomePerson(page, await openCustomer(request, { card: testCards.declinedOnPaying }));
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  await expect(alert).toContainText('Your bank declined the card. You have not been charged.');
  expect(await readBookedCount(request, lesson!)).toBe(0);
  await page.getByRole('link', { name: 'Change card' }).click();
  await typeCard(page, testCards.asksThenInsufficient);
  await answerBank(page, 'Complete');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(alert).toContainText('Your card does not have enough money on it for this.');
  await page.getByRole('link', { name: 'Change card' }).click();
  await typeCard(page, testCards.good);
  await expect(page.getByRole('dialog')).toContainText('Visa ending 4242');
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
});

test('leads back to the list in one press, and never into a finished dialog', async ({ page, request }) => {
  const [lesson] = await publishLessons(request);
  await becomePerson(page, await openCustomer(request, { card: testCards.declinedOnPaying }));
  const list = `/customer/discover?search=${encodeURIComponent(lesson!.title)}`;
  await page.goto('/customer/my-bookings');
  await page.goto(list);
  const dialog = page.getByRole('dialog');
  const open = async () => {
    await page.getByRole('link', { name: lesson!.title, exact: true }).first().click();
    await dialog.getByRole('button', { name: 'Book Lesson' }).click();
    await expect(confirmButton(page)).toBeVisible();
  };
  // Closed, and then one press back: the page before the list.
  await open();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/my-bookings$/);
  await page.goForward();

  // Another card on the way, then booked, then on to the bookings. A bank's page may add entries to the history.
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
  await expect(dialog).toContainText('You’re booked');
  await dialog.getByRole('link', { name: 'View My Bookings' }).click();
  await expect(page).toHaveURL(/my-bookings$/);
  await page.goBack();
  await expect(page).toHaveURL(/discover\?search=/);
  await expect(dialog).toBeHidden();
});

test('after ten payments that failed the dialog says how long to wait, and a free lesson is booked all the same', async ({
  page,
  request,
}) => {
  const [lesson] = await publishLessons(request);
  const [free] = await publishLessons(request, { priceCents: 0 });
  const person = await openCustomer(request, { card: testCards.declinedOnPaying });
  for (let tries = 0; tries < 10; tries++) {
    const answer = await request.post('/api/functions/charge-payment-method', {
      data: { slotId: lesson!.slotId, baseAmountCents: lesson!.priceCents },
      headers: { authorization: `Bearer ${person.session.access_token}` },
    });
    expect(answer.status(), await answer.text()).toBe(402);
  }
  await becomePerson(page, person);
  await page.goto(bookingOf(lesson!));
  await confirmButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your booking' });
  await expect(dialog.getByRole('alert')).toHaveText(
    /^Several payments did not go through\. You have not been charged\. Check your card with your bank, or save another one\. Please try again in \d+ minutes\.$/,
  );
  // Nothing is held, what was chosen stays on the screen, and so do both ways on.
  expect(await readBookedCount(request, lesson!)).toBe(0);
  await expect(dialog).toContainText(lesson!.title);
  await expect(confirmButton(page)).toBeEnabled();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(bookingOf(free!));
  await confirmButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('You’re booked');
});

test('the card form of Stripe can be used once it is there, and offers cards alone', async ({
  browser,
  request,
}) => {
  // Stripe's own script is not reached from tests: this stands in for it, as far as the form uses it.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: stripeScript }),
  );
  await page.route('**/api/functions/get-stripe-config', (route) =>
    route.fulfill({
      json: { publishable_key: 'pk_test_1', publishableKey: 'pk_test_1', isSandbox: false },
    }),
  );
  await becomePerson(page, await openCustomer(request, { card: null }));
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
    'Your bank could not confirm that it was you. Your card was not saved.',
  );
  await page.evaluate(() => (window as never as { emit: (name: string) => void }).emit('loaderror'));
  await expect(page.getByText('The payment form could not be used')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(save).toBeDisabled();
  await context.close();
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
