import { sql } from 'kysely';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { User } from './queries.ts';

/** Changes a person's name in both the account and the profile, and audits the change. */
export async function updateName(db: Database, userId: string, fullName: string): Promise<User> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('users')
      .selectAll()
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (before.fullName === fullName) return before;
    await recordAudit(tx, { userId }, { action: 'name.changed', subjectType: 'profile', subjectId: userId });
    await tx.updateTable('profiles').set({ fullName }).where('userId', '=', userId).execute();
    return tx
      .updateTable('users')
      .set({ fullName, updatedAt: sql<string>`now()` })
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
