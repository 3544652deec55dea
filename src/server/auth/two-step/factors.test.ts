import { beforeEach, expect, test } from 'vitest';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';
import { codeOf, enrol, nextCodeOf, wrongCodeOf } from '#server/test-support/authenticator.test-support.ts';

let people = 0;
let email: string;

const server = setUpAccountsServer();
beforeEach(async () => {
  people += 1;
  email = `person-${people}@factors.example`;
  await server.addPerson(email);
});

const signIn = () => server.signIn(email);

type Client = Awaited<ReturnType<typeof signIn>>['client'];
const tokenOf = async (client: Client) => (await client.getSession()).data.session!.access_token;

test('makes auth-js emit sign-in, refresh, update, MFA, sign-out and recovery events [AUTH-7]', async () => {
  const events: string[] = [];
  const client = server.client();
  client.onAuthStateChange((event) => void events.push(event));
  await client.signInWithPassword({ email, password });
  await client.refreshSession();
  await client.updateUser({ data: { full_name: 'Kim Vale-Ross' } });
  await enrol(client);
  await client.signOut();
  await client.resetPasswordForEmail(email);
  const link = new URL(server.linkIn(await server.emailAbout(email, /^Choose a new password/)));
  await client.verifyOtp({ token_hash: link.searchParams.get('token_hash')!, type: 'recovery' });
  expect(events.filter((event) => event !== 'INITIAL_SESSION')).toEqual([
    'SIGNED_IN',
    'TOKEN_REFRESHED',
    'USER_UPDATED',
    'MFA_CHALLENGE_VERIFIED',
    'SIGNED_OUT',
    'PASSWORD_RECOVERY',
  ]);
});

test('requires both password and code to sign in [AUTH-11e]', async () => {
  const other = await signIn();
  const first = await signIn();
  const app = await enrol(first.client);
  expect(app.uri).toContain('otpauth://totp/');
  expect(app.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
  expect((await server.getProfile(await tokenOf(first.client))).status).toBe(200);
  expect((await server.getProfile(first.token)).status).toBe(200);
  expect((await server.getProfile(other.token)).status, 'other sessions end').toBe(401);

  const { client, token } = await signIn();
  const level = await client.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
  const refused = await server.getProfile(token);
  expect(refused.status).toBe(401);
  expect(refused.error?.code).toBe('second_step_required');
  expect((await client.updateUser({ password: 'purple-touch-line' })).error?.code).toBe('insufficient_aal');
  expect((await client.mfa.unenroll({ factorId: app.factorId })).error?.code).toBe('insufficient_aal');
  expect((await client.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('insufficient_aal');
  const renewed = await client.refreshSession();
  expect((await server.getProfile(renewed.data.session!.access_token)).status, 'also after refreshing').toBe(
    401,
  );

  const wrong = await client.mfa.challengeAndVerify({ ...app, code: wrongCodeOf(app.secret) });
  expect(wrong.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  const code = nextCodeOf(app.secret);
  expect((await client.mfa.challengeAndVerify({ ...app, code })).error).toBeNull();
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
  expect((await server.getProfile(await tokenOf(client))).status).toBe(200);
  const next = await client.refreshSession();
  expect(next.error).toBeNull();
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');

  const again = await signIn();
  const replay = await again.client.mfa.challengeAndVerify({ ...app, code });
  expect(replay.error?.code, 'a code works once').toBe('mfa_verification_failed');

  expect((await client.mfa.unenroll({ factorId: app.factorId })).error).toBeNull();
  expect((await server.getProfile((await signIn()).token)).status).toBe(200);
});

test('accepts a fresh authenticator code instead of the current password', async () => {
  const { client } = await signIn();
  const app = await enrol(client);
  const change = (nonce: string) => client.updateUser({ password: 'purple-touch-line', nonce });
  const wrong = await change(wrongCodeOf(app.secret));
  expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
  const code = nextCodeOf(app.secret);
  expect((await change(code)).error).toBeNull();
  expect((await server.client().signInWithPassword({ email, password })).error?.status).toBe(400);
  const replay = await client.updateUser({ password: 'green-touch-line', nonce: code });
  expect(replay.error?.code, 'a code works once').toBe('reauthentication_not_valid');
  const codes: (string | undefined)[] = [];
  for (let round = 0; round < 6; round += 1) codes.push((await change(wrongCodeOf(app.secret))).error?.code);
  expect(codes.at(-1)).toBe('over_request_rate_limit');
});

test('does not accept a recovery link instead of an authenticator code', async () => {
  const app = await enrol((await signIn()).client);
  const client = server.client();
  await client.resetPasswordForEmail(email);
  const link = new URL(server.linkIn(await server.emailAbout(email, /^Choose a new password/)));
  await client.verifyOtp({ token_hash: link.searchParams.get('token_hash')!, type: 'recovery' });
  const early = await client.updateUser({ password: 'purple-touch-line' });
  expect(early.error?.code).toBe('insufficient_aal');
  await client.mfa.challengeAndVerify({ ...app, code: nextCodeOf(app.secret) });
  expect((await client.updateUser({ password: 'purple-touch-line' })).error).toBeNull();
});

test('limits guesses of an authenticator code to six [AUTH-13]', async () => {
  const app = await enrol((await signIn()).client);
  const { client } = await signIn();
  const codes: (string | undefined)[] = [];
  for (let guess = 0; guess < 7; guess += 1) {
    const { error } = await client.mfa.challengeAndVerify({ ...app, code: wrongCodeOf(app.secret) });
    codes.push(error?.code);
  }
  expect(codes).toEqual([...Array(6).fill('mfa_verification_failed'), 'over_request_rate_limit']);
  const right = await (await signIn()).client.mfa.challengeAndVerify({
    ...app,
    code: nextCodeOf(app.secret),
  });
  expect(right.error?.code).toBe('over_request_rate_limit');
});

test('does not lock the owner out when others guess codes [AUTH-13]', async () => {
  const app = await enrol((await signIn()).client);
  const tryCode = async (token: string, code: string, ipAddress: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': ipAddress };
    const factor = `/auth/v1/factors/${app.factorId}`;
    const challenge = (await (await server.post(`${factor}/challenge`, {}, headers)).json()) as {
      id: string;
    };
    return server.post(`${factor}/verify`, { challenge_id: challenge.id, code }, headers);
  };
  const statuses: number[] = [];
  for (let guess = 0; guess < 8; guess += 1) {
    const { token } = await signIn();
    statuses.push((await tryCode(token, wrongCodeOf(app.secret), `192.0.2.${guess}`)).status);
  }
  expect(statuses, 'all unfamiliar addresses share one limit').toEqual([...Array(6).fill(422), 429, 429]);
  expect((await tryCode((await signIn()).token, nextCodeOf(app.secret), '192.0.2.99')).status).toBe(429);
  const home = await (await signIn()).client.mfa.challengeAndVerify({ ...app, code: nextCodeOf(app.secret) });
  expect(home.error).toBeNull();
});

test('refuses to sign out other sessions without an authenticator code', async () => {
  const { client: owner } = await signIn();
  const app = await enrol(owner);
  const other = await signIn();
  expect(
    (await other.client.mfa.challengeAndVerify({ ...app, code: nextCodeOf(app.secret) })).error,
  ).toBeNull();

  const { token } = await signIn();
  const authorization = `Bearer ${token}`;
  const logOut = (scope: string) => server.post(`/auth/v1/logout${scope}`, {}, { authorization });
  for (const scope of ['?scope=others', '?scope=global', '']) {
    const refused = await logOut(scope);
    expect(refused.status, scope).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'insufficient_aal' });
  }
  expect((await server.getProfile(await tokenOf(owner))).status).toBe(200);
  expect((await server.getProfile(await tokenOf(other.client))).status).toBe(200);
  expect((await logOut('?scope=local')).status).toBe(204);
  expect((await logOut('?scope=local')).status, 'this session has ended').toBe(403);
});

test("refuses another person's authenticator app and challenge; encrypts the secret [ROLE-5]", async () => {
  const { client } = await signIn();
  const app = await enrol(client);
  const challenge = await client.mfa.challenge({ factorId: app.factorId });
  const readFactors = () =>
    server.db.selectFrom('factors').selectAll().where('factorId', '=', app.factorId).execute();
  const stored = await readFactors();
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(app.secret);

  email = 'stranger@factors.example';
  await server.addPerson(email, { fullName: 'Lee' });
  const stranger = (await signIn()).client;
  expect((await stranger.mfa.challenge({ factorId: app.factorId })).error?.code).toBe('mfa_factor_not_found');
  expect((await stranger.mfa.unenroll({ factorId: app.factorId })).error?.code).toBe('mfa_factor_not_found');
  const own = (await stranger.mfa.enroll({ factorType: 'totp' })).data!;
  const secret = (own as { totp: { secret: string } }).totp.secret;
  const borrowed = { factorId: own.id, challengeId: challenge.data!.id, code: codeOf(secret) };
  expect((await stranger.mfa.verify(borrowed)).error?.code).toBe('mfa_challenge_expired');
  expect(await readFactors()).toEqual(stored);
});
