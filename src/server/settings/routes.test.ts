import { expect, test } from 'vitest';
import { defaultBrand } from '#domain/default-brand.ts';
import { defaultSettings, settingsApi } from '#domain/settings/contract.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

test("shows visitors the product's name and figures [LAND-2]", async () => {
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
  // All three are one entry of the configuration.
  const entries = await app.db.selectFrom('siteSettings').selectAll().execute();
  const holding = entries.filter(({ value }) => /500\+|10K\+|50K\+/.test(JSON.stringify(value)));
  expect(holding).toEqual([
    expect.objectContaining({
      key: 'landing_stats',
      value: { isShown: true, stats: body.landingStats },
    }),
  ]);
});

test("changes and hides the landing page's figures [LAND-2]", async () => {
  const stats = [{ figure: '12', label: 'coaches in Leeds' }];
  await storeSetting(app, 'landingStats', { isShown: true, stats });
  const changed = await app.call(null, settingsApi.getProduct, {});
  expect(changed.body.landingStats).toEqual(stats);
  await storeSetting(app, 'landingStats', { isShown: false, stats });
  expect((await app.call(null, settingsApi.getProduct, {})).body.landingStats).toEqual([]);
});

test('uses the default for an invalid setting without affecting other settings', async () => {
  await storeSetting(app, 'landingStats', { figure: 7 });
  await storeSetting(app, 'brand', defaultBrand);
  const { status, body } = await app.call(null, settingsApi.getProduct, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ brand: defaultBrand, landingStats: [] });
  await storeSetting(app, 'cancellationPolicy', { freeUntilHours: 24 });
  const policy = await app.call(null, settingsApi.getCancellationPolicy, {});
  expect(policy.body).toEqual(defaultSettings.cancellationPolicy);
});

test('uses the default for a missing field and keeps the saved fields', async () => {
  // Simulates settings that were saved before all of their fields existed.
  await storeSetting(app, 'platformFee', { mode: 'percentage', percent: 7.5 });
  await storeSetting(app, 'cancellationPolicy', { freeUntilHours: 48, refundsEnabled: false });
  const { body } = await app.call(await app.signIn('admin'), settingsApi.getSettings, {});
  expect(body.platformFee).toEqual({ mode: 'percentage', percent: 7.5, enabled: true });
  expect(body.cancellationPolicy).toEqual({
    freeUntilHours: 48,
    lateRefundPercent: 0,
    refundsEnabled: false,
  });
  // A wrong value in any field, or a value that is not an object, makes the whole setting invalid.
  await storeSetting(app, 'cancellationPolicy', { freeUntilHours: 'two', refundsEnabled: false });
  const policy = await app.call(null, settingsApi.getCancellationPolicy, {});
  expect(policy.body).toEqual(defaultSettings.cancellationPolicy);
  await storeSetting(app, 'brand', 'Leeds');
  expect((await app.call(null, settingsApi.getProduct, {})).body.brand).toBe(defaultBrand);
});
