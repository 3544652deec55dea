import { adminApi } from '#domain/admin/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import {
  codeOf,
  type Factor,
  nextCodeOf,
  wrongCodeOf,
} from '#server/test-support/authenticator.test-support.ts';
import { callAuth, type Session } from '#server/test-support/contract-client.test-support.ts';
import { openTab, rolesOf } from '../support/admin-panel.ts';
import { fromOwnAddress, productUrl } from '../support/api.ts';
import { changeDatabase } from '../support/database.ts';
import { readEmail } from '../support/emails.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import {
  becomePerson,
  demoPassword,
  newAddress,
  openCoach,
  openCustomer,
  type Person,
  setRole,
} from '../support/people.ts';
import { changeResponse, failResponse, oldProof } from '../support/responses.ts';

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

/** Adds an authenticator app with its current code; returns its secret and the session that the code opens. */
async function setUpAuthenticator(person: Person): Promise<{ secret: string; session: Session }> {
  const headers = fromOwnAddress();
  const enrolled = { body: { factor_type: 'totp' }, headers };
  const { id, totp } = (await callAuth<Factor>(productUrl, person, '/factors', enrolled)).body;
  const challenged = await callAuth(productUrl, person, `/factors/${id}/challenge`, { headers });
  const body = { challenge_id: challenged.body.id, code: codeOf(totp.secret) };
  const verified = await callAuth<Session>(productUrl, person, `/factors/${id}/verify`, { body, headers });
  expect(verified.status).toBe(200);
  return { secret: totp.secret, session: verified.body };
}

// These tests run one after another, because roles granted in one test decide who is the last admin in another.
test.describe
  .serial('changing admin roles', () => {
    test('asks before admins remove their own role, and never removes the last admin [ROLE-6a, ROLE-6c]', async ({
      page,
    }) => {
      await openTab(page, 'Users');
      await page.getByLabel('Role', { exact: true }).selectOption('Admin');
      const row = page.getByRole('row').filter({ hasText: '(you)' });
      const adminRole = row.getByRole('button', { name: 'Admin' });
      await adminRole.click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog).toContainText('Only another admin can give you the role back');
      await dialog.getByRole('button', { name: 'Keep my admin role' }).click();
      await expect(dialog).toBeHidden();
      await expect(adminRole).toBeFocused();
      await adminRole.click();
      await dialog.getByRole('button', { name: 'Remove admin role' }).click();
      await expect(page.getByText('This is the last admin. Make someone else an admin first.')).toBeVisible();
      await expect(adminRole).toHaveAttribute('aria-pressed', 'true');
    });

    test('asks before granting the admin role, and for the password long after sign-in [ROLE-6c, ROLE-9]', async ({
      page,
    }) => {
      const fullName = `Ned ${newAddress().slice(8, 30)}`;
      const person = await openCustomer({ card: null, fullName });
      await openTab(page, 'Users');
      await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(person.email);
      const adminRole = rolesOf(page, fullName).getByRole('button', { name: 'Admin' });
      const question = page.getByRole('alertdialog', { name: `Make ${fullName} an admin?` });
      const proof = page.getByRole('dialog', { name: "Confirm it's you" });
      /** Tries to grant the role long after sign-in; returns once the admin is asked to prove their identity. */
      const giveLate = async () => {
        await failResponse(page, adminApi.changeRole, oldProof, { once: true });
        await adminRole.click();
        await question.getByRole('button', { name: 'Give admin role' }).click();
        await expect(proof).toBeVisible();
      };
      try {
        await adminRole.click();
        await expect(question).toContainText(person.email);
        await question.getByRole('button', { name: 'Cancel' }).click();
        await expect(question).toBeHidden();
        await expect(adminRole).toHaveAttribute('aria-pressed', 'false');

        await giveLate();
        await inspect(page, 'identity is asked for once more');
        await proof.getByLabel('Your password', { exact: true }).fill('not-the-password');
        await proof.getByRole('button', { name: 'Continue' }).click();
        await expect(proof.getByText('This is not your current password.')).toBeVisible();
        // A typed password is discarded without confirmation.
        await page.keyboard.press('Escape');
        await expect(page.getByText(/so nothing has changed/)).toBeVisible();
        await expect(question).toBeHidden();
        await expect(adminRole).toHaveAttribute('aria-pressed', 'false');

        await giveLate();
        await proof.getByLabel('Your password', { exact: true }).fill(demoPassword);
        await proof.getByRole('button', { name: 'Continue' }).click();
        await expect(page.getByText('Role added')).toBeVisible();
        await expect(adminRole).toHaveAttribute('aria-pressed', 'true');
        await readEmail(person.email, /^You are now an admin/);

        const taken = page.getByRole('alertdialog', { name: `Remove the admin role from ${fullName}?` });
        await adminRole.click();
        await taken.getByRole('button', { name: 'Keep admin role' }).click();
        await expect(taken).toBeHidden();
        await expect(adminRole).toHaveAttribute('aria-pressed', 'true');
        await adminRole.click();
        await taken.getByRole('button', { name: 'Remove admin role' }).click();
        await expect(page.getByText('Role removed')).toBeVisible();
        await expect(adminRole).toHaveAttribute('aria-pressed', 'false');
        await readEmail(person.email, /^You are no longer an admin/);
      } finally {
        await setRole(person, 'admin', false);
      }
    });

    test("accepts the authenticator app's code for an admin action [ROLE-9]", async ({ page }) => {
      const [admin, fullName] = [await openCustomer({ card: null }), `Nia ${newAddress().slice(8, 30)}`];
      const person = await openCustomer({ card: null, fullName });
      const { secret, session } = await setUpAuthenticator(admin);
      await setRole(admin, 'admin', true);
      try {
        await becomePerson(page, { session });
        await page.goto('/admin/panel?tab=users');
        await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(person.email);
        await changeDatabase((db) =>
          db
            .updateTable('sessions')
            .set({ confirmedAt: hourAgo(), secondStepAt: hourAgo() })
            .where('userId', '=', admin.userId)
            .execute(),
        );
        const adminRole = rolesOf(page, fullName).getByRole('button', { name: 'Admin' });
        await adminRole.click();
        await page.getByRole('button', { name: 'Give admin role' }).click();
        const proof = page.getByRole('dialog', { name: "Confirm it's you" });
        const code = proof.getByLabel('Code', { exact: true });
        await expect(code).toBeFocused();
        await code.fill(wrongCodeOf(secret));
        await proof.getByRole('button', { name: 'Continue' }).click();
        await expect(proof.getByText("That code doesn't match.")).toBeVisible();
        // Setting up the app used the current code.
        await code.fill(nextCodeOf(secret));
        await proof.getByRole('button', { name: 'Continue' }).click();
        await expect(page.getByText('Role added')).toBeVisible();
        await expect(adminRole).toHaveAttribute('aria-pressed', 'true');
      } finally {
        await setRole(person, 'admin', false);
        await setRole(admin, 'admin', false);
      }
    });

    test('opens the panel to a new admin at 360 px and blocks it once the role is removed', async ({
      page,
    }) => {
      const fullName = `Ada ${newAddress().slice(8, 30)}`;
      const person = await openCustomer({ card: null, fullName });
      await openTab(page, 'Users');
      await page.getByRole('searchbox', { name: 'Search by name or email' }).fill(person.email);
      try {
        await rolesOf(page, fullName).getByRole('button', { name: 'Admin' }).click();
        await page.getByRole('button', { name: 'Give admin role' }).click();
        await expect(page.getByText('Role added')).toBeVisible();
        await becomePerson(page, person);
        await page.setViewportSize({ width: 360, height: 740 });
        for (const tab of ['overview', 'users', 'settings']) {
          await page.goto(`/admin/panel?tab=${tab}`);
          await expect(
            page.getByRole('heading', { level: 2 }).or(page.getByRole('table')).first(),
          ).toBeVisible();
          await expect
            .poll(
              () =>
                page.evaluate(
                  () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
                ),
              tab,
            )
            .toBeLessThanOrEqual(0);
        }
        await page.setViewportSize({ width: 1280, height: 720 });
        await page.goto('/admin/panel?tab=users&role=admin');
        await page
          .getByRole('row')
          .filter({ hasText: '(you)' })
          .getByRole('button', { name: 'Admin' })
          .click();
        await page.getByRole('button', { name: 'Remove admin role' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
      } finally {
        // Leaves a single admin in the demo, as other tests expect, even if this test fails.
        await setRole(person, 'admin', false);
      }
    });

    test("recalculates a coach's share after the platform fee is saved in the same tab", async ({ page }) => {
      const person = await openCoach();
      await setRole(person, 'admin', true);
      try {
        await becomePerson(page, person);
        // With a fixed clock no cached data becomes stale, so only the save makes the app refetch the fee.
        await page.clock.setFixedTime(Date.now());
        const dialog = page.getByRole('dialog', { name: 'Create New Template' });
        const typePrice = async () => {
          await page.getByRole('button', { name: 'Create New Template' }).click();
          await dialog.getByLabel('Price').fill('30');
        };
        await page.goto('/coach/templates');
        await typePrice();
        await expect(dialog.getByText(/^You get/)).toHaveText('You get £29.40');
        await page.keyboard.press('Escape');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
        await page.getByRole('link', { name: 'Admin', exact: true }).first().click();
        await page.getByRole('tab', { name: 'Settings' }).click();
        // Simulates a fee of 10%. The saved fee stays at 2%, because other tests' bookings rely on it.
        await changeResponse(page, settingsApi.getPlatformFee, (fee) => ({ ...fee, percent: 10 }));
        await page.getByRole('button', { name: 'Save platform fee' }).click();
        await expect(page.getByText('Platform fee saved')).toBeVisible();
        await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
        await typePrice();
        await expect(dialog.getByText(/^You get/)).toHaveText('You get £27.00');
      } finally {
        await setRole(person, 'admin', false);
      }
    });
  });
