import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { Settings } from '#domain/settings/contract.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readSettings, settingKeys } from './queries.ts';

/**
 * Saves one setting and returns all. An unchanged one is not audited. `onChange` runs in the same transaction, with
 * the previous setting, if it changed.
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
    const stored = await tx
      .selectFrom('siteSettings')
      .select('value')
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirst();
    if (!isDeepStrictEqual(stored?.value, value)) {
      const before = (await readSettings(tx))[name];
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
        before: stored?.value,
        after: value,
      });
      await onChange?.(tx, before);
    }
    return readSettings(tx);
  });
}
