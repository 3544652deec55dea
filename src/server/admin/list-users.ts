import { sql } from 'kysely';
import type { adminApi } from '#domain/admin/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { matchesSearch, planForValues } from '#server/accounts/search-people.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';

/** Selects the fields of `listedUser` for everyone with a profile, including deleted accounts. */
export const selectListedUsers = (db: Database | Tx) =>
  db.selectFrom('profiles').select(['userId', 'email', 'fullName', 'roles', 'createdAt']);

/**
 * Returns a page of the people who match a search and a role, newest first, without deleted accounts. Throws
 * `unprocessable` for an invalid cursor.
 */
export async function listUsers(
  db: Database,
  { search, role, cursor, limit }: ParsedInputOf<typeof adminApi.listUsers>,
): Promise<OutputOf<typeof adminApi.listUsers>> {
  const after = readPageCursor(cursor);
  const rows = await db.transaction().execute(async (tx) => {
    if (search) await planForValues(tx);
    return selectListedUsers(tx)
      .where('deletedAt', 'is', null)
      .$if(Boolean(search), (query) => query.where(matchesSearch(search!)))
      .$if(role !== undefined, (query) => query.where(sql<boolean>`roles @> ${sql.lit(`{${role}}`)}`))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, user_id) < (${after!.time}::timestamptz, ${after!.id}::uuid)`),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('userId', 'desc')
      .limit(rowsOfPage(limit))
      .execute();
  });
  const { page: users, nextCursor } = cutPage(rows, limit, ({ createdAt, userId }) => ({
    time: createdAt,
    id: userId,
  }));
  return { users, nextCursor };
}
