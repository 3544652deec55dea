import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { authApi } from '#domain/auth/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, publishLessons } from '../support/club.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';
import { becomePerson, demoPassword, newAddress, openCustomer, signIn, signUp } from '../support/people.ts';
import { failResponse, holdResponse, refuseNextAsTooMany } from '../support/responses.ts';

const newPassword = 'purple-line-of-touch';

/** Signs a person in from another browser. */
async function signInElsewhere(browser: Browser, email: string, password = demoPassword): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, email, password);
  return page;
}

const partOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) });

/** Opens the account page, which checks the session with the server, and expects the session to have ended. */
async function expectSignedOut(page: Page) {
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: "You're signed out" })).toBeVisible();
}

test('changes the name, and the email address after both links are confirmed [AUTH-8a, AUTH-11d, UX-4d]', async ({
  page,
  browser,
}) => {
  const [email, newEmail] = [await signUp(page, 'Mova Ble'), newAddress()];
  await page.goto('/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete your account' })).toBeVisible();
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 1280, height: 800 });

  const profile = partOf(page, 'Profile');
  await profile.getByLabel('Full name').fill('Mova Bly');
  await failResponse(page, '**/auth/v1/user', 'offline', { once: true, method: 'PUT' });
  await profile.getByRole('button', { name: 'Save name' }).click();
  await expect(toast(page, 'Error')).toBeVisible();
  await expect(profile.getByLabel('Full name')).toHaveValue('Mova Bly');
  await profile.getByRole('button', { name: 'Save name' }).click();
  await expect(toast(page, 'Name saved')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Mova Bly' })).toBeVisible();

  const part = partOf(page, 'Email');
  await part.getByRole('button', { name: 'Change email address' }).click();
  await part.getByLabel('New email address').fill(email);
  await part.getByRole('button', { name: 'Send links' }).click();
  await expect(part.getByText('This is already your email address.')).toBeVisible();
  await part.getByLabel('New email address').fill(newEmail);
  await refuseNextAsTooMany(page, '**/auth/v1/user**', 'PUT');
  await part.getByRole('button', { name: 'Send links' }).click();
  await expect(part.getByRole('timer')).toBeVisible();
  await part.getByRole('button', { name: 'Send links' }).click();
  await expect(part.getByRole('status')).toContainText(newEmail);
  await page.reload();
  await expect(part.getByRole('status')).toContainText(newEmail);
  await expectNoViolations(page);

  // Opens both links on another device, which has no session.
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(linkIn(await readEmail(newEmail, /Confirm your new email/)));
  await phone.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(phone.getByRole('heading', { name: 'Address confirmed' })).toBeVisible();
  await expect(part.getByText(email, { exact: true }).first()).toBeVisible();
  await phone.goto(linkIn(await readEmail(email, /Confirm the change/)));
  await expect(phone.getByRole('heading', { name: 'Confirm the change' })).toBeVisible();
  await expectNoViolations(phone);
  // One request from the waiting page fails, but the page must still detect the change.
  await failResponse(page, '**/auth/v1/user', 'offline', { once: true });
  await phone.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(phone.getByRole('heading', { name: 'Email address changed' })).toBeVisible();
  await phone.reload();
  await phone.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(phone.getByRole('alert')).toContainText('already been used');
  await expect(phone.getByText("We couldn't confirm the change.")).toBeVisible();

  // The waiting page shows the new address without a reload.
  await expect(part.getByText(newEmail, { exact: true })).toBeVisible();
  await expect(part.getByRole('button', { name: 'Change email address' })).toBeVisible();
  await readEmail(email, /was changed$/);
  await readEmail(newEmail, /was changed$/);
  await signIn(phone, newEmail);
  await expect(phone.getByRole('banner').getByRole('link', { name: 'Mova Bly' })).toBeVisible();
  await phone.context().close();
});

test('signs out one browser, the others or all; a new password signs out the others [AUTH-11d, AUTH-12b]', async ({
  page,
  browser,
}) => {
  const email = await signUp(page, 'Sess Ions');
  const phone = await signInElsewhere(browser, email);
  const laptop = await signInElsewhere(browser, email);
  await page.goto('/account');
  const sessions = partOf(page, "Where you're signed in");
  const rows = sessions.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('This browser');
  await expect(rows.first()).toContainText(/Chrome on/);
  await expectNoViolations(page);

  // This browser is listed first, then the most recent sign-in. A live update removes the row of the ended
  // session before the response arrives.
  const ended = await holdResponse(page, authApi.endSession);
  await rows
    .nth(1)
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await expect(rows).toHaveCount(2);
  await ended.release();
  await expect(toast(page, 'Signed out')).toBeVisible();
  await expectSignedOut(laptop);
  await phone.goto('/account');
  await expect(phone.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();

  const part = partOf(page, 'Password');
  const change = part.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(part.getByText('Enter your current password.')).toBeVisible();
  await part.getByLabel('Current password').fill('not-the-password');
  await part.getByLabel('New password').fill(newPassword);
  await change.click();
  await expect(part.getByText('This is not your current password.')).toBeVisible();
  await expect(part.getByLabel('Current password')).toBeFocused();
  await part.getByLabel('Current password').fill(demoPassword);
  await part.getByLabel('New password').fill('football2026');
  await change.click();
  await expect(part.getByText(/^This password is on lists of stolen passwords/)).toBeVisible();
  await part.getByLabel('New password').fill(newPassword);
  await refuseNextAsTooMany(page, '**/auth/v1/user**', 'PUT');
  await change.click();
  await expect(part.getByRole('timer')).toBeVisible();
  await change.click();
  await expect(toast(page, 'Password changed')).toBeVisible();
  await expect(part.getByRole('timer')).toBeHidden();
  await expect(rows).toHaveCount(1);
  await expectSignedOut(phone);
  await readEmail(email, /password was changed/);

  const again = await signInElsewhere(browser, email, newPassword);
  await again.goto('/account');
  await partOf(again, "Where you're signed in")
    .getByRole('button', { name: 'Sign out all other browsers' })
    .click();
  await expect(toast(again, 'Signed out everywhere else')).toBeVisible();
  await expectSignedOut(page);
  const last = await signInElsewhere(browser, email, newPassword);
  await partOf(again, "Where you're signed in").getByRole('button', { name: 'Sign out everywhere' }).click();
  await again.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(again.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  await expectSignedOut(last);
  for (const one of [phone, laptop, again, last]) await one.context().close();
});

test('shows recovery codes once, signs in with one and replaces the rest [AUTH-11e]', async ({ page }) => {
  const email = await signUp(page, 'Lost Phone');
  await page.goto('/account');
  const part = partOf(page, 'Two-step sign-in');
  await part.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const key = await part.locator('code').innerText();
  const totp = new TOTP({ secret: key.replaceAll(' ', '') });
  const codeOf = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  // Uses codes for the current and the next time step; the previous step's code could expire before the check.
  await part.getByLabel('Code', { exact: true }).fill(codeOf(0));
  await part.getByRole('button', { name: 'Switch on' }).click();
  // Searches the whole page, because printing hides the heading by which the section is located.
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  const codes = await list.getByRole('listitem').allInnerTexts();
  await expectNoViolations(page);
  await page.emulateMedia({ media: 'print' });
  await expect(list).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  const download = page.waitForEvent('download');
  await part.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${defaultBrand.toLowerCase()}-recovery-codes.txt`);
  const kept = await readFile(await file.path(), 'utf8');
  for (const code of codes) expect(kept).toContain(code);
  await part.getByRole('button', { name: "I've saved them" }).click();
  await expect(part.getByText(/^10 of 10 left/)).toBeVisible();
  await expect(page.getByText(codes[0]!)).toBeHidden();

  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByRole('heading', { name: 'Enter a recovery code' })).toBeVisible();
  await expectNoViolations(page);
  const field = page.getByLabel('Recovery code');
  await field.fill('1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Enter a complete recovery code')).toBeVisible();
  await field.fill('zzzz-zzzz-zzzz-zzzz-zzzz-zzzz');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert').filter({ hasText: "isn't one of your recovery codes" })).toBeVisible();
  await field.fill(codes[3]!);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
  await readEmail(email, /recovery code was used/);

  await page.goto('/account');
  await expect(part.getByText(/^9 of 10 left/)).toBeVisible();
  await part.getByRole('button', { name: 'Create new codes' }).click();
  await part.getByLabel('Code', { exact: true }).fill(codeOf(1));
  await part.getByRole('button', { name: 'Create ten codes' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(10);
  expect(await list.getByRole('listitem').allInnerTexts()).not.toContain(codes[0]);
});

test('downloads personal data, and deletes the account once no lesson is booked [AUTH-14a, AUTH-14b, AUTH-14c]', async ({
  page,
  request,
}) => {
  const person = await openCustomer({ fullName: 'Gone Tomorrow' });
  const [lesson] = await publishLessons();
  const bookingId = await bookByApi(person, lesson!);
  await becomePerson(page, person);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Download your data' }).click();
  const proof = page.getByRole('dialog', { name: 'Download your data' });
  await expect(proof).toBeVisible();
  await expectNoViolations(page);
  await proof.getByLabel('Current password').fill('not-the-password');
  await proof.getByRole('button', { name: 'Download' }).click();
  await expect(proof.getByText('This is not your current password.')).toBeVisible();
  await proof.getByLabel('Current password').fill(demoPassword);
  await refuseNextAsTooMany(page, '**/api/account/data');
  await proof.getByRole('button', { name: 'Download' }).click();
  await expect(proof.getByRole('timer')).toBeVisible();
  const download = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(
    new RegExp(`^${defaultBrand.toLowerCase()}-data-\\d{4}-\\d\\d-\\d\\d\\.json$`),
  );
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  const rowsOf = (name: string) => data.records.find(({ table }: { table: string }) => table === name).rows;
  expect(rowsOf('profiles')).toMatchObject([{ email: person.email }]);
  expect(rowsOf('bookings')).toMatchObject([{ bookingId, title: lesson!.title }]);

  const part = partOf(page, 'Delete account');
  await expect(part.getByText(/^You have 1 upcoming booking\./)).toBeVisible();
  await expect(part.getByRole('button', { name: 'Delete your account' })).toBeHidden();
  await expectNoViolations(page);
  await call(person, bookingsApi.cancel, { bookingId, expectedRefundCents: lesson!.priceCents });
  // The button appears without a reload once nothing blocks the deletion.
  await part.getByRole('button', { name: 'Delete your account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('Enter your password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill('not-the-password');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('This is not your current password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill(demoPassword);
  await refuseNextAsTooMany(page, '**/auth/v1/user**', 'PUT');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByRole('timer')).toHaveText(/^1:\d\d$/);
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Account deleted')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('app.session'))).toBeNull();
  await readEmail(person.email, /was deleted/);
  const again = await request.post('/auth/v1/token?grant_type=password', {
    data: { email: person.email, password: demoPassword },
  });
  expect(again.status()).toBe(400);
});

test('asks for the password when two-step sign-in is set up long after the sign-in', async ({ page }) => {
  await signUp(page, 'Left Open');
  await page.goto('/account');
  // Simulates the server's response 15 minutes after sign-in. The server's own tests cover that response.
  let isStale = true;
  await page.route('**/auth/v1/factors', (route) =>
    isStale
      ? route.fulfill({
          status: 401,
          headers: { 'x-supabase-api-version': '2024-01-01' },
          json: { code: 'reauthentication_needed', msg: 'To do this, please enter your password again.' },
        })
      : route.continue(),
  );
  const start = page.getByRole('button', { name: 'Set up an authenticator app' });
  await start.click();
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await expect(dialog).toBeVisible();
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(start).toBeFocused();
  await start.click();
  await dialog.getByLabel('Your password').fill('not-the-password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This is not your current password.')).toBeVisible();
  isStale = false;
  await dialog.getByLabel('Your password').fill(demoPassword);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
});

test('keeps two tabs signed in when both refresh; signs both out on token reuse [AUTH-12a]', async ({
  page,
  context,
  request,
}) => {
  await signUp(page, 'Two Tabs');
  const other = await context.newPage();
  await other.goto('/customer/payment-methods');
  await page.goto('/customer/payment-methods');
  const readSession = (tab: Page) =>
    tab.evaluate(() => JSON.parse(localStorage.getItem('app.session') ?? 'null'));
  const stolen = (await readSession(page)).refresh_token as string;
  /** Refreshes from one tab without coordinating with the other tab, which has the same token. */
  const refresh = (tab: Page, token: string) =>
    tab.evaluate(async (refreshToken) => {
      const answer = await fetch('/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: refreshToken }),
      });
      return { status: answer.status, session: await answer.json() };
    }, token);
  const [first, second] = await Promise.all([refresh(page, stolen), refresh(other, stolen)]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.session.refresh_token).toBe(first.session.refresh_token);
  await page.evaluate((session) => {
    localStorage.setItem('app.session', JSON.stringify(session));
  }, first.session);
  for (const tab of [page, other]) {
    await tab.reload();
    await expect(tab.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  }

  // Both tabs have the next token. A thief then uses the first token, too late for it to count as a retry.
  const next = await refresh(page, first.session.refresh_token);
  await page.evaluate((session) => {
    localStorage.setItem('app.session', JSON.stringify(session));
  }, next.session);
  const use = () =>
    request.post('/auth/v1/token?grant_type=refresh_token', { data: { refresh_token: stolen } });
  await expect.poll(async () => (await use()).status(), { timeout: 60_000 }).toBe(400);
  // The first tab that the server refuses signs both tabs out.
  for (const tab of [page, other]) {
    await tab.goto('/account');
    await expect(tab.getByRole('heading', { name: /^(You're signed out|Access Denied)$/ })).toBeVisible();
  }
});
