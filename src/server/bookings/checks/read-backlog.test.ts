import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const token = 'only-for-the-monitor';
const app = setUpTestApp({ env: { METRICS_TOKEN: token } });
const club = beforeTests(() => openClub(app));

const read = (given?: string) =>
  fetch(`${app.url}/metrics`, given ? { headers: { authorization: given } } : {});

async function readFigures(): Promise<Map<string, number>> {
  const answer = await read(`Bearer ${token}`);
  expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

test('reports held seats and unsettled payments until the payments are settled', async () => {
  const customer = await club.join(testCards.asksAlways);
  const slotId = await club.publish();
  const { body } = await club.book(customer, slotId);
  if (body.outcome !== 'requiresAction') throw new Error(body.outcome);
  const held = await readFigures();
  expect(held.get('app_held_seats')).toBe(1);
  expect(held.get('app_unsettled_payments')).toBe(1);
  expect(held.get('app_unsettled_payment_age_seconds')).toBeGreaterThan(0);
  expect(held.get('app_unsettled_payment_age_seconds')).toBeLessThan(60);

  await club.authenticate(body.clientSecret, 'succeeded');
  await app.call(customer, bookingsApi.settle, { bookingId: body.bookingId });
  const settled = await readFigures();
  expect(settled.get('app_held_seats')).toBe(0);
  expect(settled.get('app_unsettled_payments')).toBe(0);
  expect(settled.get('app_failed_refunds')).toBe(0);
  expect(settled.get('app_database_up')).toBe(1);
});

test('counts requests by method, route and status, without ids in the labels', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  await club.book(customer, slotId);
  await app.call(customer, bookingsApi.settle, { bookingId: slotId });
  await fetch(`${app.url}/api/nowhere/${slotId}`);
  const figures = await readFigures();
  const name = 'app_http_request_duration_seconds_count';
  const { method, path } = bookingsApi.settle;
  expect(figures.get(`${name}{method="${method}",route="${path}",status="404"}`)).toBe(1);
  expect(figures.get(`${name}{method="GET",route="/api/*",status="404"}`)).toBe(1);
  expect([...figures.keys()].filter((line) => line.includes(slotId))).toEqual([]);
});

test('hides /metrics from callers without the token', async () => {
  for (const given of [undefined, 'Bearer', 'Bearer wrong', `Basic ${token}`, token]) {
    const answer = await read(given);
    expect(answer.status, given).toBe(404);
    expect(await answer.text()).not.toContain('app_http');
  }
});
