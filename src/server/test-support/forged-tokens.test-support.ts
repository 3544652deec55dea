import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { expect } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import type { TestApp } from './test-app.test-support.ts';

/** Invalid variants of a valid token, by what is wrong with them; `strangerId` is another user's id. */
export async function forgeTokens(
  app: TestApp,
  token: string,
  strangerId: string,
): Promise<Record<string, string>> {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
  const ours = app.config.signingKeys[0]!;
  const sign = (
    changed: JWTPayload,
    key: Parameters<SignJWT['sign']>[0] = { ...ours, alg: 'ES256' },
    kid = ours.kid,
  ) => new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'ES256', kid }).sign(key);
  const other = await generateKeyPair('ES256', { extractable: true });
  const kid = await calculateJwkThumbprint(await exportJWK(other.publicKey));
  const ended = await app.signIn('customer', 'coach', 'admin');
  await fetch(`${app.url}/auth/v1/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ended.token}` },
  });
  const deleted = await app.signIn('customer', 'coach', 'admin');
  await app.db
    .updateTable('profiles')
    .set({ roles: ['customer'] })
    .where('userId', '=', deleted.userId)
    .execute();
  const deletion = await app.call(deleted, ownAccountApi.deleteAccount, {});
  expect(deletion.status, deletion.error?.message).toBe(200);
  const past = Math.floor(Date.now() / 1000) - 10;
  return {
    'no token': 'Bearer nothing',
    'another scheme': 'Basic dXNlcjpwYXNz',
    'an empty token': 'Bearer  ',
    "with another user's id": `${head}.${encode({ ...claims, sub: strangerId })}.${signature}`,
    'with its signature cut off': `${head}.${payload}.${signature.slice(0, -8)}`,
    'no signature': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'signed by another key': await sign({}, other.privateKey),
    'signed by a key of another name': await sign({}, other.privateKey, kid),
    'signed with the public key as a secret': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: ours.kid })
      .sign(new TextEncoder().encode(JSON.stringify({ ...ours, d: undefined }))),
    expired: await sign({ exp: past }),
    'from another issuer': await sign({ iss: 'https://elsewhere.example/auth/v1' }),
    'for another audience': await sign({ aud: 'anon' }),
    'of a session that has ended': ended.token,
    'of an account that was deleted': deleted.token,
    "of another person's session": await sign({ sub: strangerId }),
  };
}
