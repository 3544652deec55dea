import { randomUUID } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { demoPassword, linkIn, newAddress, readMail } from './fixtures.ts';

/** Numbers of the card network's test cards, by what they do. */
export const testCards = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  /** Saving asks the bank, paying does not any more. */
  asksOnSaving: '4000002500003155',
  asksAlways: '4000002760003184',
  declinedOnPaying: '4000000000000341',
  asksThenInsufficient: '4000008260003178',
} as const;

type Session = { access_token: string; [key: string]: unknown };

/** Somebody who is signed in, and calls the API without a browser. */
export type Person = { email: string; fullName: string; session: Session };

/** Calls the API as this person; fails the test where the answer is not the awaited status. */
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

async function openSession(request: APIRequestContext, email: string): Promise<Session> {
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
  const link = linkIn(await readMail({ request }, email, /verify|confirm/i));
  await request.get(link, { maxRedirects: 0 });
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

/** Goes on in the browser as this person, as somebody who signed in there earlier. */
export async function becomePerson(page: Page, { session }: Person): Promise<void> {
  await page.goto('/favicon.svg');
  await page.evaluate((known) => localStorage.setItem('touchline.session', JSON.stringify(known)), session);
}

/** A lesson that a test published for itself, to be found by its title. */
export type Lesson = { slotId: string; title: string; priceCents: number; startTime: string };

/** Publishes lessons of one new template of the demo's coach on dates of their own, from `inDays` on. */
export async function publishLessons(
  request: APIRequestContext,
  {
    count = 1,
    places = 1,
    priceCents = 5000,
    inDays = 40 + Math.floor(Math.random() * 600),
    title = `Lesson ${randomUUID().slice(0, 8)}`,
  }: { count?: number; places?: number; priceCents?: number; inDays?: number; title?: string } = {},
): Promise<Lesson[]> {
  const coach = {
    email: 'coach@demo.test',
    fullName: '',
    session: await openSession(request, 'coach@demo.test'),
  };
  const { template } = await call<{ template: { templateId: string } }>(
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
      lessonType: places === 1 ? 'individual' : 'group',
      minCapacity: places === 1 ? 1 : 2,
      maxCapacity: places,
    },
  );
  const dayOf = (offset: number) =>
    new Date(Date.now() + (inDays + offset) * 86_400_000).toISOString().slice(0, 10);
  const { slots } = await call<{ slots: Lesson[] }>(request, coach, 'POST', '/api/coach/slots', {
    templateId: template.templateId,
    mode: 'dates',
    startDate: dayOf(0),
    additionalDates: Array.from({ length: count - 1 }, (_, index) => dayOf(index + 1)),
    // The small hours, when no lesson of the demo club is on.
    hour: Math.floor(Math.random() * 5),
    minute: 15 * Math.floor(Math.random() * 4),
  });
  return slots;
}
