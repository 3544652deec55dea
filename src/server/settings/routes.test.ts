import { expect, test } from 'vitest';
import { defaultBrand } from '#domain/default-brand.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

async function write(key: string, value: string) {
  await app.db
    .insertInto('siteSettings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

test("gives visitors the product's name and figures [LAND-2]", async () => {
  const { status, body } = await app.call(null, settingsApi.getProduct, {});
  expect(status).toBe(200);
  expect(body).toEqual({
    brand: defaultBrand,
    contactEmail: null,
    isDemo: false,
    landingStats: [
      { figure: '500+', label: 'active coaches' },
      { figure: '10K+', label: 'five-star reviews' },
      { figure: '50K+', label: 'lessons completed' },
    ],
  });
});

test("changes and hides the landing page's figures [LAND-2]", async () => {
  await write('landing_stats', JSON.stringify([{ figure: '12', label: 'coaches in Leeds' }]));
  const changed = await app.call(null, settingsApi.getProduct, {});
  expect(changed.body.landingStats).toEqual([{ figure: '12', label: 'coaches in Leeds' }]);
  await write('landing_stats', '[]');
  expect((await app.call(null, settingsApi.getProduct, {})).body.landingStats).toEqual([]);
});

test('hides the part of an invalid entry and breaks nothing else', async () => {
  await write('landing_stats', '{"figure": 7}');
  await write('brand', `"${defaultBrand}"`);
  const { status, body } = await app.call(null, settingsApi.getProduct, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ brand: defaultBrand, landingStats: [] });
});
