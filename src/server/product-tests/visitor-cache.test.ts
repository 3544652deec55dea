import { expect, test } from 'vitest';
import { discoverApi } from '#domain/discover/contract.ts';
import { addSlot, addTemplate } from '#server/test-support/lessons.test-support.ts';
import { recordStatements } from '#server/test-support/record-statements.test-support.ts';
import {
  eventually,
  setUpTestApp,
  startTestApp,
  type TestApp,
} from '#server/test-support/test-app.test-support.ts';

/** Responses are shared for longer than the tests take. */
const app = setUpTestApp({ env: { VISITOR_CACHE_SECONDS: '60', TRUST_PROXY: '1' } });
const { path } = discoverApi.discoverSlots;
const ask = (query: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path + query, { headers });

async function addLesson({ db, signIn }: TestApp): Promise<void> {
  const { userId: coachId } = await signIn('coach');
  const templateId = await addTemplate(db, coachId);
  const startMs = Date.now() + 30 * 3_600_000;
  await addSlot(db, { templateId, coachId, startMs, seats: 5, priceCents: 2_000 });
}

test('shares responses among visitors, not with signed-in people or other searches', async () => {
  const count = async (answer: Response) => (await answer.json()).slots.length;
  await ask('?limit=50');
  const before = await ask('?limit=50');
  const requestId = before.headers.get('x-request-id');
  const known = await count(before);
  await addLesson(app);
  const shared = await ask('?limit=50');
  expect(await count(shared)).toBe(known);
  const headersOf = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)));
  expect(headersOf(shared)).toEqual(headersOf(before));
  expect(shared.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(shared.headers.get('x-request-id')).not.toBe(requestId);

  const unchanged = await ask('?limit=50', { 'if-none-match': before.headers.get('etag')! });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);

  expect(await count(await ask('?limit=49'))).toBe(known + 1);
  const customer = await app.signIn();
  const { body } = await app.call(customer, discoverApi.discoverSlots, { limit: 50 });
  expect(body.slots).toHaveLength(known + 1);
});

test('caches a response only from the second request for its URL', async () => {
  const count = async () => (await (await ask('?limit=48')).json()).slots.length;
  const known = await count();
  await addLesson(app);
  expect(await count()).toBe(known + 1);
  await addLesson(app);
  // The response to the second request within that time was cached.
  expect(await count()).toBe(known + 1);
});

test('runs one query for concurrent visitors to a page', async () => {
  // Requests the page first; otherwise a visitor who comes a moment later may cause a second query.
  await ask('?limit=7');
  const statements = await recordStatements(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('?limit=7')));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
  });
  // Jobs of this process read lessons too.
  expect(statements.filter(({ text }) => text.includes('"coachAddress"'))).toHaveLength(1);
});

test('refuses an IP address over its limit, and shares no refusal with others', async () => {
  const from = (address: string) => ask('?limit=3', { 'x-forwarded-for': address });
  const refused = await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => from('203.0.113.7')));
    return answers.find(({ status }) => status === 429) ?? null;
  });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await from('198.51.100.9')).status).toBe(200);
  for (const time of ['first', 'second']) expect([time, (await ask('?limit=0')).status]).toEqual([time, 422]);
});

test('replaces a shared response once it has expired', async () => {
  const other = await startTestApp({ env: { VISITOR_CACHE_SECONDS: '1' } });
  try {
    const readLessons = async () => (await (await fetch(other.url + path)).json()).slots;
    for (const _ of [1, 2]) expect(await readLessons()).toEqual([]);
    await addLesson(other);
    await eventually(async () => ((await readLessons()).length === 1 ? true : null));
  } finally {
    await other.stop();
  }
});
