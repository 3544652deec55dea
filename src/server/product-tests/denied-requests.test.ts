import pino from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { listen } from '#server/platform/http/listen.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const someone = beforeTests(() => app.signIn('customer'));

test('logs denied requests but not their secrets', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const parts = { db: app.db, readDb: app.db, cards: app.cards, log };
  const served = await listen(createApp({ ...parts, config: app.config }).fetch, {
    port: 0,
    host: '127.0.0.1',
  });
  const url = `http://127.0.0.1:${served.port}`;
  const authorization = `Bearer ${someone.token}`;
  await fetch(`${url}/api/profile`, { headers: { authorization: 'Bearer forged.by.somebody' } });
  const closed = await fetch(`${url}/api/coach/templates`, { headers: { authorization } });
  expect(closed.headers.get('x-request-id')).toBeTruthy();
  const guess = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: someone.email, password: 'a-wrong-guess' }),
  });
  expect(guess.status).toBe(400);
  await fetch(`${url}/auth/v1/user`, { headers: { authorization: 'Bearer forged.by.somebody' } });
  await served.close();
  const written = lines.map((line) => JSON.parse(line));
  expect(written).toMatchObject([
    { msg: 'request denied', code: 'unauthenticated' },
    {
      msg: 'request denied',
      code: 'forbidden',
      userId: someone.userId,
      requestId: closed.headers.get('x-request-id'),
    },
    {
      msg: 'request denied',
      code: 'invalid_credentials',
      path: '/auth/v1/token',
      requestId: guess.headers.get('x-request-id'),
    },
    { msg: 'request denied', code: 'bad_jwt', path: '/auth/v1/user' },
  ]);
  expect(lines.join()).not.toContain(someone.email);
  expect(lines.join()).not.toContain('a-wrong-guess');
  expect(lines.join()).not.toContain(someone.token);
  expect(lines.join()).not.toContain('forged.by.somebody');
});

test('forbids caching of private responses', async () => {
  const own = await fetch(`${app.url}/api/profile`, {
    headers: { authorization: `Bearer ${someone.token}` },
  });
  expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const open = await fetch(`${app.url}/api/slots`);
  expect([open.status, open.headers.get('cache-control')]).toEqual([200, null]);
});
