import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { generateSigningKey } from '#server/embedded/demo-secrets.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';

const email = 'kim@token.example';

const server = setUpAccountsServer();
beforeAll(async () => {
  await server.addPerson(email, { fullName: 'Kim' });
});

const signIn = () => server.signIn(email);

describe('the access token', () => {
  test('can be verified with the published keys, which may be cached for 10 minutes [AUTH-9]', async () => {
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

  test('is rejected if it is forged, expired, unsigned or from another issuer [AUTH-9]', async () => {
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
      'from another issuer': await sign({ iss: 'https://evil.example' }, { ...own, alg: 'ES256' } as never),
      'for another audience': await sign({ aud: 'anon' }, { ...own, alg: 'ES256' } as never),
      'without a session': await sign({ session_id: undefined }, { ...own, alg: 'ES256' } as never),
      'signed with a public key as secret': await sign({}, Buffer.from(own.x), own.kid, 'HS256'),
      unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${session.access_token.split('.')[1]}.`,
      'cut short': session.access_token.slice(0, -4),
      garbage: 'garbage',
    };
    for (const [title, token] of Object.entries(tokens)) {
      const { status, error } = await server.getProfile(token);
      expect([status, error?.code], title).toEqual([401, 'unauthenticated']);
      const user = await server.client().getUser(token);
      expect(user.error, title).toMatchObject({ name: 'AuthApiError', status: 403, code: 'bad_jwt' });
      expect(user.error?.message, title).toContain('invalid JWT');
    }
    expect((await server.getProfile(session.access_token)).status).toBe(200);
    expect((await server.getProfile(null)).status).toBe(401);
    const basic = { headers: { authorization: 'Basic YTpi' } };
    expect((await fetch(server.url + accountsApi.getProfile.path, basic)).status).toBe(401);
  });

  test('stays valid when a new signing key is added before the old key', async () => {
    const { session: before } = await signIn();
    const fresh = generateSigningKey() as never;
    const rotated = await server.serveWith({ signingKeys: [fresh, ...server.config.signingKeys] });
    const replaced = await server.serveWith({ signingKeys: [fresh] });
    try {
      expect((await server.getProfile(before.access_token, rotated.url)).status).toBe(200);
      expect((await server.getProfile(before.access_token, replaced.url)).status).toBe(401);
      const client = server.client(rotated.url);
      const { data } = await client.signInWithPassword({ email, password });
      expect((await client.getClaims()).error).toBeNull();
      expect((await server.getProfile(data.session!.access_token, replaced.url)).status).toBe(200);
      expect((await server.getProfile(data.session!.access_token)).status).toBe(401);
    } finally {
      await rotated.stop();
      await replaced.stop();
    }
  });

  test('is rejected with "Auth session missing!" after its session has ended [AUTH-9]', async () => {
    const { client, session } = await signIn();
    await server.client().getUser(session.access_token);
    const elsewhere = await signIn();
    await elsewhere.client.signOut({ scope: 'others' });
    const { error } = await client.getUser();
    const missing = { name: 'AuthSessionMissingError', message: 'Auth session missing!' };
    expect(error).toMatchObject(missing);
    expect((await server.client().getUser()).error).toMatchObject(missing);
    expect((await elsewhere.client.getUser()).error).toBeNull();
  });
});

async function readKeySet() {
  const response = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
  return (await response.json()) as never;
}
