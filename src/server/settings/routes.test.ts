import { expect, test } from 'vitest';
import { defaultBrand } from '#domain/default-brand.ts';
import { defaultSettings, settingsApi } from '#domain/settings/contract.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

test('shows no figures on a new installation and keeps them in one entry [LAND-2a, LAND-2d]', async () => {
  const { status, body } = await app.call(null, settingsApi.getProduct, {});
  expect(status).toBe(200);
  expect(body).toEqual({ brand: defaultBrand, contactEmail: null, isDemo: false, landingStats: [] });
  const entries = await app.db.selectFrom('siteSettings').selectAll().execute();
  const holding = entries.filter(({ value }) => /500\+|10K\+|50K\+/.test(JSON.stringify(value)));
  expect(holding).toMatchObject([{ key: 'landing_stats', value: { mode: 'hidden' } }]);
  const page = await (await fetch(app.url)).text();
  expect(page).not.toMatch(/500\+|10K\+|50K\+|five-star/);
});

test("changes and hides the landing page's figures [LAND-2b]", async () => {
  const stats = [{ figure: '12', label: 'coaches in Leeds' }];
  await storeSetting(app, 'landingStats', { mode: 'typed', stats });
  const changed = await app.call(null, settingsApi.getProduct, {});
  expect(changed.body.landingStats).toEqual(stats);
  for (const mode of ['hidden', 'counted']) {
    await storeSetting(app, 'landingStats', { mode, stats });
    expect((await app.call(null, settingsApi.getProduct, {})).body.landingStats, mode).toEqual([]);
  }
});

test('allows at most three typed figures, and refuses or hides any about reviews [LAND-2b]', async () => {
  const admin = await app.signIn('admin');
  const coaches = { figure: '12', label: 'coaches in Leeds' };
  const labels = ['five-star reviews', 'Star ratings', '5 stars', 'rated excellent', '★★★★★'];
  const typed = [
    ...labels.map((label) => ({ figure: '10K+', label })),
    ...['4.9★', '5 stars'].map((figure) => ({ figure, label: 'from 300 families' })),
  ];
  for (const { figure, label } of typed) {
    const stats = [coaches, { figure, label }];
    const refused = await app.call(admin, settingsApi.updateLandingStats, { mode: 'typed', stats });
    expect(refused.status, label).toBe(422);
    expect(refused.error?.fields?.['stats.1.label'], label).toMatch(/can only be counted/);
    const hidden = await app.call(admin, settingsApi.updateLandingStats, { mode: 'hidden', stats });
    expect(hidden.status, label).toBe(200);
    await storeSetting(app, 'landingStats', { mode: 'typed', stats });
    expect((await app.call(null, settingsApi.getProduct, {})).body.landingStats).toEqual([coaches]);
  }
  const started = { figure: '40', label: 'lessons started' };
  const save = (stats: (typeof coaches)[]) =>
    app.call(admin, settingsApi.updateLandingStats, { mode: 'typed', stats });
  expect((await save([coaches, started, coaches])).status).toBe(200);
  const four = await save([coaches, started, coaches, started]);
  expect([four.status, four.error?.fields]).toEqual([
    422,
    { stats: 'The landing page has room for 3 figures.' },
  ]);
  expect((await app.call(null, settingsApi.getProduct, {})).body.landingStats).toHaveLength(3);
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
