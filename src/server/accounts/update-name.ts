import { sql } from 'kysely';
import type { Database } from '#server/platform/db.ts';
import type { User } from './queries.ts';

/** Gives a person another name, in the account and in the profile alike. */
export async function updateName(db: Database, userId: string, fullName: string): Promise<User> {
  return db.transaction().execute(async (tx) => {
    await tx.updateTable('profiles').set({ fullName }).where('userId', '=', userId).execute();
    return tx
      .updateTable('users')
      .set({ fullName, updatedAt: sql<string>`now()` })
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
