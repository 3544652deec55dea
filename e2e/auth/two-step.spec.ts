import { TOTP } from 'otpauth';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { expect, expectNoViolations, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { demoPassword, readSession, setRole, signUp, submitSignIn } from '../support/people.ts';
import { failResponse, oldProof } from '../support/responses.ts';

test('switches two-step sign-in on, asks for a code at sign-in, and switches it off [AUTH-11e, NAV-9d, UX-4c]', async ({
  page,
}) => {
  const email = await signUp(page, 'Careful Cara');
  await page.getByRole('banner').getByRole('link', { name: 'Careful Cara' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeFocused();
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const image = page.getByRole('img', { name: 'QR code' });
  await expect(image).toBeVisible();
  await expect
    .poll(() => image.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
    .toBeGreaterThan(0);
  await expectNoViolationsInBothThemes(page);
  const key = await page.getByRole('main').locator('code').innerText();
  const totp = new TOTP({ secret: key.replaceAll(' ', '') });
  const codeOf = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });

  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('Enter the six-digit code.')).toBeVisible();
  // Uses codes for the current and the next time step; the previous step's code could expire before the check.
  await page.getByLabel('Code', { exact: true }).fill(codeOf(0));
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('Two-step sign-in is on: you need')).toBeVisible();
  await page.getByRole('button', { name: "I've saved them" }).click();

  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await submitSignIn(page, email);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  // The password alone gives no access, even after a reload.
  await page.goto('/customer/dashboard');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in to continue' }).click();

  await page.getByLabel('Code', { exact: true }).fill('12 34');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Enter the six-digit code.')).toBeVisible();
  // Types the code with the space that authenticator apps show in the middle.
  const used = codeOf(1);
  await page.getByLabel('Code', { exact: true }).fill(used.replace(/^.../, '$& '));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText("You've been signed in successfully.", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/customer\/dashboard$/);
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible();

  await page.goto('/account');
  // A code can prove identity instead of the password, but each code works only once.
  const password = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Password' }) });
  await password.getByRole('button', { name: "Use your authenticator app's code instead" }).click();
  await password.getByLabel('Code', { exact: true }).fill(used);
  await password.getByLabel('New password').fill('purple-line-of-touch');
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(password.getByText("That code doesn't match.")).toBeVisible();

  // Actions that a stolen session must not allow require the code or the password again.
  const { user } = await readSession(page);
  await setRole({ userId: user.id }, 'coach', true);
  await page.goto('/coach/bank-details');
  await page.getByLabel('Name on the account').fill('Careful Cara');
  await page.getByLabel('Sort code').fill('089999');
  await page.getByLabel('Account number').fill('66374958');
  await failResponse(page, payoutsApi.saveBankDetails, oldProof, { once: true });
  await page.getByRole('button', { name: 'Save bank details' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await expect(proof.getByLabel('Code', { exact: true })).toBeFocused();
  await expectNoViolations(page);
  await proof.getByLabel('Code', { exact: true }).fill(used);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect(proof.getByText("That code doesn't match.")).toBeVisible();
  await proof.getByRole('button', { name: 'Use your password' }).click();
  await proof.getByLabel('Your password', { exact: true }).fill(demoPassword);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Bank details saved')).toBeVisible();
  await expect(page.getByText('••••4958')).toBeVisible();

  await page.goto('/account');
  await page.getByRole('button', { name: 'Switch off' }).click();
  const question = page.getByRole('alertdialog', { name: 'Switch off two-step sign-in?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await page.reload();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await question.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await submitSignIn(page, email);
  await expect(page).toHaveURL(/\/coach\/calendar$/);
});
