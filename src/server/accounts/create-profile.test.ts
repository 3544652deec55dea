import { expect, test } from 'vitest';
import type { Role } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';

const server = setUpAccountsServer();

/** Signs up, opens the emailed link, signs in and returns functions that read and create the profile. */
async function register(email: string, fullName?: string) {
  const client = server.client();
  await client.signUp({ email, password, options: { data: fullName ? { full_name: fullName } : {} } });
  await server.followLink(server.linkIn(await server.lastOfEmails(email, 1)));
  const { data } = await client.signInWithPassword({ email, password });
  const token = data.session!.access_token;
  return {
    userId: data.user!.id,
    read: () => server.getProfile(token),
    create: () => server.call(token, accountsApi.createProfile, {}),
  };
}

test('creates a customer with the sign-up name at the first sign-in [AUTH-4, ROLE-1]', async () => {
  const person = await register('ana@profile.example', 'Ana Marsh');
  expect(await person.read()).toMatchObject({ status: 200, body: { profile: null } });
  const { status, body } = await person.create();
  expect(status).toBe(200);
  expect(body.profile).toMatchObject({
    userId: person.userId,
    email: 'ana@profile.example',
    fullName: 'Ana Marsh',
    roles: ['customer'],
    paymentMethodLastFour: null,
  });
  expect((await person.read()).body).toEqual(body);
  // A person may have all three roles, and no others.
  const give = (roles: string[]) =>
    server.db
      .updateTable('profiles')
      .set({ roles: roles as Role[] })
      .where('userId', '=', person.userId)
      .execute();
  await give(['customer', 'coach', 'admin']);
  await expect(give(['customer', 'king'])).rejects.toThrow('profiles_roles');
  expect((await person.read()).body.profile?.roles).toEqual(['customer', 'coach', 'admin']);
});

test('uses the email address as the name if none was given [AUTH-4]', async () => {
  const person = await register('nameless@profile.example');
  const email = 'nameless@profile.example';
  expect((await person.create()).body.profile).toMatchObject({ email, fullName: email, roles: ['customer'] });
});

test('creates one profile for ten simultaneous requests [AUTH-4]', async () => {
  const person = await register('tabs@profile.example', 'Tabs');
  const answers = await Promise.all(Array.from({ length: 10 }, person.create));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test('returns an existing profile unchanged', async () => {
  const person = await register('kept@profile.example', 'Kept');
  const { body } = await person.create();
  await server.db
    .updateTable('profiles')
    .set({ roles: ['customer', 'coach'], fullName: 'Renamed' })
    .where('userId', '=', body.profile.userId)
    .execute();
  expect((await person.create()).body.profile).toMatchObject({
    roles: ['customer', 'coach'],
    fullName: 'Renamed',
  });
});

test('requires sign-in to read or create a profile', async () => {
  expect((await server.getProfile(null)).status).toBe(401);
  expect((await server.call(null, accountsApi.createProfile, {})).status).toBe(401);
});
