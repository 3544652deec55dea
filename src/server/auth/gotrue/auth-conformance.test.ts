import { AuthClient } from '@supabase/auth-js';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AccountsServer,
  password,
  setUpAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';
import { codeOf, type Factor } from '#server/test-support/authenticator.test-support.ts';

// Checks this server against auth-js's expectations of GoTrue, call by call. docs/decisions/0036 lists the deliberate
// differences.
const fullName = 'Kim Vale';
let people = 0;
let email: string;
let client: ReturnType<AccountsServer['client']>;

const server = setUpAccountsServer();
beforeEach(async () => {
  await server.db.deleteFrom('rateLimits').execute();
  people += 1;
  email = `person-${people}@conformance.example`;
  await server.addPerson(email, { fullName });
  client = server.client();
});

const text = expect.any(String);
const number = expect.any(Number);
const signIn = async () => {
  const { data, error } = await client.signInWithPassword({ email, password });
  expect(error).toBeNull();
  return { session: data.session!, user: data.user! };
};
/** A client that requests PKCE. */
const openPkceClient = () =>
  new AuthClient({
    url: `${server.url}/auth/v1`,
    flowType: 'pkce',
    autoRefreshToken: false,
    persistSession: false,
  });

describe('the GoTrue-compatible server', () => {
  test('returns a session and its user after signing in', async () => {
    const { session, user } = await signIn();
    const expected = {
      ...{ id: text, aud: 'authenticated', role: 'authenticated', email, phone: '' },
      ...{
        email_confirmed_at: text,
        confirmed_at: text,
        last_sign_in_at: text,
        created_at: text,
        updated_at: text,
      },
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { full_name: fullName },
      is_anonymous: false,
    };
    expect(user).toMatchObject(expected);
    expect(session).toMatchObject({
      ...{
        access_token: text,
        refresh_token: text,
        token_type: 'bearer',
        expires_in: number,
        expires_at: number,
      },
      user: expected,
    });
    expect((await client.getUser()).data.user).toMatchObject(expected);
  });

  test("returns the user's only identity", async () => {
    const { user } = await signIn();
    const { data } = await client.getUserIdentities();
    expect(data?.identities).toEqual([
      {
        ...{ identity_id: text, id: user.id, user_id: user.id, provider: 'email', email },
        identity_data: {
          ...{ sub: user.id, email, full_name: fullName },
          ...{ email_verified: true, phone_verified: false },
        },
        ...{ last_sign_in_at: text, created_at: text, updated_at: text },
      },
    ]);
  });

  test('issues access tokens with the claims that auth-js expects', async () => {
    const { session, user } = await signIn();
    const { data } = await client.getClaims();
    expect(data?.claims).toEqual({
      ...{ iss: `${server.publicUrl}/auth/v1`, sub: user.id, aud: 'authenticated', exp: number, iat: number },
      ...{ email, phone: '', role: 'authenticated', aal: 'aal1', session_id: text, is_anonymous: false },
      amr: [{ method: 'password', timestamp: number }],
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { full_name: fullName },
    });
    await client.updateUser({ data: { full_name: 'Kim Vale-Ross' } });
    const { data: renewed } = await client.refreshSession();
    expect(decodeJwt(renewed.session!.access_token).user_metadata).toEqual({ full_name: 'Kim Vale-Ross' });
    expect(renewed.session!.refresh_token).not.toBe(session.refresh_token);
  });

  test('responds identically to sign-ups with new and registered email addresses', async () => {
    for (const address of [`new-${email}`, email]) {
      const options = { data: { full_name: fullName } };
      const { data, error } = await client.signUp({ email: address, password, options });
      expect(error).toBeNull();
      expect(data.session).toBeNull();
      expect(data.user).toMatchObject({ id: text, email: address, user_metadata: { full_name: fullName } });
      expect(data.user?.identities).toEqual([]);
    }
    expect((await client.resend({ type: 'signup', email })).error).toBeNull();
    expect((await client.resetPasswordForEmail(email)).data).toEqual({});
  });

  test('sets and renews sessions; reports ended sessions and unknown tokens', async () => {
    const { session } = await signIn();
    const other = server.client();
    expect((await other.setSession(session)).error).toBeNull();
    const refreshed = await other.refreshSession({ refresh_token: session.refresh_token });
    expect(refreshed.data.session?.refresh_token).not.toBe(session.refresh_token);
    const wrong = await other.refreshSession({ refresh_token: 'not-a-token' });
    expect(wrong.error).toMatchObject({ name: 'AuthApiError', status: 400, code: 'refresh_token_not_found' });
    const forged = await server.client().setSession({ ...session, access_token: 'not-a-token' });
    expect(forged.error).toMatchObject({ name: 'AuthInvalidJwtError' });
    expect((await client.signOut()).error).toBeNull();
    expect((await client.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    // auth-js returns an error of this name for the code `session_not_found`.
    const ended = await server.client().getUser(session.access_token);
    expect(ended.error).toMatchObject({ name: 'AuthSessionMissingError' });
  });

  test('supports an authenticator app from enrolment to removal', async () => {
    await signIn();
    const { data: app } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    expect(app).toMatchObject({ type: 'totp', friendly_name: 'Phone', totp: { uri: text, secret: text } });
    const factorId = app!.id;
    const { data: challenge } = await client.mfa.challenge({ factorId });
    expect(challenge).toMatchObject({ id: text, type: 'totp', expires_at: number });
    const code = codeOf((app as Factor).totp.secret);
    const { data: verified } = await client.mfa.verify({ factorId, challengeId: challenge!.id, code });
    expect(verified).toMatchObject({ access_token: text, refresh_token: text, user: { email } });
    expect((await client.getClaims()).data?.claims.aal).toBe('aal2');
    expect((await client.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId, status: 'verified' }]);
    expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
  });
});

describe("the GoTrue-compatible server, with GoTrue's error codes,", () => {
  test('refuses user data other than the name and stores none of it', async () => {
    await signIn();
    const data = { full_name: 'Somebody Else', hello: 'world' };
    const refusal = {
      ...{ status: 400, code: 'validation_failed' },
      message: "A person's data can contain only full_name, not hello.",
    };
    expect((await client.updateUser({ data })).error).toMatchObject(refusal);
    const address = `data-${email}`;
    const signUp = await client.signUp({ email: address, password, options: { data } });
    expect(signUp.error).toMatchObject(refusal);
    expect((await client.getUser()).data.user?.user_metadata).toEqual({ full_name: fullName });
    const users = server.db.selectFrom('users').select('userId').where('email', '=', address);
    expect(await users.execute()).toEqual([]);
  });

  test('refuses PKCE in every call that requests it', async () => {
    const pkce = openPkceClient();
    const refusals = [
      await pkce.signUp({ email: `pkce-${email}`, password }),
      await pkce.resetPasswordForEmail(email),
      await pkce.signInWithOtp({ email }),
    ];
    for (const { error } of refusals) {
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(error?.message).toContain('code_challenge');
    }
    const grant = await server.post('/auth/v1/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'x' });
    expect([grant.status, ((await grant.json()) as { msg: string }).msg]).toEqual([
      400,
      expect.stringContaining('PKCE'),
    ]);
    expect(await server.emailsTo(email)).toEqual([]);
  });

  test('refuses every disabled way of signing in', async () => {
    const phone = '+441632960000';
    const idToken = { provider: 'google', token: 'an-id-token' };
    const refusals = [
      ['anonymous_provider_disabled', 422, await client.signInAnonymously()],
      ['phone_provider_disabled', 400, await client.signUp({ phone, password })],
      ['phone_provider_disabled', 400, await client.signInWithPassword({ phone, password })],
      ['phone_provider_disabled', 400, await client.signInWithOtp({ phone })],
      ['otp_disabled', 422, await client.signInWithOtp({ email })],
      ['otp_expired', 403, await client.verifyOtp({ email, token: '123456', type: 'email' })],
      ['otp_expired', 403, await client.verifyOtp({ phone, token: '123456', type: 'sms' })],
      ['provider_disabled', 400, await client.signInWithIdToken(idToken)],
      ['saml_provider_disabled', 404, await client.signInWithSSO({ domain: 'club.example' })],
    ] as const;
    for (const [code, status, { error }] of refusals) expect(error, code).toMatchObject({ status, code });
    const web3 = await server.post('/auth/v1/token?grant_type=web3', {});
    expect(await web3.json()).toMatchObject({ code: 'web3_provider_disabled' });
    const authorize = await fetch(`${server.url}/auth/v1/authorize?provider=google`, { redirect: 'manual' });
    expect(await authorize.json()).toMatchObject({ code: 'provider_disabled' });
  });

  test('refuses phone numbers, WebAuthn, linked identities and emailed codes', async () => {
    const { user } = await signIn();
    const refusals = [
      ['phone_provider_disabled', 400, await client.updateUser({ phone: '+441632960000' })],
      [
        'mfa_phone_enroll_not_enabled',
        422,
        await client.mfa.enroll({ factorType: 'phone', phone: '+441632960000' }),
      ],
      [
        'mfa_webauthn_enroll_not_enabled',
        422,
        await client.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' }),
      ],
      ['manual_linking_disabled', 404, await client.linkIdentity({ provider: 'google' })],
      ['manual_linking_disabled', 404, await client.unlinkIdentity(user.identities![0]!)],
      ['otp_disabled', 422, await client.reauthenticate()],
    ] as const;
    for (const [code, status, { error }] of refusals) expect(error, code).toMatchObject({ status, code });
    await client.signOut();
    const missing = { name: 'AuthSessionMissingError' };
    expect((await client.reauthenticate()).error).toMatchObject(missing);
    expect((await client.getUserIdentities()).error).toMatchObject(missing);
    expect((await client.updateUser({ data: { full_name: 'Nobody' } })).error).toMatchObject(missing);
    const enrolled = await client.mfa.enroll({ factorType: 'totp' });
    expect(enrolled.error).toMatchObject({ status: 401, code: 'no_authorization' });
  });

  test('refuses wrong, missing, weak and unchanged passwords', async () => {
    await signIn();
    const next = 'purple-touch-line';
    const refusals = [
      ['invalid_credentials', 400, await server.client().signInWithPassword({ email, password: next })],
      ['current_password_required', 400, await client.updateUser({ password: next })],
      ['current_password_invalid', 400, await client.updateUser({ password: next, current_password: next })],
      ['reauthentication_not_valid', 422, await client.updateUser({ password: next, nonce: '123456' })],
      ['same_password', 422, await client.updateUser({ password, current_password: password })],
      ['weak_password', 422, await client.updateUser({ password: '123', current_password: password })],
      ['weak_password', 422, await server.client().signUp({ email: `weak-${email}`, password: '123' })],
      ['validation_failed', 400, await server.client().signUp({ email: 'no-address', password })],
    ] as const;
    for (const [code, status, { error }] of refusals) expect(error, code).toMatchObject({ status, code });
    expect((await client.updateUser({ password: next, current_password: password })).error).toBeNull();
  });
});
