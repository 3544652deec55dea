import { randomUUID } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { demoPassword, linkIn, newAddress, readEmail } from './fixtures.ts';

/** Numbers of the card network's test cards, by what they do. */
export const testCards = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  /** The bank asks when saving, and when a present customer pays. */
  asksOnSaving: '4000002500003155',
  asksAlways: '4000002760003184',
  declinedOnPaying: '4000000000000341',
  asksThenInsufficient: '4000008260003178',
} as const;

type Session = { access_token: string; [key: string]: unknown };

/** Somebody who is signed in, and calls the API without a browser. */
export type Person = { email: string; fullName: string; session: Session };

/** Calls the API as this person; fails the test if the status is not the expected one. */
export async function call<T>(
  request: APIRequestContext,
  { session }: Person,
  method: string,
  path: string,
  data?: unknown,
): Promise<T> {
  const answer = await request.fetch(path, {
    method,
    data,
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** A session for an account with the demo's password. */
export async function openSession(request: APIRequestContext, email: string): Promise<Session> {
  const answer = await request.post('/auth/v1/token?grant_type=password', {
    data: { email, password: demoPassword },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}

/** A new customer with this card saved, ready to book; null for no card. */
export async function openCustomer(
  request: APIRequestContext,
  { card = testCards.good, fullName = 'Cleo Customer' }: { card?: string | null; fullName?: string } = {},
): Promise<Person> {
  const email = newAddress();
  const signUp = await request.post('/auth/v1/signup', {
    data: { email, password: demoPassword, data: { full_name: fullName } },
  });
  expect(signUp.status(), await signUp.text()).toBe(200);
  const link = new URL(linkIn(await readEmail({ request }, email, /^Confirm your email/)));
  const verified = await request.post('/auth/v1/verify', {
    data: { type: 'signup', token_hash: link.searchParams.get('token_hash') },
  });
  expect(verified.status(), await verified.text()).toBe(200);
  const person = { email, fullName, session: await openSession(request, email) };
  await call(request, person, 'POST', '/api/profile');
  if (card) await saveCard(request, person, card);
  return person;
}

async function saveCard(request: APIRequestContext, person: Person, number: string): Promise<void> {
  const expiryYear = String(new Date().getFullYear() + 2);
  const method = await request.post('/sandbox/card-network/v1/payment_methods', {
    form: {
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '8',
      'card[exp_year]': expiryYear,
      'card[cvc]': '123',
    },
  });
  const { id } = (await method.json()) as { id: string };
  await call(request, person, 'POST', '/api/functions/setup-payment-method', { paymentMethodId: id });
}

/** Continues in the browser as this person, already signed in. */
export async function becomePerson(page: Page, { session }: Person): Promise<void> {
  await page.goto('/favicon.svg');
  await page.evaluate((known) => localStorage.setItem('app.session', JSON.stringify(known)), session);
}

/** A lesson that a test published for itself, to be found by its title. */
export type Lesson = { slotId: string; title: string; priceCents: number; startTime: string };

type Publication = {
  count?: number;
  seats?: number;
  priceCents?: number;
  inDays?: number;
  hour?: number;
  title?: string;
};

/** The London date this many days from today. */
const dayIn = (days: number) => addDays(wallTimeOf(Date.now()).date, days);

// All tests publish for the demo's coach, who can give one lesson at a time: each worker has its own quarter of an
// hour of the night, when the demo club has no lessons, and goes from day to day.
const worker = Number(process.env.TEST_WORKER_INDEX ?? 0);
const quarter = worker % 16;
const ownTime = { hour: 2 + Math.floor(quarter / 4), minute: 15 * (quarter % 4) };
// Lessons are published up to two years ahead; repeating a test a hundred times takes as many workers.
let nextDay = 40 + ((150 * Math.floor(worker / 16) + 11 * Math.floor(worker / 64)) % 600);

/** The first day of a run of days on which no test has used its worker's time yet, later at each call. */
function takeDays(count: number): number {
  nextDay += count;
  return nextDay - count;
}

/**
 * Publishes lessons of a new template of the demo's coach, a day apart: each time later than the test's previous
 * ones. `inDays` from now and `hour` for a test with a day to itself.
 */
export async function publishLessons(
  request: APIRequestContext,
  {
    count = 1,
    seats = 1,
    priceCents = 5000,
    inDays = takeDays(count),
    hour = ownTime.hour,
    title = `Lesson ${randomUUID().slice(0, 8)}`,
  }: Publication = {},
): Promise<Lesson[]> {
  const session = await openSession(request, 'coach@demo.test');
  const coach = { email: 'coach@demo.test', fullName: '', session };
  const isIndividual = seats === 1;
  const created = await call<{ template: { templateId: string } }>(
    request,
    coach,
    'POST',
    '/api/coach/templates',
    {
      title,
      description: 'Bring water and shoes that grip.',
      sport: 'tennis',
      durationMinutes: 15,
      basePriceCents: priceCents,
      lessonType: isIndividual ? 'individual' : 'group',
      minCapacity: isIndividual ? 1 : 2,
      maxCapacity: seats,
    },
  );
  const { slots } = await call<{ slots: Lesson[] }>(request, coach, 'POST', '/api/coach/slots', {
    templateId: created.template.templateId,
    mode: 'dates',
    startDate: dayIn(inDays),
    additionalDates: Array.from({ length: count - 1 }, (_, index) => dayIn(inDays + index + 1)),
    hour,
    minute: ownTime.minute,
  });
  return slots;
}

/** Books a lesson as this person through the API; returns the booking's id. */
export async function bookByApi(
  request: APIRequestContext,
  person: Person,
  { slotId, priceCents }: Lesson,
): Promise<string> {
  const input = { slotId, baseAmountCents: priceCents };
  const path = '/api/functions/charge-payment-method';
  const answer = await call<{ outcome: string; bookingId: string }>(request, person, 'POST', path, input);
  expect(answer.outcome).toBe('booked');
  return answer.bookingId;
}

/** How many seats of a lesson are taken. */
export async function readBookedCount(request: APIRequestContext, { slotId }: Lesson): Promise<number> {
  const { slot } = await (await request.get(`/api/slots/${slotId}`)).json();
  return slot.bookedCount;
}

/** The card of a lesson in the list. */
export const cardOf = (page: Page, { title }: Lesson) =>
  page.getByRole('listitem').filter({ hasText: title });

/** The notice with this text. */
export const toast = (page: Page, text: string) =>
  page.locator('[data-sonner-toast]').filter({ hasText: text }).first();

export const confirmButton = (page: Page) => page.getByRole('button', { name: /^Confirm Booking/ });

/** The list with this lesson alone, and the list with its booking open. */
export const discover = ({ title }: Lesson) => `/customer/discover?search=${encodeURIComponent(title)}`;
export const bookingOf = ({ slotId }: Lesson) => `/customer/discover?book=${slotId}`;

/** August of the year after next, as it is typed. */
export const goodExpiry = `08${String(new Date().getFullYear() + 2).slice(2)}`;

/** Enters a card into the form and saves it, up to the bank's or card network's response. */
export async function typeCard(page: Page, number: string, expiry = goodExpiry, code = '123'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill(expiry);
  await page.getByLabel('Security code').fill(code);
  await page.getByRole('button', { name: 'Save card' }).click();
}

/** Answers the bank's 3-D Secure page in its frame. */
export async function answerBank(page: Page, outcome: 'Complete' | 'Fail'): Promise<void> {
  await page
    .frameLocator('iframe')
    .getByRole('button', { name: `${outcome} authentication` })
    .click();
}
