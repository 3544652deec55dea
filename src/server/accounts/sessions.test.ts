import { createHash, generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { generateSigningKey } from '../platform/demo-secrets.ts';
import { type AccountsServer, startAccountsServer } from './accounts-server.test-support.ts';
import { createUser } from './create-user.ts';

const password = 'orange-corner-flag';
let server: AccountsServer;
let people = 0;
let email: string;

beforeAll(async () => {
  server = await startAccountsServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  people += 1;
  email = `person-${people}@session.example`;
  await createUser({
    db: server.db,
    email,
    password,
    fullName: 'Kim Vale',
    roles: ['customer'],
    isConfirmed: true,
  });
});

async function signIn() {
  const client = server.client();
  const { data, error } = await client.signInWithPassword({ email, password });
  expect(error).toBeNull();
  return { client, session: data.session! };
}

async function refresh(token: string) {
  const response = await server.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: token });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const getProfile = (token: string, url = server.url) =>
  fetch(url + accountsApi.getProfile.path, { headers: { authorization: `Bearer ${token}` } });

/** Makes the exchange of a token lie so long ago that it is no longer a tab's second try. */
const ageUse = (token: string) =>
  server.db
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(Date.now() - 11_000).toISOString() })
    .where('tokenHash', '=', createHash('sha256').update(token).digest())
    .execute();

describe('signing in', () => {
  test('answers the session auth-js keeps', async () => {
    const { session } = await signIn();
    expect(Object.keys(session).sort()).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]);
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(Math.abs(session.expires_at! - (Date.now() / 1000 + 3600))).toBeLessThan(5);
    expect(session.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email,
      user_metadata: { full_name: 'Kim Vale' },
      app_metadata: { provider: 'email' },
    });
  });

  test('works with the address written in capitals', async () => {
    const { error } = await server
      .client()
      .signInWithPassword({ email: ` ${email.toUpperCase()}`, password });
    expect(error).toBeNull();
  });

  test('[AUTH-9] [AUTH-13] a wrong password and an unknown address get the same answer after the same work', async () => {
    const answers: string[] = [];
    const taken: number[] = [];
    for (const [address, secret] of [
      [email, 'not-the-password'],
      ['nobody@session.example', password],
    ]) {
      await server.post('/auth/v1/token?grant_type=password', { email: address, password: secret });
      const startedAt = performance.now();
      const response = await server.post('/auth/v1/token?grant_type=password', {
        email: address,
        password: secret,
      });
      taken.push(performance.now() - startedAt);
      answers.push(`${response.status} ${await response.text()}`);
    }
    expect(answers[0]).toBe(answers[1]);
    expect(taken[1]).toBeGreaterThan(taken[0]! * 0.4);
    const { error } = await server.client().signInWithPassword({ email, password: 'not-the-password' });
    expect(error).toMatchObject({
      name: 'AuthApiError',
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
  });

  test('only who knows the password learns that an address is not confirmed', async () => {
    const waiting = 'waiting@session.example';
    const fullName = 'Ray';
    await createUser({ db: server.db, email: waiting, password, fullName, roles: [], isConfirmed: false });
    const wrong = await server.client().signInWithPassword({ email: waiting, password: 'a-wrong-guess' });
    expect(wrong.error?.code).toBe('invalid_credentials');
    const right = await server.client().signInWithPassword({ email: waiting, password });
    expect(right.error?.code).toBe('email_not_confirmed');
  });

  test('no password and no token is stored as it is', async () => {
    const { session } = await signIn();
    const user = await server.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst();
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const tokens = await server.db.selectFrom('refreshTokens').select('tokenHash').execute();
    expect(tokens.some(({ tokenHash }) => tokenHash.toString() === session.refresh_token)).toBe(false);
  });
});

describe('the access token', () => {
  test('[AUTH-9] verifies against the published keys, which may be cached for 10 minutes', async () => {
    const { client, session } = await signIn();
    const response = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
    const keySet = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(JSON.stringify(keySet)).not.toContain('"d"');
    const { payload, protectedHeader } = await jwtVerify(
      session.access_token,
      createLocalJWKSet(keySet as never),
      { issuer: `${server.publicUrl}/auth/v1`, audience: 'authenticated' },
    );
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: keySet.keys[0]!.kid });
    expect(payload).toMatchObject({ sub: session.user.id, email, role: 'authenticated', aal: 'aal1' });
    expect(payload.exp! - payload.iat!).toBe(3600);

    const claims = await client.getClaims();
    expect(claims.error).toBeNull();
    const [header, , signature] = session.access_token.split('.');
    const promoted = Buffer.from(JSON.stringify({ ...payload, role: 'admin' })).toString('base64url');
    const forged = await client.getClaims(`${header}.${promoted}.${signature}`);
    expect(forged.error).toMatchObject({ name: 'AuthInvalidJwtError', message: 'Invalid JWT signature' });
  });

  test('[AUTH-9] forged, expired, foreign and unsigned tokens are an invalid JWT to every endpoint', async () => {
    const { session } = await signIn();
    const { payload } = await jwtVerify(session.access_token, createLocalJWKSet(await readKeySet()));
    const own = server.config.signingKeys[0]!;
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const sign = (claims: object, key: Parameters<SignJWT['sign']>[0], kid = own.kid, alg = 'ES256') =>
      new SignJWT({ ...payload, ...claims }).setProtectedHeader({ alg, kid }).sign(key);
    const past = Math.floor(Date.now() / 1000) - 1;
    const tokens = {
      'signed by another key': await sign({}, foreign),
      'signed by an unknown key': await sign({}, foreign, 'unknown'),
      expired: await sign({ exp: past }, { ...own, alg: 'ES256' } as never),
      'of another issuer': await sign({ iss: 'https://evil.example' }, { ...own, alg: 'ES256' } as never),
      'for another audience': await sign({ aud: 'anon' }, { ...own, alg: 'ES256' } as never),
      'without a session': await sign({ session_id: undefined }, { ...own, alg: 'ES256' } as never),
      'signed with a public key as secret': await sign({}, Buffer.from(own.x), own.kid, 'HS256'),
      unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${session.access_token.split('.')[1]}.`,
      'cut short': session.access_token.slice(0, -4),
      garbage: 'garbage',
    };
    for (const [title, token] of Object.entries(tokens)) {
      const answer = await getProfile(token);
      expect(answer.status, title).toBe(401);
      const { error } = (await answer.json()) as { error: { code: string; message: string } };
      expect(error.code, title).toBe('unauthenticated');
      expect(error.message, title).toContain('invalid JWT');
      const user = await server.client().getUser(token);
      expect(user.error, title).toMatchObject({ name: 'AuthApiError', status: 403, code: 'bad_jwt' });
      expect(user.error?.message, title).toContain('invalid JWT');
    }
    expect((await getProfile(session.access_token)).status).toBe(200);
    expect((await fetch(server.url + accountsApi.getProfile.path)).status).toBe(401);
    const basic = { headers: { authorization: 'Basic YTpi' } };
    expect((await fetch(server.url + accountsApi.getProfile.path, basic)).status).toBe(401);
  });

  test('a new signing key in front signs nobody out; a key that was removed no longer counts', async () => {
    const { session: before } = await signIn();
    const fresh = generateSigningKey() as never;
    const rotated = await server.serveWith({ signingKeys: [fresh, ...server.config.signingKeys] });
    const replaced = await server.serveWith({ signingKeys: [fresh] });
    try {
      expect((await getProfile(before.access_token, rotated.url)).status).toBe(200);
      expect((await getProfile(before.access_token, replaced.url)).status).toBe(401);
      const client = server.client(rotated.url);
      const { data } = await client.signInWithPassword({ email, password });
      expect((await client.getClaims()).error).toBeNull();
      expect((await getProfile(data.session!.access_token, replaced.url)).status).toBe(200);
      expect((await getProfile(data.session!.access_token)).status).toBe(401);
    } finally {
      await rotated.stop();
      await replaced.stop();
    }
  });

  test('[AUTH-9] of a session that ended reads as "Auth session missing!"', async () => {
    const { client, session } = await signIn();
    await server.client().getUser(session.access_token);
    const elsewhere = await signIn();
    await elsewhere.client.signOut({ scope: 'others' });
    const { error } = await client.getUser();
    expect(error).toMatchObject({ name: 'AuthSessionMissingError', message: 'Auth session missing!' });
  });
});

describe('refreshing', () => {
  test('[AUTH-12] a refresh token works once and gives the next one', async () => {
    const { client, session } = await signIn();
    const { data, error } = await client.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect((await getProfile(data.session!.access_token)).status).toBe(200);
    const next = await refresh(data.session!.refresh_token);
    expect(next.status).toBe(200);
    expect(next.body.refresh_token).not.toBe(data.session!.refresh_token);
  });

  test('[AUTH-12] an old token that comes back ends the whole session, for thief and owner', async () => {
    const { session } = await signIn();
    const bystander = await signIn();
    const second = await refresh(session.refresh_token);
    const third = await refresh(second.body.refresh_token!);
    await ageUse(session.refresh_token);

    const reuse = await refresh(session.refresh_token);
    expect(reuse.status).toBe(400);
    expect(reuse.body).toMatchObject({ error_code: 'refresh_token_already_used' });
    expect((await refresh(third.body.refresh_token!)).status).toBe(400);
    expect((await getProfile(third.body.access_token!)).status).toBe(401);
    expect((await getProfile(bystander.session.access_token)).status).toBe(200);
  });

  test('[AUTH-12] tabs that refresh at the same moment all stay signed in, with one token', async () => {
    const { session } = await signIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(session.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const next = await refresh(answers[0]!.body.refresh_token!);
    const straggler = await refresh(session.refresh_token);
    expect(straggler.body.refresh_token).toBe(next.body.refresh_token);
    for (const { body } of [...answers, straggler]) {
      expect((await getProfile(body.access_token!)).status).toBe(200);
    }
  });

  test('an unknown token is refused by name and auth-js gives the session up', async () => {
    const { client } = await signIn();
    const { error } = await client.refreshSession({ refresh_token: 'unknown' });
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
  });
});

describe('signing out', () => {
  test('ends access at once, before the access token expires', async () => {
    const { client, session } = await signIn();
    const elsewhere = await signIn();
    expect((await getProfile(session.access_token)).status).toBe(200);
    expect((await client.signOut({ scope: 'local' })).error).toBeNull();
    expect((await getProfile(session.access_token)).status).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(400);
    expect((await client.getSession()).data.session).toBeNull();
    expect((await getProfile(elsewhere.session.access_token)).status).toBe(200);
  });

  test('[AUTH-12] everywhere ends every session of the person and of nobody else', async () => {
    const [one, two] = [await signIn(), await signIn()];
    const other = 'other-person@session.example';
    await createUser({
      db: server.db,
      email: other,
      password,
      fullName: 'Lee',
      roles: [],
      isConfirmed: true,
    });
    const { data: stranger } = await server.client().signInWithPassword({ email: other, password });
    await one.client.signOut();
    for (const { session } of [one, two]) {
      expect((await getProfile(session.access_token)).status).toBe(401);
      expect((await refresh(session.refresh_token)).status).toBe(400);
    }
    expect((await getProfile(stranger.session!.access_token)).status).toBe(200);
  });

  test('of the others keeps this one; a scope that does not exist changes nothing', async () => {
    const [one, two] = [await signIn(), await signIn()];
    const authorization = `Bearer ${one.session.access_token}`;
    const wrong = await server.post('/auth/v1/logout?scope=everyone', {}, { authorization });
    expect(wrong.status).toBe(400);
    expect((await getProfile(two.session.access_token)).status).toBe(200);
    await one.client.signOut({ scope: 'others' });
    expect((await getProfile(one.session.access_token)).status).toBe(200);
    expect((await getProfile(two.session.access_token)).status).toBe(401);
  });

  test('a person who was deleted has no access', async () => {
    const { session } = await signIn();
    await server.db.deleteFrom('profiles').where('userId', '=', session.user.id).execute();
    await server.db.deleteFrom('users').where('userId', '=', session.user.id).execute();
    expect((await getProfile(session.access_token)).status).toBe(401);
  });
});

test('a new name reaches account, profile and the listeners; address and password stay', async () => {
  const { client } = await signIn();
  const events: string[] = [];
  client.onAuthStateChange((event) => void events.push(event));
  const { data, error } = await client.updateUser({ data: { full_name: 'Kim Vale-Ross' } });
  expect(error).toBeNull();
  expect(data.user?.user_metadata.full_name).toBe('Kim Vale-Ross');
  expect(events).toContain('USER_UPDATED');
  const token = (await client.getSession()).data.session!.access_token;
  const { profile } = (await (await getProfile(token)).json()) as { profile: { fullName: string } };
  expect(profile.fullName).toBe('Kim Vale-Ross');
  for (const change of [{ email: 'thief@session.example' }, { password: 'another-password' }]) {
    expect((await client.updateUser(change)).error).toMatchObject({ status: 400, code: 'validation_failed' });
  }
  expect((await server.client().signInWithPassword({ email, password })).error).toBeNull();
});

async function readKeySet() {
  const response = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
  return (await response.json()) as never;
}
