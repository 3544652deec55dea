import { createECDH, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkVapid } from './check-vapid.ts';
import { decryptPush } from './decrypt-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('decrypts the example in RFC 8291, and refuses an altered message', () => {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'));
  const browser = { keys, auth: bytes('BTBZMqHH6r4Tts7J_aSIgg') };
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(decryptPush(body, browser)).toBe('When I grow up, I want to be a watermelon');
  const altered = Buffer.from(body);
  altered[altered.length - 20]! ^= 1;
  expect(() => decryptPush(altered, browser)).toThrow();
  expect(() => decryptPush(body, { ...browser, auth: bytes('AAAAAAAAAAAAAAAAAAAAAA') })).toThrow();
});

test('accepts only signed tokens for its own origin that expire within a day', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const k = Buffer.concat([Buffer.from([4]), bytes(x!), bytes(y!)]).toString('base64url');
  const nowMs = Date.now();
  const write = (claims: object) => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
  const audience = 'https://push.example';
  const claims = { aud: audience, exp: nowMs / 1000 + 3600, sub: 'mailto:club@club.example' };
  const check = (token: string, key = k) => checkVapid(`vapid t=${token}, k=${key}`, { audience, nowMs });
  expect(check(write(claims))).toEqual({ publicKey: k });
  const day = 24 * 60 * 60;
  for (const wrong of [
    { ...claims, aud: 'https://other.example' },
    { ...claims, exp: nowMs / 1000 - 1 },
    { ...claims, exp: nowMs / 1000 + day + 60 },
    { ...claims, sub: undefined },
  ]) {
    expect(check(write(wrong)), JSON.stringify(wrong)).toHaveProperty('problem');
  }
  const forged = write(claims).replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'));
  expect(check(forged)).toHaveProperty('problem');
  expect(checkVapid(undefined, { audience, nowMs })).toHaveProperty('problem');
});
