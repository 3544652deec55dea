import { bookingsApi } from '#domain/bookings/contract.ts';
import { addDays } from '#domain/time.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { call } from '../support/api.ts';
import { answerBank, confirmButton, toast } from '../support/booking-page.ts';
import { publishAt, readBookedCount, soon } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { readEmail } from '../support/emails.ts';
import { addChild } from '../support/family.ts';
import { addToBasket, enterCare, enterChild } from '../support/family-forms.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer, openDemo } from '../support/people.ts';

test('takes a family from a new child to a basket, a refund and a register [PART-7a, PART-10c, CONNECT-14b]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Cara Coach');
  const terms = { seats: 4, priceCents: 2000 };
  const publishOn = (days: number, title: string) =>
    publishAt(coach, { date: addDays(today(), days), hour: 10 }, { ...terms, title });
  const first = await publishAt(coach, soon(), { ...terms, title: 'Junior tennis' });
  const second = await publishOn(3, 'Junior football');
  const third = await publishOn(4, 'Evening yoga');
  const counts = () => Promise.all([first, second, third].map(readBookedCount));

  // A parent adds a child with care details. The other child is already on the list.
  const parent = await openCustomer({ card: testCards.asksAlways, fullName: 'Gill Guardian' });
  await addChild(parent, { fullName: 'Ben Guardian' });
  await becomePerson(page, parent);
  await page.goto('/account/family');
  await page.getByRole('button', { name: 'Add someone' }).click();
  await enterChild(page, 'Mia Guardian');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mia Guardian');
  await page.getByRole('button', { name: 'Add care details' }).click();
  await enterCare(page);

  // Books three lessons for three people with one check by the bank.
  await addToBasket(page, first, '1 place', 'Mia Guardian');
  await addToBasket(page, second, '2 places', 'Ben Guardian');
  await addToBasket(page, third, '3 places', 'Me');
  await page.getByRole('link', { name: 'Go to basket' }).click();
  await expect(confirmButton(page)).toHaveText('Confirm Booking · £60.00');
  await confirmButton(page).click();
  await answerBank(page, 'Complete');
  await expect(page.getByRole('heading', { name: "You're booked" })).toBeVisible();
  expect(await counts()).toEqual([1, 1, 1]);

  // One booking is cancelled; the other two remain.
  await page.getByRole('link', { name: 'View My Bookings' }).click();
  await page.getByRole('button', { name: /^Cancel Booking: Junior football/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Booking' }).click();
  await expect(toast(page, '£20.00 is on its way back.')).toBeVisible();
  expect(await counts()).toEqual([1, 0, 1]);

  // An admin finds the parent's own booking at the desk and refunds half of it.
  const { bookings } = await call(parent, bookingsApi.listMine, { view: 'upcoming' });
  const { bookingId } = bookings.find(({ slotId }) => slotId === third.slotId)!;
  const desk = await browser.newPage();
  await becomePerson(desk, await openDemo('admin@demo.test'));
  await desk.goto(`/admin/panel?tab=bookings&booking=${parent.email}`);
  const found = desk.getByRole('table', { name: 'Bookings' }).getByRole('row');
  await found.getByRole('link', { name: 'Evening yoga' }).click();
  const others = desk.getByRole('list', { name: 'Paid together' }).getByRole('listitem');
  await expect(others.filter({ hasText: 'Junior tennis' })).toHaveText(/£20\.00$/);
  await expect(others.filter({ hasText: 'Junior football' })).toHaveText(/£20\.00£0\.00 left$/);
  await desk.getByRole('button', { name: 'Refund', exact: true }).click();
  const refund = desk.getByRole('dialog', { name: 'Refund this booking' });
  await refund.getByRole('button', { name: 'Half' }).click();
  await refund.getByLabel('Reason').fill('The hall was cold');
  await refund.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(desk.getByText('£10.00 refunded').first()).toBeVisible();
  await desk.close();
  const { text } = await readEmail(parent.email, /^Refund of £10\.00/);
  expect(text).toContain('The hall was cold');
  await page.goto(`/customer/bookings/${bookingId}`);
  const together = page.getByRole('region', { name: 'Paid together' });
  await expect(together).toContainText('One payment of£60.00');
  await expect(together).toContainText('Left after refunds£30.00');
  await expect(together.getByText('Refunded £20.00')).toHaveCount(1);
  await expect(together.getByText('Refunded £10.00')).toHaveCount(1);

  // The coach reads the register on a phone, and again without a connection.
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await becomePerson(phone, coach);
  await phone.goto('/coach/registers');
  await phone.getByRole('link', { name: 'Junior tennis' }).click();
  const mia = phone.getByRole('listitem').filter({ has: phone.getByRole('heading', { name: /^Mia/ }) });
  await expect(mia).toContainText('Age 9');
  await expect(mia).toContainText('Booked by: Gill Guardian');
  await phone.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect
    .poll(() => phone.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('register'))))
    .toHaveLength(1);
  await phone.context().setOffline(true);
  await phone.reload();
  await expect(phone.getByText(/This is the register as of .*, from this device\.$/)).toBeVisible();
  await expect(mia.getByRole('link', { name: /Gill Guardian/ })).toHaveAttribute('href', 'tel:01134960000');
  await phone.context().close();
});
