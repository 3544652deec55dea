import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

test('previews a policy for more coaches than fit in one batch [VERIFY-4d]', async () => {
  const admin = await app.signIn('admin');
  const preview = async () => {
    const { body, error } = await app.call(admin, checksApi.previewPolicy, {
      ...({ criminal_record_check: 'nobody:badge', safeguarding: 'nobody:badge' } as const),
      ...({ first_aid: 'nobody:badge', licence: 'nobody:badge', insurance: 'all:hidden' } as const),
    });
    expect(error).toBeUndefined();
    return body;
  };
  const before = await preview();
  await sql`
    with added as (
      insert into users (email, password_hash, full_name)
      select 'coach' || n || '@many.test', 'no sign-in', 'Coach ' || n from generate_series(1, 1001) n
      returning user_id, email, full_name
    ), profile as (
      insert into profiles (user_id, email, full_name, roles)
      select user_id, email, full_name, '{customer,coach}' from added returning user_id
    )
    insert into coaches (coach_id) select user_id from profile`.execute(app.db);
  expect(await preview()).toEqual({
    ...before,
    ...{ coaches: before.coaches + 1001, hiddenCoaches: before.hiddenCoaches + 1001 },
  });
});
