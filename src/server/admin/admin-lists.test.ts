import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));
beforeAll(async () => {
  // Creates 100,000 people: one in 1,000 is a coach and one in 10,000 is called Zebedee. This takes longer than the
  // statement timeout.
  await app.db.connection().execute(async (slow) => {
    await sql`set statement_timeout = 0`.execute(slow);
    await sql`
    with person as (
      insert into users (email, password_hash)
      select 'member-' || number || '@club.example', '' from generate_series(1, 100000) as number
      returning user_id, email
    )
    insert into profiles (user_id, email, full_name, roles, created_at)
    select user_id, email, case when number % 10000 = 0 then 'Zebedee 100% Real_' else 'Member ' end || number,
      case when number % 1000 = 0 then '{customer,coach}' else '{customer}' end::text[],
      now() - interval '1 day' - number * interval '1 minute'
    from (select *, split_part(split_part(email, '-', 2), '@', 1)::integer as number from person) as numbered`.execute(
      slow,
    );
    await sql`analyze profiles`.execute(slow);
    await sql`reset statement_timeout`.execute(slow);
  });
}, 120_000);

const list = (input: Record<string, unknown>) => app.call(admin, adminApi.listUsers, input);

test('pages through and searches 100,000 people without reading them all', async () => {
  const readStats = async () => {
    const { rows } = await sql<{ scanned: number; fetched: number }>`
      select seq_tup_read as scanned, idx_tup_fetch as fetched from pg_stat_user_tables
      where relname = 'profiles'`.execute(app.db);
    return rows[0]!;
  };
  const before = await readStats();
  const searches = [undefined, 'Member', 'Zebedee', 'member-77777@', 'nobody-of-this-name'];
  let rounds = 0;
  // PostgreSQL updates its statistics asynchronously, so the searches are repeated until the statistics include some.
  await expect
    .poll(
      async () => {
        rounds += 1;
        for (const search of searches) await list(search ? { search } : {});
        await list({ role: 'coach' });
        return (await readStats()).fetched;
      },
      { timeout: 45_000, interval: 200 },
    )
    .toBeGreaterThan(before.fetched + 100);
  const after = await readStats();
  expect(after.scanned - before.scanned).toBe(0);
  expect((after.fetched - before.fetched) / rounds).toBeLessThan(5_000);
});

test('lists users newest first and finds them by name or email [ADM-2]', async () => {
  const first = await list({ limit: 3 });
  expect(first.body.users.map(({ email }) => email)).toEqual([
    admin.email,
    'member-1@club.example',
    'member-2@club.example',
  ]);
  const second = await list({ limit: 3, cursor: first.body.nextCursor });
  expect(second.body.users.map(({ fullName }) => fullName)).toEqual(['Member 3', 'Member 4', 'Member 5']);

  const byName = await list({ search: ' zebeDEE ' });
  expect(byName.body.users).toHaveLength(10);
  expect(byName.body.users[0]).toMatchObject({ email: 'member-10000@club.example' });
  expect(byName.body.nextCursor).toBeNull();
  const byEmail = await list({ search: 'ember-77777@CLUB' });
  expect(byEmail.body.users.map(({ fullName }) => fullName)).toEqual(['Member 77777']);
  const coaches = await list({ role: 'coach', limit: 100 });
  expect(coaches.body.users).toHaveLength(100);
  expect((await list({ role: 'admin' })).body.users.map(({ email }) => email)).toEqual([admin.email]);
});

test('searches for wildcard characters literally', async () => {
  expect((await list({ search: '100% Real_' })).body.users).toHaveLength(10);
  expect((await list({ search: 'member%77777' })).body.users).toEqual([]);
  expect((await list({ search: 'Member_77777' })).body.users).toEqual([]);
  expect((await list({ search: '\\' })).body.users).toEqual([]);
});

test('refuses an invalid cursor with a message', async () => {
  for (const cursor of ['x', '2027-02-30T00:00:00Z_00000000-0000-4000-8000-000000000000']) {
    const { status, error } = await list({ cursor });
    expect(status).toBe(422);
    expect(error?.fields?.cursor).toMatch(/start again from the first page/);
  }
});

test('lists people and the audit log for admins only [ROLE-4]', async () => {
  for (const who of [await app.signIn('customer', 'coach'), null]) {
    for (const endpoint of [adminApi.listUsers, adminApi.listAudit]) {
      expect((await app.call(who, endpoint, {})).status).toBe(who ? 403 : 401);
    }
  }
});

test('pages through the audit log, newest first; searches it by person, kind and id', async () => {
  const subjectId = '7d3f6c1e-0000-4000-8000-00000000abcd';
  const entry = (action: string, subjectType: string, id: string, actorUserId: string | null) => ({
    ...{ action, subjectType, subjectId: id, actorUserId },
    ...{
      actorSystem: actorUserId ? null : 'Stripe',
      before: null,
      after: JSON.stringify({ reason: action }),
    },
  });
  await app.db
    .insertInto('auditLog')
    .values([
      entry('payrun.created', 'payrun', subjectId, admin.userId),
      entry('setting.changed', 'setting', 'brand', admin.userId),
      entry('refund.failed', 'refund', subjectId, null),
    ])
    .execute();
  const audit = async (input: Record<string, unknown>) =>
    (await app.call(admin, adminApi.listAudit, input)).body;
  const actions = async (input: Record<string, unknown>) =>
    (await audit(input)).entries.map(({ action }) => action);
  expect(await actions({})).toEqual(['refund.failed', 'setting.changed', 'payrun.created']);
  const page = await audit({ limit: 2 });
  expect(await actions({ limit: 2, cursor: page.nextCursor })).toEqual(['payrun.created']);
  expect(await actions({ search: admin.email.slice(0, 12) })).toEqual(['setting.changed', 'payrun.created']);
  expect(await actions({ kind: 'payouts' })).toEqual(['payrun.created']);
  expect(await actions({ search: subjectId })).toEqual(['refund.failed', 'payrun.created']);
  expect(await actions({ search: 'Zebedee' })).toEqual([]);
  expect((await audit({ limit: 1 })).entries[0]).toMatchObject({
    ...{ actor: null, system: 'Stripe', before: null, after: { reason: 'refund.failed' } },
  });
});
