import { TOTP } from 'otpauth';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { linkIn, readEmail } from '../support/emails.ts';
import { expect, test } from '../support/fixtures.ts';
import { openCustomer, signIn } from '../support/people.ts';

declare global {
  var sessionEvents: string[];
}

test('sends every tab an event for each change to the session [AUTH-7]', async ({ page, context }) => {
  // The client sends each event to all tabs. This tab stays open while the other one leaves its pages.
  const tab = await context.newPage();
  await tab.goto('/favicon.svg');
  await tab.evaluate((channel) => {
    window.sessionEvents = [];
    new BroadcastChannel(channel).onmessage = ({ data }) => window.sessionEvents.push(data.event);
  }, sessionStorageKey);
  const expectEvent = (event: string) =>
    expect.poll(() => tab.evaluate(() => window.sessionEvents)).toContain(event);

  const { email } = await openCustomer({ card: null, fullName: 'Eve Events' });
  await signIn(page, email);
  await expectEvent('SIGNED_IN');

  await page.evaluate((key) => {
    const session = JSON.parse(localStorage.getItem(key)!);
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
  }, sessionStorageKey);
  await page.goto('/account');
  await expectEvent('TOKEN_REFRESHED');

  await page.getByLabel('Full name').fill('Eve Eventful');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expectEvent('USER_UPDATED');

  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const key = await page.getByRole('main').locator('code').innerText();
  const code = new TOTP({ secret: key.replaceAll(' ', '') }).generate();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expectEvent('MFA_CHALLENGE_VERIFIED');
  await page.getByRole('button', { name: "I've saved them" }).click();

  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expectEvent('SIGNED_OUT');

  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.goto(linkIn(await readEmail(email, /new password/)));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectEvent('PASSWORD_RECOVERY');
});
