import { expect, test } from 'vitest';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

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
