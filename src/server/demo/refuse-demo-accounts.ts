import { sql } from 'kysely';
import { ConfigError } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';

/**
 * Throws {@link ConfigError} for a database with accounts of the demo club. Their passwords are in the README, so the
 * database must never serve real people. No real address ends in .test (RFC 2606).
 */
export async function refuseDemoAccounts(databaseUrl: string): Promise<void> {
  const db = openDatabase(openPool(databaseUrl, { size: 1 }));
  try {
    const found = await db
      .selectFrom('users')
      .select(sql<number>`1`.as('one'))
      .where('email', 'like', '%@demo.test')
      .limit(1)
      .executeTakeFirst();
    if (!found) return;
  } finally {
    await db.destroy();
  }
  throw new ConfigError(
    `This database has accounts of the demo club (…@demo.test), whose passwords are publicly known.
Use a database on which the demo has never run.`,
  );
}
