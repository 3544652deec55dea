import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { listen } from '#server/platform/http/listen.ts';
import { createLog } from '#server/platform/log.ts';
import { internals } from '#server/test-support/contract-walk.test-support.ts';
import { readState } from '#server/test-support/database-state.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const someone = beforeTests(() => app.signIn('customer'));

async function expectNothingChanged(run: () => Promise<unknown>): Promise<void> {
  const before = await readState(app.db);
  await run();
  expect(await readState(app.db)).toEqual(before);
}

type Refused = { said: string; status: number; headers: Headers; body: Record<string, unknown> };

/** Sends a request and fails unless the response is a refusal in JSON that reveals no internals. */
async function refuse(path: string, init: RequestInit = {}): Promise<Refused> {
  const response = await fetch(app.url + path, { redirect: 'manual', ...init });
  const text = await response.text();
  const said = `${init.method ?? 'GET'} ${path} ${String(init.body).slice(0, 200)} → ${response.status} ${text}`;
  expect(response.status, said).toBeGreaterThanOrEqual(400);
  expect(response.status, said).toBeLessThan(500);
  expect(response.headers.get('content-type'), said).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id'), said).toMatch(/^[\w-]{36}$/);
  expect(response.headers.get('x-content-type-options'), said).toBe('nosniff');
  expect(response.headers.get('content-security-policy'), said).toContain("default-src 'self'");
  expect(text, said).not.toMatch(internals);
  return { said, status: response.status, headers: response.headers, body: JSON.parse(text) };
}

const json = (body: BodyInit | null, headers: Record<string, string> = {}, method = 'POST'): RequestInit => ({
  method,
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

const notObjects = ['', '{', '[]', 'null', '5', '"text"', '{"a":1}x', '['.repeat(60_000), '\0'];

describe('the accounts server [API-2]', () => {
  const posts = [
    '/signup',
    '/token?grant_type=password',
    '/token?grant_type=refresh_token',
    '/resend',
    '/recover',
    '/verify',
  ];
  const paths = posts.map((path) => `/auth/v1${path}`);

  test('refuses bodies that are too large or not JSON objects', async () => {
    const asSomeone = { authorization: `Bearer ${someone.token}` };
    const targets: [path: string, method: string][] = [
      ...paths.map((path): [string, string] => [path, 'POST']),
      ['/auth/v1/user', 'PUT'],
    ];
    await expectNothingChanged(async () => {
      for (const [path, method] of targets) {
        for (const body of notObjects) {
          const { status, body: answer, said } = await refuse(path, json(body, asSomeone, method));
          expect(status, said).toBe(400);
          expect(answer, said).toMatchObject({
            code: 'bad_json',
            msg: expect.stringMatching(/^The body .*\.$/),
          });
        }
        const plain = await refuse(path, json('{}', { ...asSomeone, 'content-type': 'text/plain' }, method));
        expect(plain.status, plain.said).toBe(415);
        const large = await refuse(
          path,
          json(JSON.stringify({ email: 'x'.repeat(70_000) }), asSomeone, method),
        );
        expect(large.status, large.said).toBe(413);
      }
    });
  });

  test('refuses malformed fields and changes nothing', async () => {
    const names = [
      'email',
      'password',
      'data',
      'type',
      'token_hash',
      'refresh_token',
      'phone',
      '__proto__',
      'constructor',
    ];
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        '',
        ' ',
        '\0',
        '\ud800',
        'a\0@b.example',
        `${'x'.repeat(300)}@b.example`,
        {},
        [],
        null,
        'not@an',
        1e308,
      ),
    );
    const body = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 });
    await expectNothingChanged(() =>
      fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), body, async (path, input) => {
          await app.db.deleteFrom('rateLimits').execute();
          const { status, body: answer, said } = await refuse(path, json(JSON.stringify(input)));
          expect([400, 422], said).toContain(status);
          expect(answer.msg, said).toMatch(/^[A-Z].{8,}/);
        }),
        { numRuns: 600 },
      ),
    );
  }, 240_000);

  const email = 'field@edge.example';
  const password = 'correct-horse-battery';
  const challenge_id = '00000000-0000-4000-8000-000000000000';
  const factor = `/factors/${challenge_id}/verify`;
  test.each<[method: string, path: string, fields: object, named: RegExp]>([
    ['POST', '/signup', { password }, /email address/],
    ['POST', '/signup', { email: 7, password }, /email address/],
    ['POST', '/signup', { email: 'not@an', password }, /email address/],
    ['POST', '/signup', { email }, /password/],
    ['POST', '/signup', { email, password: {} }, /password/],
    ['POST', '/signup', { email, password, data: { full_name: 7 } }, /name/],
    ['POST', '/signup', { email, password, data: { full_name: 'x'.repeat(201) } }, /name/],
    ['PUT', '/user', { email: 7 }, /email address/],
    ['PUT', '/user', { email: 'not@an' }, /email address/],
    ['PUT', '/user', { password: 7 }, /password/],
    ['PUT', '/user', { password: '' }, /password/],
    ['PUT', '/user', { data: { full_name: 7 } }, /name/],
    ['PUT', '/user', { data: { full_name: ' ' } }, /name/],
    ['POST', factor, { challenge_id }, /code/],
    ['POST', factor, { challenge_id, code: 123456 }, /code/],
    ['POST', factor, { challenge_id, code: 'abc' }, /code/],
    ['POST', factor, { code: '123456' }, /challenge/],
    ['POST', factor, { challenge_id: 'x', code: '123456' }, /challenge/],
  ])('refuses %s %s with %j and names the field', async (method, path, fields, named) => {
    const asSomeone = { authorization: `Bearer ${someone.token}` };
    await expectNothingChanged(async () => {
      const answer = await refuse(`/auth/v1${path}`, json(JSON.stringify(fields), asSomeone, method));
      expect([answer.status, answer.body.code], answer.said).toEqual([400, 'validation_failed']);
      expect(answer.body.msg, answer.said).toMatch(/^[A-Z].{8,}\.$/);
      expect(answer.body.msg, answer.said).toMatch(named);
    });
  });

  test('refuses malformed tokens and unknown scopes, grants and URLs', async () => {
    await expectNothingChanged(async () => {
      for (const [authorization, status] of [
        ['', 401],
        ['Bearer x', 403],
        ['Basic eDp5', 401],
        [`Bearer ${someone.token.slice(0, -5)}`, 403],
      ] as const) {
        for (const [path, method] of [
          ['/user', 'GET'],
          ['/user', 'PUT'],
          ['/logout', 'POST'],
          ['/factors', 'POST'],
          ['/factors/x/challenge', 'POST'],
          ['/factors/x/verify', 'POST'],
          ['/factors/x', 'DELETE'],
        ] as const) {
          const body = method === 'GET' ? null : '{"data":{"full_name":"Somebody Else"}}';
          const answer = await refuse(`/auth/v1${path}`, json(body, { authorization }, method));
          expect(answer.status, answer.said).toBe(status);
        }
      }
      const asSomeone = { authorization: `Bearer ${someone.token}` };
      const scope = await refuse('/auth/v1/logout?scope=everything', json(null, asSomeone));
      expect(scope.status, scope.said).toBe(400);
      for (const grant of ['', '?grant_type=', '?grant_type=client_credentials', '?grant_type=__proto__']) {
        expect((await refuse(`/auth/v1/token${grant}`, json('{}'))).status).toBe(400);
      }
      for (const path of [
        '/auth/v1',
        '/auth/v1/',
        '/auth/v1/nowhere',
        '/auth/v2/user',
        '/auth',
        '/auth/v1/admin/users',
      ]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          expect((await refuse(path, { method })).status, path).toBe(404);
        }
      }
    });
  });

  test('opens no session for a wrong token and redirects only to our own site', async () => {
    await expectNothingChanged(async () => {
      for (const token of ['', 'x', '%00', 'x'.repeat(5000), '..%2f', '%ff']) {
        for (const target of [
          '',
          'https://evil.example/',
          '//evil.example',
          'javascript:alert(1)',
          '%0d%0aset-cookie:a=b',
          `${app.url}@evil.example`,
        ]) {
          const link = `${app.url}/auth/v1/verify?type=signup&token=${token}&redirect_to=${target}`;
          const answer = await fetch(link, { redirect: 'manual' });
          expect(answer.status, link).toBe(303);
          const location = new URL(answer.headers.get('location') ?? '');
          expect(location.origin, link).toBe(app.url);
          expect([location.pathname, location.hash], link).toEqual(['/verify', '']);
          expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
          expect(answer.headers.get('x-request-id')).toBeTruthy();
        }
      }
    });
  });
});

describe('the webhook [API-2]', () => {
  const sign = (body: string, at = Date.now() / 1000, secret = app.config.stripe.webhookSecret) => {
    const t = Math.floor(at);
    return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
  };
  const post = (body: string, signature?: string) =>
    refuse('/webhooks/stripe', json(body, signature === undefined ? {} : { 'stripe-signature': signature }));
  const event = JSON.stringify({
    ...{ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' },
    data: { object: { id: 'pi_1', object: 'payment_intent' } },
  });

  test('refuses events that are unsigned, wrongly signed, outdated or altered', async () => {
    await expectNothingChanged(async () => {
      const old = Date.now() / 1000 - 3600;
      const signatures = [
        undefined,
        '',
        'x',
        't=,v1=',
        't=1,v1=2',
        'v1=abc',
        sign(event, old),
        sign(event, undefined, 'whsec_other'),
        sign(`${event} `),
      ];
      for (const signature of signatures) {
        const { status, body, said } = await post(event, signature);
        expect(status, said).toBe(400);
        expect(body, said).toMatchObject({
          error: { message: "This isn't a signed event from Stripe." },
        });
      }
      expect((await post('x'.repeat(1_100_000), 'x')).status).toBe(413);
      for (const method of ['GET', 'PUT', 'DELETE']) {
        expect((await refuse('/webhooks/stripe', { method })).status).toBe(404);
      }
    });
  });

  test('refuses signed bodies that are not valid events', async () => {
    const bodies = [
      '',
      '{',
      'null',
      '5',
      '[]',
      '{}',
      '{"id":1,"type":2}',
      '{"id":"evt_2","type":"payment_intent.succeeded"}',
    ];
    bodies.push(
      '{"id":"evt_3","type":"payment_intent.succeeded","data":null}',
      event.replace('pi_1', 'a\\u0000b'),
    );
    bodies.push('{"id":"evt_4","type":"refund.created","data":{"object":5}}', event.replace('"pi_1"', '{}'));
    await expectNothingChanged(async () => {
      for (const body of bodies) expect((await post(body, sign(body))).status, body).toBe(400);
    });
  });
});

describe('the proxy to the Stripe simulator [API-2]', () => {
  const base = '/sandbox/stripe';

  test('forwards only calls that browsers need, and refuses malformed cards', async () => {
    const form = 'application/x-www-form-urlencoded';
    await expectNothingChanged(async () => {
      for (const path of [
        '/',
        '/control',
        '/ledger',
        '/v1/payment_intents',
        '/v1/customers',
        '/v1/refunds',
        '/../ledger',
        '/..%2fledger',
        '//evil.example/v1/payment_methods',
        '/v1/payment_methods/..%2f..%2fledger',
        '/v1/events',
      ]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const headers = { authorization: `Bearer ${app.config.stripe.secretKey}` };
          expect((await refuse(base + path, { method, headers })).status, path).toBe(404);
        }
      }
      for (const body of [
        '',
        '{',
        'type=',
        'type=card',
        'type=card&card[number]=1',
        `type=card&card[number]=${'4'.repeat(5000)}`,
        '__proto__[a]=1',
        'type[0][1][2]=x',
        '%00=%ff',
        '&&&===',
      ]) {
        const { status, said } = await refuse(`${base}/v1/payment_methods`, {
          method: 'POST',
          body,
          headers: { 'content-type': form },
        });
        expect([400, 402], said).toContain(status);
      }
      const large = await refuse(
        `${base}/v1/payment_methods`,
        json('x'.repeat(70_000), { 'content-type': form }),
      );
      expect(large.status).toBe(413);
      for (const path of [
        '/v1/payment_intents/pi_nothing',
        '/v1/setup_intents/seti_nothing?client_secret=x',
      ]) {
        const { status, said } = await refuse(base + path);
        expect([401, 403, 404], said).toContain(status);
      }
    });
  });
});

test('shows sent emails only in the demo', async () => {
  await writeFile(join(app.config.email.outbox!, '0.json'), '{"subject":"Secret link"}').catch(() => {});
  const parts = { db: app.db, readDb: app.db, cards: app.cards, log: createLog('silent') };
  const demo = createApp({ ...parts, config: { ...app.config, isDemo: true } });
  const served = await listen(demo.fetch, { port: 0, host: '127.0.0.1' });
  expect((await fetch(`http://127.0.0.1:${served.port}/sandbox/outbox`)).status).toBe(200);
  served.server.close();
  expect((await refuse('/sandbox/outbox')).status).toBe(404);
});

test('returns 404 in JSON for unknown API URLs, for every method [API-2]', async () => {
  for (const path of [
    '/api/nowhere',
    '/api/',
    '/api/coach',
    '/api/%ff',
    '/auth/x',
    '/webhooks',
    '/webhooks/paypal',
    '/sandbox',
    '/api/coach/slots/a/b/c',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, said } = await refuse(path, { method });
      expect(status, said).toBe(404);
    }
    const head = await fetch(app.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()], path).toEqual([404, '']);
  }
});

test('handles HEAD like GET, and allows no other origins in OPTIONS', async () => {
  const head = await fetch(`${app.url}/api/product`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(`${app.url}/api/profile`, { method: 'HEAD' })).status).toBe(401);
  const options = await fetch(`${app.url}/api/profile`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(options.status).toBe(204);
  expect(options.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
  expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(options.headers.get('x-request-id')).toBeTruthy();
});
