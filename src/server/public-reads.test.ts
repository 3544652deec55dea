import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { startTestApp, type TestApp } from './test-app.test-support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const ask = (path: string, address: string) =>
  fetch(app.url + path, { headers: { 'x-forwarded-for': address } });

test('refuses an IP address that reads far more than people do, and nobody else', async () => {
  const path = `${catalogueApi.discoverSlots.path}?limit=1`;
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(path, '203.0.113.7')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  expect((await refused[0]!.json()).error).toMatchObject({
    code: 'too_many_requests',
    message: "You've asked for a lot in a short time. Please try again in a moment.",
  });
  expect((await ask(path, '198.51.100.9')).status).toBe(200);
});

test('counts the IP addresses of one household together where they are IPv6', async () => {
  const path = '/coaches/nobody';
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => ask(path, `2001:db8:1:2::${n.toString(16)}`)),
  );
  const page = answers.find(({ status }) => status === 429);
  expect(page?.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect((await ask(path, '2001:db8:1:3::1')).status).toBe(404);
});
