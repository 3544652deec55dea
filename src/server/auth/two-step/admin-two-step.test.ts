import { GoTrueClient } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import { deniedMessages, twoStepMessage } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { authApi } from '#domain/auth/contract.ts';
import { pathParamsOf } from '#domain/endpoint.ts';
import { codeOf, type Factor } from '#server/test-support/authenticator.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { readContracts } from '#server/test-support/contract-walk.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp({ env: { ADMIN_TWO_STEP: 'required' } });

async function openBrowser({ email }: Someone) {
  const auth = new GoTrueClient({ url: `${app.url}/auth/v1`, autoRefreshToken: false });
  const { error } = await auth.signInWithPassword({ email, password: 'correct-horse-battery' });
  expect(error).toBeNull();
  const read = async () => (await auth.getSession()).data.session!.access_token;
  return { auth, who: async (): Promise<Someone> => ({ userId: '', email, token: await read() }) };
}

const list = (who: Someone) => app.call(who, adminApi.listUsers, {});
const isMissing = async (who: Someone) =>
  (await app.call(who, accountsApi.getProfile, {})).body.profile?.isTwoStepMissing;

test('refuses every admin call to an admin without the required authenticator app', async () => {
  const admin = await app.signIn('customer', 'admin');
  const endpoints = [...readContracts().values()].filter(({ gate }) => gate === 'admin');
  expect(endpoints.length).toBeGreaterThan(10);
  for (const endpoint of endpoints) {
    const ids = pathParamsOf(endpoint.path).map((name) => [name, crypto.randomUUID()]);
    const { status, error } = await app.call(admin, endpoint, Object.fromEntries(ids));
    expect([status, error?.code, error?.message], endpoint.operationId).toEqual([
      403,
      'forbidden',
      twoStepMessage,
    ]);
  }
  // The rest of the product remains available, in particular /account.
  expect(await isMissing(admin)).toBe(true);
  expect((await app.call(admin, authApi.listSessions, {})).status).toBe(200);

  const customer = await app.signIn('customer');
  expect((await list(customer)).error?.message).toBe(deniedMessages.admin);
  expect(await isMissing(customer)).toBe(false);
});

test('opens the admin panel only while the admin has a confirmed authenticator app', async () => {
  const admin = await app.signIn('customer', 'admin');
  const { auth, who } = await openBrowser(admin);
  expect((await list(await who())).status).toBe(403);
  const { data: made } = await auth.mfa.enroll({ factorType: 'totp' });
  expect((await list(await who())).status, 'the app has not been confirmed with a code yet').toBe(403);
  const { id: factorId, totp } = made as Factor;
  const code = codeOf(totp.secret);
  expect((await auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  expect((await list(await who())).status).toBe(200);
  expect(await isMissing(await who())).toBe(false);

  const elsewhere = await openBrowser(admin);
  expect((await list(await elsewhere.who())).error?.code).toBe('second_step_required');
  expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
  for (const browser of [await who(), await elsewhere.who()]) {
    expect((await list(browser)).error?.message).toBe(twoStepMessage);
  }
});
