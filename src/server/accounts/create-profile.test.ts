import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AccountsServer,
  startAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';

const password = 'orange-corner-flag';
let server: AccountsServer;
beforeAll(async () => {
  server = await startAccountsServer();
});
afterAll(() => server.stop());

/** Signs up, opens the link and answers a call of /api/profile as that person. */
async function register(email: string, fullName?: string) {
  const client = server.client();
  await client.signUp({ email, password, options: { data: fullName ? { full_name: fullName } : {} } });
  await server.followLink(server.linkIn(await server.lastOfEmails(email, 1)));
  const { data } = await client.signInWithPassword({ email, password });
  const authorization = `Bearer ${data.session!.access_token}`;
  return async (method: 'GET' | 'POST') => {
    const response = await fetch(`${server.url}/api/profile`, { method, headers: { authorization } });
    return { status: response.status, userId: data.user!.id, body: await response.json() };
  };
}

test('creates a customer with the sign-up name at the first sign-in [AUTH-4, ROLE-1]', async () => {
  const callProfile = await register('ana@profile.example', 'Ana Marsh');
  expect(await callProfile('GET')).toMatchObject({ status: 200, body: { profile: null } });
  const { status, userId, body } = await callProfile('POST');
  expect(status).toBe(200);
  expect(body.profile).toMatchObject({
    userId,
    email: 'ana@profile.example',
    fullName: 'Ana Marsh',
    roles: ['customer'],
    paymentMethodLastFour: null,
  });
  expect((await callProfile('GET')).body).toEqual(body);
});

test('uses the address as the name when none was given [AUTH-4]', async () => {
  const callProfile = await register('nameless@profile.example');
  expect((await callProfile('POST')).body.profile.fullName).toBe('nameless@profile.example');
});

test('creates one profile for ten simultaneous tabs [AUTH-4]', async () => {
  const callProfile = await register('tabs@profile.example', 'Tabs');
  const answers = await Promise.all(Array.from({ length: 10 }, () => callProfile('POST')));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test('keeps an existing profile', async () => {
  const callProfile = await register('kept@profile.example', 'Kept');
  const { body } = await callProfile('POST');
  await server.db
    .updateTable('profiles')
    .set({ roles: ['customer', 'coach'], fullName: 'Renamed' })
    .where('userId', '=', body.profile.userId)
    .execute();
  expect((await callProfile('POST')).body.profile).toMatchObject({
    roles: ['customer', 'coach'],
    fullName: 'Renamed',
  });
});

test('requires sign-in to read or create a profile', async () => {
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${server.url}/api/profile`, { method });
    expect(response.status).toBe(401);
  }
});
