import { expect, test } from 'vitest';
import { settingsApi } from '#domain/settings/contract.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const readSettings = async () => (await app.call(admin, settingsApi.getSettings, {})).body;
const auditOf = (key: string) =>
  app.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId', 'before', 'after'])
    .where('subjectType', '=', 'setting')
    .where('subjectId', '=', key)
    .orderBy('auditId')
    .execute();

test('defaults to a 2% fee and accepts steps of 0.1 percentage points [ADM-6a]', async () => {
  const begin = { mode: 'percentage', percent: 2, enabled: true } as const;
  expect((await readSettings()).platformFee).toEqual(begin);
  for (const percent of [0, 0.1, 2.3, 99.9, 100]) {
    const { status, body } = await app.call(admin, settingsApi.updatePlatformFee, { ...begin, percent });
    expect(status, `${percent} percent`).toBe(200);
    expect(body.platformFee.percent).toBe(percent);
  }
  for (const percent of [-0.1, 100.1, 2.25, 1e-7]) {
    const { status, error } = await app.call(admin, settingsApi.updatePlatformFee, { ...begin, percent });
    expect(status, `${percent} percent`).toBe(422);
    expect(error?.fields?.percent).toMatch(/0 to 100/);
  }
  await app.call(admin, settingsApi.updatePlatformFee, { ...begin, enabled: false });
  expect((await readSettings()).platformFee).toEqual({ ...begin, enabled: false });
});

test('applies changes to the cancellation policy, brand and landing figures [ADM-6c, LAND-2b]', async () => {
  const policy = { freeUntilHours: 48, lateRefundPercent: 50, refundsEnabled: true };
  await app.call(admin, settingsApi.updateCancellationPolicy, policy);
  expect((await app.call(null, settingsApi.getCancellationPolicy, {})).body).toEqual(policy);
  await app.call(admin, settingsApi.updateBrand, { name: '  Leeds Lessons ' });
  const stats = ['12', '340', '5'].map((figure) => ({ figure, label: `figure ${figure}` }));
  await app.call(admin, settingsApi.updateLandingStats, { mode: 'typed', stats });
  const readProduct = async () => (await app.call(null, settingsApi.getProduct, {})).body;
  expect(await readProduct()).toMatchObject({ brand: 'Leeds Lessons', landingStats: stats });

  await app.call(admin, settingsApi.updateLandingStats, { mode: 'hidden', stats });
  expect((await readProduct()).landingStats).toEqual([]);
  expect((await readSettings()).landingStats).toEqual({ mode: 'hidden', stats });
});

test('names the invalid field of a setting and changes nothing', async () => {
  const before = await readSettings();
  const policy = { freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true };
  const refused = [
    [
      await app.call(admin, settingsApi.updateCancellationPolicy, { ...policy, freeUntilHours: 721 }),
      'freeUntilHours',
    ],
    [
      await app.call(admin, settingsApi.updateCancellationPolicy, { ...policy, lateRefundPercent: 101 }),
      'lateRefundPercent',
    ],
    [await app.call(admin, settingsApi.updateBrand, { name: '   ' }), 'name'],
    [
      await app.call(admin, settingsApi.updateLandingStats, {
        mode: 'typed',
        stats: [{ figure: '', label: 'coaches' }],
      }),
      'stats.0.figure',
    ],
  ] as const;
  for (const [{ status, error }, field] of refused) {
    expect(status).toBe(422);
    expect(Object.keys(error?.fields ?? {})).toEqual([field]);
  }
  expect(await readSettings()).toEqual(before);
});

test('audits the author and the old and new value of a change; skips unchanged saves [ROLE-6b]', async () => {
  const [was] = (await auditOf('brand')).slice(-1);
  await app.call(admin, settingsApi.updateBrand, { name: 'Once More' });
  await app.call(admin, settingsApi.updateBrand, { name: 'Once More' });
  const all = await auditOf('brand');
  expect(all.at(-1)).toEqual({
    action: 'setting.changed',
    actorUserId: admin.userId,
    before: was?.after,
    after: { name: 'Once More' },
  });
  expect(all.filter(({ after }) => (after as { name: string }).name === 'Once More')).toHaveLength(1);
});

test('lets only admins read and change settings [ROLE-4]', async () => {
  const before = await readSettings();
  for (const who of [await app.signIn('customer', 'coach'), null]) {
    const answers = [
      await app.call(who, settingsApi.getSettings, {}),
      await app.call(who, settingsApi.updatePlatformFee, { mode: 'percentage', percent: 9, enabled: true }),
      await app.call(who, settingsApi.updateBrand, { name: 'Mine' }),
    ];
    for (const { status, error } of answers) {
      expect(status).toBe(who ? 403 : 401);
      if (who) expect(error?.message).toBe("You don't have permission to access this page.");
    }
  }
  expect(await readSettings()).toEqual(before);
});

test('uses the contact address for Reply-To and security.txt', async () => {
  const readText = () => fetch(`${app.url}/.well-known/security.txt`);
  expect((await readText()).status, 'no contact address yet').toBe(404);
  for (const email of ['nobody', 'a@b\nBcc: c@d.example']) {
    expect((await app.call(admin, settingsApi.updateContact, { email })).status).toBe(422);
  }
  const { body } = await app.call(admin, settingsApi.updateContact, { email: 'Hello@Club.example' });
  expect(body.contact).toEqual({ email: 'hello@club.example' });
  expect((await app.call(null, settingsApi.getProduct, {})).body.contactEmail).toBe('hello@club.example');
  const text = await eventually(async () => {
    const answer = await readText();
    return answer.status === 200 && answer.text();
  });
  expect(text).toMatch(/^Contact: mailto:hello@club\.example\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\n/);
  expect(text).toContain(`Canonical: ${app.url}/.well-known/security.txt`);

  await app.auth(null, '/recover', { body: { email: admin.email } });
  const [received] = await eventually(async () => {
    const emails = await app.emailsTo(admin.email);
    return emails.length > 0 ? emails : null;
  });
  expect(received).toMatchObject({
    replyTo: 'hello@club.example',
    html: expect.stringContaining('>Choose a new password</span>'),
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  const { brand } = (await app.call(null, settingsApi.getProduct, {})).body;
  expect((received as { html?: string }).html).toContain(brand);
  expect((await app.call(admin, settingsApi.updateContact, { email: '' })).body.contact).toEqual({
    email: '',
  });
});

test('redirects password managers to the page for changing the password', async () => {
  const answer = await fetch(`${app.url}/.well-known/change-password`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account']);
});
