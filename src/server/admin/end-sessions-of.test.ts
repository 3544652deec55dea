import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const endSessionsOf = (who: Someone, userId: string) => app.call(who, adminApi.endSessionsOf, { userId });
const isIn = async (token: string) => (await app.call({ token }, accountsApi.getProfile, {})).status === 200;
const readAudit = async (search: string) =>
  (await app.call(admin, adminApi.listAudit, { search, kind: 'people' })).body.entries;

test('signs a person out everywhere immediately, with an audit event and an email [ROLE-6b]', async () => {
  const person = await app.signIn('coach');
  const phone = await app.openSession(person.email);
  const bystander = await app.signIn('coach');

  const { status, body } = await endSessionsOf(admin, person.userId);
  expect([status, body]).toEqual([200, { ended: 2 }]);
  for (const token of [person.token, phone.access_token]) expect(await isIn(token)).toBe(false);
  const refreshed = await app.auth(null, '/token?grant_type=refresh_token', {
    body: { refresh_token: phone.refresh_token },
  });
  expect(refreshed.status).toBe(400);
  expect(await isIn(bystander.token)).toBe(true);
  expect(await isIn(admin.token)).toBe(true);

  const entries = await readAudit(person.userId);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    action: 'sessions.ended',
    actor: { userId: admin.userId },
    subject: { userId: person.userId },
    before: { browsers: 2 },
    after: { browsers: 0 },
  });
  const received = await eventually(async () => (await app.emailsTo(person.email)).at(-1));
  expect(received.subject).toBe(`You were signed out of ${defaultBrand} everywhere`);
  expect(received.text).toContain(`A ${defaultBrand} admin signed your account out of every browser.`);
  expect(received.text).toContain(`\n${app.url}/forgot-password\n`);

  // The account itself is unchanged: the password still works, and sessions opened later are not ended.
  expect(await isIn((await app.openSession(person.email)).access_token)).toBe(true);
});

test('neither audits nor emails anything for a person who is not signed in', async () => {
  const person = await app.signIn('customer');
  expect((await endSessionsOf(admin, person.userId)).body).toEqual({ ended: 1 });
  expect((await endSessionsOf(admin, person.userId)).body).toEqual({ ended: 0 });
  expect(await readAudit(person.userId)).toHaveLength(1);
  await eventually(async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'notifications.send'`.execute(app.db);
    return rows.length === 0;
  });
  expect(await app.emailsTo(person.email)).toHaveLength(1);
});

test('signs out other admins; refuses the acting admin and unknown people', async () => {
  const other = await app.signIn('admin');
  const oneself = await endSessionsOf(other, other.userId);
  expect([oneself.status, oneself.error?.message]).toEqual([
    409,
    'You can sign yourself out everywhere on your account page.',
  ]);
  expect(await isIn(other.token)).toBe(true);
  expect((await endSessionsOf(admin, crypto.randomUUID())).status).toBe(404);
  const person = await app.signIn('customer', 'coach');
  expect((await endSessionsOf(person, other.userId)).status).toBe(403);
  expect(await isIn(other.token)).toBe(true);

  expect((await endSessionsOf(admin, other.userId)).body).toEqual({ ended: 1 });
  expect((await endSessionsOf(other, admin.userId)).status).toBe(401);
  expect(await isIn(admin.token)).toBe(true);
});
