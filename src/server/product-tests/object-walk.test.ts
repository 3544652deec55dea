import { expect, test } from 'vitest';
import type { Role } from '#domain/access.ts';
import { bucketNames, buckets } from '#domain/storage/buckets.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { createStorageApp } from '#server/storage/storage-app.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { readState } from '#server/test-support/database-state.test-support.ts';
import { forgeTokens } from '#server/test-support/forged-tokens.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const consent = { metadata: { alt: 'Theirs', isConsentConfirmed: true } };

type Sent = { method: string; path: string; body?: object | Buffer; headers?: Record<string, string> };

async function send(token: string | null, { method, path, body, headers = {} }: Sent) {
  const isBytes = Buffer.isBuffer(body);
  const response = await fetch(`${app.url}/storage/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: token.includes(' ') ? token : `Bearer ${token}` }),
      ...(body && { 'content-type': isBytes ? 'image/jpeg' : 'application/json' }),
      ...headers,
    },
    body: body ? (isBytes ? new Uint8Array(body) : JSON.stringify(body)) : null,
  });
  return { status: response.status, text: await response.text() };
}

/** The calls that reach an object by its bucket and path, apart from the call that signs several addresses. */
const callsOf = (bucket: string, path: string, picture: Buffer): Sent[] => [
  { method: 'POST', path: `/object/${bucket}/${path}`, body: picture },
  { method: 'POST', path: `/object/${bucket}/${path}`, body: picture, headers: { 'x-upsert': 'true' } },
  { method: 'PUT', path: `/object/${bucket}/${path}`, body: picture },
  { method: 'GET', path: `/object/${bucket}/${path}` },
  { method: 'HEAD', path: `/object/${bucket}/${path}` },
  { method: 'GET', path: `/object/authenticated/${bucket}/${path}` },
  { method: 'HEAD', path: `/object/authenticated/${bucket}/${path}` },
  { method: 'GET', path: `/object/info/${bucket}/${path}` },
  { method: 'GET', path: `/object/info/public/${bucket}/${path}` },
  { method: 'GET', path: `/object/info/authenticated/${bucket}/${path}` },
  { method: 'GET', path: `/object/public/${bucket}/${path}` },
  { method: 'HEAD', path: `/object/public/${bucket}/${path}` },
  { method: 'POST', path: `/object/sign/${bucket}/${path}`, body: { expiresIn: 60 } },
  { method: 'GET', path: `/object/sign/${bucket}/${path}?token=zzzzzz.AAAA` },
  { method: 'POST', path: `/object/list/${bucket}`, body: { prefix: path.split('/')[0] } },
  { method: 'POST', path: `/object/list/${bucket}`, body: { prefix: path } },
  { method: 'DELETE', path: `/object/${bucket}`, body: { prefixes: [path] } },
];

/** Whether every caller gets the same response to a call. */
const isAnonymous = ({ path }: Sent) => path.startsWith('/object/public/') || path.includes('token=');
const signMany = (bucket: string, path: string): Sent => ({
  method: 'POST',
  path: `/object/sign/${bucket}`,
  body: { expiresIn: 60, paths: [path] },
});

test('covers every call that the file server serves', () => {
  const { routes } = createStorageApp({} as Parameters<typeof createStorageApp>[0], async () => null);
  // Routes for all methods only refuse unsupported calls.
  const served = routes.filter(({ method }) => method !== 'ALL');
  expect(served.length).toBeGreaterThan(10);
  const known = [...callsOf('avatars', 'owner/name', Buffer.alloc(1)), signMany('avatars', 'owner/name')];
  const unknown = served.filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('*', 'avatars/.+')}$`);
    return !known.some((call) => call.method === method && pattern.test(call.path.split('?')[0]!));
  });
  expect(unknown.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

const isRead = ({ method, path }: Sent) => method === 'GET' || method === 'HEAD' || path.includes('/sign/');

test('returns 404, or 401 to visitors, for objects that the caller may not see [FILE-3b, ROLE-5]', {
  timeout: 180_000,
}, async () => {
  const picture = await makePicture({ width: 60, height: 40 });
  // A coach who can be booked, and a person whose pictures nobody else may see.
  const owners = {
    coach: await app.signIn('coach', 'customer'),
    customer: await app.signIn('coach', 'customer'),
  };
  for (const owner of Object.values(owners)) {
    for (const bucket of bucketNames) {
      const { error } = await storageOf(app.url, owner)
        .from(bucket)
        .upload(`${owner.userId}/avatar`, picture, consent);
      expect(error, bucket).toBeNull();
    }
  }
  await app.db
    .updateTable('coaches')
    .set({ isActive: false })
    .where('coachId', '=', owners.customer.userId)
    .execute();
  const people: { name: string; person: Someone | null }[] = [{ name: 'a visitor', person: null }];
  for (const roles of [['customer'], ['coach'], ['admin'], ['customer', 'coach', 'admin']] as Role[][]) {
    people.push({ name: roles.join(' and '), person: await app.signIn(...roles) });
  }
  const nobody = await app.signIn();
  await app.db.updateTable('profiles').set({ roles: [] }).where('userId', '=', nobody.userId).execute();
  people.push({ name: 'someone without any role', person: nobody });
  const before = await readState(app.db);
  for (const { name, person } of people) {
    await app.db.deleteFrom('rateLimits').execute();
    for (const bucket of bucketNames) {
      for (const [kind, owner] of Object.entries(owners)) {
        for (const path of [`${owner.userId}/avatar`, `${owner.userId}/none`]) {
          const isShown = kind === 'coach' && buckets[bucket].isPublic && path.endsWith('avatar');
          for (const call of callsOf(bucket, path, picture)) {
            const { status, text } = await send(person?.token ?? null, call);
            const what = `${name}: ${call.method} ${call.path} → ${status} ${text.slice(0, 200)}`;
            if (call.path.includes('token=')) expect(status, what).toBe(400);
            else if (isShown && isRead(call) && call.method !== 'POST') expect(status, what).toBe(200);
            else if (isAnonymous(call)) expect(status, what).toBe(404);
            else if (person) expect(status, what).toBe(404);
            else
              expect(
                buckets[bucket].isPublic && isRead(call) && call.method !== 'POST' ? [404] : [401],
                what,
              ).toContain(status);
          }
        }
        const everything = await send(person?.token ?? null, {
          method: 'POST',
          path: `/object/list/${bucket}`,
          body: { prefix: '' },
        });
        expect(everything.text).not.toContain(owner.userId);
        const several = await send(person?.token ?? null, signMany(bucket, `${owner.userId}/avatar`));
        expect(several.text).not.toContain('token=');
      }
    }
  }
  expect(await readState(app.db)).toEqual(before);
});

test('refuses every token that is forged, expired or from an ended session', {
  timeout: 120_000,
}, async () => {
  const [owner, stranger] = [await app.signIn('coach', 'customer'), await app.signIn('customer')];
  const picture = await makePicture({ width: 60, height: 40 });
  const path = `${owner.userId}/avatar`;
  for (const bucket of bucketNames) {
    const { error } = await storageOf(app.url, owner).from(bucket).upload(path, picture, consent);
    expect(error, bucket).toBeNull();
  }
  const tokens = await forgeTokens(app, owner.token, stranger.userId);
  // One of the tokens belongs to an account whose deletion continues in jobs.
  await eventually(async () => !Object.keys(await readState(app.db)).some((key) => key.startsWith('job ')));
  const before = await readState(app.db);
  for (const [kind, token] of Object.entries(tokens)) {
    for (const bucket of bucketNames) {
      const calls = [...callsOf(bucket, path, picture), signMany(bucket, path)];
      const asked = calls.filter((call) => !isAnonymous(call));
      const answers = await Promise.all(asked.map((call) => send(token, call)));
      for (const [index, { status, text }] of answers.entries()) {
        const { method, path } = asked[index]!;
        expect(status, `${kind}: ${method} ${path} → ${status} ${text.slice(0, 200)}`).toBe(401);
      }
    }
  }
  expect(await readState(app.db)).toEqual(before);
});

test('refuses gallery uploads by customers and admins [ROLE-5]', async () => {
  const picture = await makePicture();
  for (const role of ['customer', 'admin'] as const) {
    const person = await app.signIn(role);
    const before = await readState(app.db);
    const { error } = await storageOf(app.url, person)
      .from('gallery')
      .upload(`${person.userId}/a`, picture, consent);
    expect(error, role).toMatchObject({ status: 403 });
    expect(await readState(app.db), role).toEqual(before);
  }
});

test("blocks path traversal to other people's objects [FILE-3c]", async () => {
  const owner = await app.signIn('coach', 'customer');
  const person = await app.signIn('coach', 'customer');
  const picture = await makePicture({ width: 60, height: 40 });
  expect(
    (await storageOf(app.url, owner).from('documents').upload(`${owner.userId}/a`, picture)).error,
  ).toBeNull();
  const tricks = [
    ...[`${person.userId}/../${owner.userId}/a`, `${person.userId}/%2e%2e/${owner.userId}/a`],
    ...[`${person.userId}%2f..%2f${owner.userId}/a`, `${person.userId}/..%2f${owner.userId}%2fa`],
    ...[
      `${person.userId}/%252e%252e/${owner.userId}/a`,
      `..%2f..%2fetc%2fpasswd`,
      `%2e%2e/%2e%2e/etc/passwd`,
    ],
    ...[
      `${person.userId}/..%5c..%5ca`,
      `${person.userId}/a%00.png`,
      `${person.userId}/%ff`,
      `${person.userId}//a`,
    ],
    ...[`${person.userId}/CON:`, `${person.userId}/.htaccess`, `${person.userId}/a/../../../b`, '%', '/', ''],
  ];
  const before = await readState(app.db);
  for (const trick of tricks) {
    await app.db.deleteFrom('rateLimits').execute();
    for (const call of callsOf('documents', trick, picture)) {
      const { status, text } = await send(person.token, call);
      // Listing a folder or removing an object that cannot exist returns nothing.
      const what = `${call.method} ${call.path} → ${status} ${text.slice(0, 200)}`;
      if (status === 200) expect(text, what).toBe('[]');
      else expect([400, 404], what).toContain(status);
    }
  }
  expect(await readState(app.db)).toEqual(before);
});

test('refuses unknown buckets and calls with errors that clients can read', async () => {
  const person = await app.signIn('customer');
  for (const path of ['/object/public/none/a/b', '/object/constructor/a/b', '/nothing', '/bucket']) {
    const { status, text } = await send(person.token, { method: 'GET', path });
    expect(status).toBeLessThan(500);
    expect(JSON.parse(text)).toEqual({
      statusCode: String(status),
      error: expect.any(String),
      message: expect.stringMatching(/^[A-Z]/),
    });
  }
});
