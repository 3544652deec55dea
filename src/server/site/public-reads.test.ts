import { expect, test } from 'vitest';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp({ env: { TRUST_PROXY: '1' } });

const ask = (path: string, address: string) =>
  fetch(app.url + path, { headers: { 'x-forwarded-for': address } });

/** Sends rounds of a hundred simultaneous requests from these addresses until a request to `path` is refused. */
const untilRefused = (path: string, addressOf: (n: number) => string) =>
  eventually(async () => {
    const cheap = `${slotsApi.readAvailability.path}?slotIds=none`;
    const crowd = Array.from({ length: 100 }, (_, n) => ask(cheap, addressOf(n)));
    const answer = await ask(path, addressOf(100));
    await Promise.all(crowd);
    return answer.status === 429 ? answer : null;
  }, 25_000);

test('refuses only the IP address that sends far too many requests', async () => {
  const path = `${discoverApi.discoverSlots.path}?limit=1`;
  const refused = await untilRefused(path, () => '203.0.113.7');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await refused.json()).error).toMatchObject({
    code: 'too_many_requests',
    message: "You've made too many requests in a short time. Please try again in a moment.",
  });
  expect((await ask(path, '198.51.100.9')).status).toBe(200);
});

test('shows an HTML refusal for pages and counts an IPv6 network as one address', async () => {
  const path = '/coaches/nobody';
  const refused = await untilRefused(path, (n) => `2001:db8:1:2::${n.toString(16)}`);
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect((await ask(path, '2001:db8:1:3::1')).status).toBe(404);
});
