import { expect, test } from 'vitest';
import { internals } from '#server/test-support/contract-walk.test-support.ts';
import { readState } from '#server/test-support/database-state.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const person = beforeTests(() => app.signIn('coach'));

type Refused = { status: number; said: string; message: string; fields: Record<string, string> };

/**
 * Sends a call as `person`. Fails unless the call is refused with a message that reveals no internal details, and
 * changes nothing.
 */
async function refuse(method: string, path: string, body: BodyInit | null): Promise<Refused> {
  const before = await readState(app.db);
  const response = await fetch(`${app.url}/storage/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    body,
  });
  const text = await response.text();
  const said = `${method} ${path} ${String(body).slice(0, 100)} → ${response.status} ${text}`;
  expect(response.headers.get('content-type'), said).toMatch(/^application\/json/);
  expect(text, said).not.toMatch(internals);
  const { statusCode, message, fields = {} } = JSON.parse(text);
  expect(statusCode, said).toBe(String(response.status));
  expect(message, said).toMatch(/^[A-Za-z].{9,300}$/);
  expect(await readState(app.db), said).toEqual(before);
  return { status: response.status, said, message, fields };
}

const own = (name: string) => `${person.userId}/${name}`;
/** The calls with a JSON body, each with a valid body that the tests alter. */
const calls = (): [method: string, path: string, body: Record<string, unknown>][] => [
  ['POST', '/object/list/documents', { prefix: person.userId }],
  ['POST', `/object/sign/documents/${own('a.pdf')}`, { expiresIn: 60 }],
  ['POST', '/object/sign/documents', { expiresIn: 60, paths: [own('a.pdf')] }],
  ['DELETE', '/object/documents', { prefixes: [own('a.pdf')] }],
];

test('refuses file server requests with oversized or invalid bodies [API-2]', async () => {
  const notUtf8 = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
  for (const [method, path] of calls()) {
    for (const body of ['{', '[]', 'null', '5', '"text"', '{"a":1}x', '\0', notUtf8]) {
      const { status, said, message } = await refuse(method, path, body);
      expect(status, said).toBe(400);
      expect(message, said).toMatch(/^The body /);
    }
    const large = await refuse(method, path, JSON.stringify({ prefix: 'x'.repeat(70_000) }));
    expect([large.status, large.message], large.said).toEqual([413, 'The body is larger than 64 kB.']);
  }
});

test('refuses missing and wrong fields in file server requests, and names them [API-2]', async () => {
  const wrong: Record<string, unknown[]> = {
    prefix: [7, null, 'x'.repeat(501)],
    limit: [0, 1001, 1.5, '10'],
    offset: [-1, 100_001, 'x'],
    search: [7, 'x'.repeat(201)],
    sortBy: ['name', { column: 'size' }, { order: 'up' }],
    expiresIn: [undefined, 0, -1, '60', null],
    paths: [undefined, [], 'x', [7], Array(101).fill('x')],
    prefixes: [undefined, [], 'x', [7], Array(101).fill('x')],
  };
  const listFields = ['prefix', 'limit', 'offset', 'search', 'sortBy'];
  let tried = 0;
  for (const [method, path, body] of calls()) {
    for (const name of path.startsWith('/object/list/') ? listFields : Object.keys(body)) {
      for (const value of wrong[name]!) {
        const { status, said, message, fields } = await refuse(
          method,
          path,
          JSON.stringify({ ...body, [name]: value }),
        );
        expect(status, said).toBe(400);
        const [named = ''] = Object.keys(fields);
        expect(named.split('.')[0], said).toBe(name);
        expect([fields[named], message.startsWith(named)], said).toEqual([message, true]);
        tried += 1;
      }
    }
  }
  expect(tried).toBe(15 + 5 + 10 + 5);
});

test('names the invalid field when refusing an upload [API-2]', async () => {
  const upload = (bucket: string, metadata: string) => {
    const form = new FormData();
    form.set('metadata', metadata);
    form.set('', new Blob(['anything']), 'a.png');
    return refuse('POST', `/object/${bucket}/${own('a')}`, form);
  };
  const cases: [bucket: string, metadata: string, status: number, named: string][] = [
    ['avatars', '{', 400, 'metadata'],
    ['avatars', JSON.stringify({ alt: 'a'.repeat(301) }), 422, 'alt'],
    ['gallery', JSON.stringify({ alt: '' }), 422, 'isConsentConfirmed'],
  ];
  for (const [bucket, metadata, expected, named] of cases) {
    const { status, said, message, fields } = await upload(bucket, metadata);
    expect([status, fields], said).toEqual([expected, { [named]: message }]);
  }
});

test('refuses unknown buckets and malformed paths in file server requests [API-2, FILE-8b]', async () => {
  for (const [method, path, status, message] of [
    ['POST', '/object/list/secrets', 404, 'Bucket not found'],
    ['GET', `/object/secrets/${own('a.pdf')}`, 404, 'Bucket not found'],
    ['GET', `/object/documents/${own('..%2f..%2fetc')}`, 400, /^A path must consist of your id and a name/],
    ['PUT', `/object/documents/${own('a b')}`, 400, /^A path must consist of your id and a name/],
    ['GET', `/object/documents/${own('%ff')}`, 400, 'The path is not well-formed.'],
    ['POST', `/object/documents/${own('a.pdf')}`, 400, 'There is no file in this upload.'],
    ['GET', `/object/sign/documents/${own('a.pdf')}?token=x`, 400, /^This address has expired\./],
    ['GET', '/nowhere', 404, "There's nothing at this URL."],
  ] as const) {
    const refused = await refuse(method, path, null);
    expect(refused.status, refused.said).toBe(status);
    if (typeof message === 'string') expect(refused.message, refused.said).toBe(message);
    else expect(refused.message, refused.said).toMatch(message);
  }
});
