import type { Browser, Page } from '@playwright/test';
import type { Role } from '#domain/access.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { createUser } from '#server/accounts/create-user.ts';
import { hashPassword } from '#server/auth/passwords/password-hash.ts';
import {
  callAuth,
  openSession,
  type Session,
  type Someone,
} from '#server/test-support/contract-client.test-support.ts';
import { cardOfNumber, testCards } from '#server/test-support/test-cards.test-support.ts';
import { call, fromOwnAddress, productUrl } from './api.ts';
import { changeDatabase } from './database.ts';
import { linkIn, readEmail } from './emails.ts';
import { expect } from './fixtures.ts';

/** The password of the demo's accounts and of everyone who signs up in these tests. */
export const demoPassword = 'demo-lesson-2026';

/** A signed-in person whose session a browser can continue. */
export type Person = Someone & { fullName: string; session: Session };

let visitors = 0;

/** An email address that this run has not used yet. */
export function newAddress(): string {
  visitors += 1;
  return `visitor-${process.pid}-${Date.now().toString(36)}-${visitors}@test.example`;
}

/** Signs in with the demo's password through the API. */
export async function openDemo(email: string, fullName = '', url = productUrl): Promise<Person> {
  const credentials = { email, password: demoPassword };
  const session = await openSession(url, credentials, { headers: fromOwnAddress() });
  return { userId: session.user.id, email, fullName, token: session.access_token, session };
}

// Hashing takes time, so the hash is computed once for everyone.
let commonHash: Promise<string> | undefined;

/** Adds a person with a confirmed address as if they had signed up, which sign-up.spec.ts tests, and signs them in. */
async function addPerson(fullName: string, ...roles: Role[]): Promise<Person> {
  const email = newAddress();
  commonHash ??= hashPassword(demoPassword, demoPassword);
  const passwordHash = await commonHash;
  await changeDatabase((db) => createUser({ db, email, fullName, roles, passwordHash, isConfirmed: true }));
  return openDemo(email, fullName);
}

/** Creates a customer and saves `card`, unless it is null. */
export async function openCustomer({
  card = testCards.good,
  fullName = 'Cleo Customer',
}: {
  card?: string | null;
  fullName?: string;
} = {}): Promise<Person> {
  const person = await addPerson(fullName, 'customer');
  if (card) await saveCard(person, card);
  return person;
}

async function saveCard(person: Person, number: string): Promise<void> {
  const typed = Object.entries(cardOfNumber(number)).map(([name, value]) => [`card[${name}]`, String(value)]);
  const method = await fetch(`${productUrl}/sandbox/stripe/v1/payment_methods`, {
    method: 'POST',
    body: new URLSearchParams([['type', 'card'], ...typed] as [string, string][]),
  });
  const { id } = (await method.json()) as { id: string };
  await call(person, paymentsApi.setupPaymentMethod, { paymentMethodId: id });
}

/** Creates a coach whose calendar is empty. */
export const openCoach = (fullName = 'Cara Coach'): Promise<Person> =>
  addPerson(fullName, 'customer', 'coach');

/** Grants or revokes a role as the demo's admin. */
export async function setRole(
  { userId }: Pick<Someone, 'userId'>,
  role: Role,
  isHeld: boolean,
): Promise<void> {
  await call(await openDemo('admin@demo.test'), adminApi.changeRole, { userId, role, isHeld });
}

/** Stores this person's session in the browser, which is then signed in. */
export async function becomePerson(
  page: Page,
  { session }: Pick<Person, 'session'>,
  url = '',
): Promise<void> {
  await page.goto(`${url}/favicon.svg`);
  await page.evaluate((known) => localStorage.setItem('app.session', JSON.stringify(known)), session);
}

/** Opens a page in a separate browser context, signed in as this person. */
export async function openBrowserOf(browser: Browser, person: Pick<Person, 'session'>): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await becomePerson(page, person);
  return page;
}

/** The session that this browser has stored. */
export const readSession = (page: Page): Promise<Session> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('app.session') ?? 'null'));

/** Ends every session of a person, as signing out everywhere from another browser does. */
export async function endSessions({ access_token: token }: Session): Promise<void> {
  const { status } = await callAuth(productUrl, { token }, '/logout?scope=global');
  expect(status).toBe(204);
}

/** Signs this browser in with the demo's password, without the sign-in screen. */
export async function becomeDemo(page: Page, email: string): Promise<void> {
  await becomePerson(page, await openDemo(email));
}

/** Fills in and submits the sign-in form on the current page. */
export async function submitSignIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Signs in through the screen and waits until another page opens. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login');
  await submitSignIn(page, email, password);
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Opens the link of a sign-up email and presses its button. */
export async function verifyEmail(page: Page, email: string): Promise<void> {
  await page.goto(linkIn(await readEmail(email, /^Confirm your email/)));
  await page.getByRole('button', { name: 'Verify and sign in' }).click();
}

/** Signs a new visitor up through the screens, and in through the emailed link; returns the email address. */
export async function signUp(page: Page, fullName = 'Vera Visitor'): Promise<string> {
  const email = newAddress();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill(fullName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await verifyEmail(page, email);
  await expect(page.getByText(fullName).first()).toBeVisible();
  return email;
}
