import { settingKeys } from '#server/settings/queries.ts';
import type { TestApp } from './test-app.test-support.ts';

/** Stores a setting without checks, so it may be invalid. */
export async function storeSetting(
  { db }: Pick<TestApp, 'db'>,
  name: keyof typeof settingKeys,
  value: unknown,
): Promise<void> {
  const row = { key: settingKeys[name], value: JSON.stringify(value) };
  await db
    .insertInto('siteSettings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute();
}
