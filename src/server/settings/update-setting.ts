import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { Settings } from '#domain/settings/contract.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readSetting, readSettings, settingKeys } from './queries.ts';

/**
 * Saves a setting and returns all settings. An unchanged setting is neither saved nor audited. If the setting changed,
 * `onChange` runs in the same transaction with the previous setting.
 */
export function updateSetting<Name extends keyof Settings>(
  db: Database,
  admin: Person,
  name: Name,
  value: Settings[Name],
  onChange?: (tx: Tx, before: Settings[Name]) => Promise<void>,
): Promise<Settings> {
  const key = settingKeys[name];
  return db.transaction().execute(async (tx) => {
    // A setting that still has its default has no row to lock, so the lock is on its name.
    await sql`select pg_advisory_xact_lock(hashtext(${`setting ${key}`}))`.execute(tx);
    const before = await readSetting(tx, name);
    if (!isDeepStrictEqual(before, value)) {
      await tx
        .insertInto('siteSettings')
        .values({ key, value: JSON.stringify(value) })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ value: JSON.stringify(value), updatedAt: sql<string>`now()` }),
        )
        .execute();
      await recordAudit(tx, admin, {
        action: 'setting.changed',
        subjectType: 'setting',
        subjectId: key,
        before,
        after: value,
      });
      await onChange?.(tx, before);
    }
    return readSettings(tx);
  });
}
