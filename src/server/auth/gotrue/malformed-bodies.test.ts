import { expect, test } from 'vitest';
import { internals } from '#server/test-support/contract-walk.test-support.ts';
import { readState } from '#server/test-support/database-state.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const someone = beforeTests(() => app.signIn('customer'));

test('refuses a body that is not UTF-8 as malformed JSON [API-2]', async () => {
  const body = new Uint8Array([...new TextEncoder().encode('{"email":"'), 0xff, 0xfe, 0x22, 0x7d]);
  for (const path of ['signup', 'token?grant_type=password', 'recover', 'verify']) {
    const answer = await fetch(`${app.url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      400,
      expect.objectContaining({ code: 'bad_json', msg: expect.stringMatching(/^[A-Z].*\.$/) }),
    ]);
  }
});

// `product-tests/edge.test.ts` covers the other fields of a sign-up, a profile and an authenticator code.
const email = 'field@edge.example';
const password = 'correct-horse-battery';
test.each<[method: string, path: string, fields: object, named: RegExp]>([
  ['POST', '/signup', { email, password, data: { age: 7 } }, /data .* age/],
  ['POST', '/token?grant_type=password', { password }, /email address/],
  ['POST', '/token?grant_type=password', { email: 7, password }, /email address/],
  ['POST', '/token?grant_type=password', { email }, /password/],
  ['POST', '/token?grant_type=refresh_token', {}, /token/],
  ['POST', '/token?grant_type=refresh_token', { refresh_token: 7 }, /token/],
  ['POST', '/token?grant_type=refresh_token', { refresh_token: 'x'.repeat(1001) }, /token/],
  ['POST', '/token?grant_type=sms', {}, /grant_type/],
  ['POST', '/resend', { type: 'signup' }, /email address/],
  ['POST', '/resend', { email }, /type/],
  ['POST', '/resend', { email, type: 'sms' }, /type/],
  ['POST', '/recover', {}, /email address/],
  ['POST', '/recover', { email: 'not@an' }, /email address/],
  ['POST', '/verify', { type: 'signup' }, /token/],
  ['POST', '/verify', { type: 'signup', token_hash: 7 }, /token/],
  ['POST', '/verify', { token_hash: 'x' }, /type/],
  ['POST', '/verify', { token_hash: 'x', type: 'sms' }, /type/],
  ['PUT', '/user', { current_password: '' }, /current password/],
  ['PUT', '/user', { nonce: 7 }, /code/],
  ['PUT', '/user', { data: 'x' }, /data/],
  ['PUT', '/user', { data: { age: 7 } }, /data .* age/],
  ['POST', '/factors', {}, /factor_type/],
  ['POST', '/factors', { factor_type: 'sms' }, /factor_type/],
  ['POST', '/factors', { factor_type: 'totp', friendly_name: 7 }, /name/],
  ['POST', '/logout?scope=everything', {}, /scope/],
])('refuses %s %s with %j and names the field [API-2]', async (method, path, fields, named) => {
  const before = await readState(app.db);
  const answer = await fetch(`${app.url}/auth/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${someone.token}` },
    body: JSON.stringify(fields),
  });
  const text = await answer.text();
  const { code, msg } = JSON.parse(text);
  expect([answer.status, code], text).toEqual([400, 'validation_failed']);
  expect(msg).toMatch(/^[A-Za-z].{8,}\.$/);
  expect(msg).toMatch(named);
  expect(text).not.toMatch(internals);
  expect(await readState(app.db)).toEqual(before);
});
