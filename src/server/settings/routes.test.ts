import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsApi } from '#domain/settings/contract.ts';
import { startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function write(key: string, value: string) {
  await app.db.updateTable('siteSettings').set({ value }).where('key', '=', key).execute();
}

test('[LAND-2] a visitor gets the name of the product and the figures of the landing page', async () => {
  const { status, body } = await app.call(null, settingsApi.getProduct, {});
  expect(status).toBe(200);
  expect(body).toEqual({
    brand: 'Touchline',
    contactEmail: null,
    isDemo: false,
    landingStats: [
      { figure: '500+', label: 'active coaches' },
      { figure: '10K+', label: 'five-star reviews' },
      { figure: '50K+', label: 'lessons completed' },
    ],
  });
});

test('[LAND-2] an operator changes the figures, or hides them', async () => {
  await write('landing_stats', JSON.stringify([{ figure: '12', label: 'coaches in Leeds' }]));
  const changed = await app.call(null, settingsApi.getProduct, {});
  expect(changed.body.landingStats).toEqual([{ figure: '12', label: 'coaches in Leeds' }]);
  await write('landing_stats', '[]');
  expect((await app.call(null, settingsApi.getProduct, {})).body.landingStats).toEqual([]);
});

test('an entry that makes no sense hides its part and breaks nothing', async () => {
  await write('landing_stats', '{"figure": 7}');
  await write('brand', '"Touchline"');
  const { status, body } = await app.call(null, settingsApi.getProduct, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ brand: 'Touchline', landingStats: [] });
});
