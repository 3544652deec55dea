import { sql } from 'kysely';
import type { accountsApi } from '#domain/accounts/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { isInstant } from '#domain/time.ts';
import type { Database } from '#server/platform/db.ts';

const cursorPattern =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A page of everybody with a profile, newest first. Throws `unprocessable` for a cursor that is none. */
export async function listUsers(
  db: Database,
  { search, role, cursor, limit }: ParsedInputOf<typeof accountsApi.listUsers>,
): Promise<OutputOf<typeof accountsApi.listUsers>> {
  const after = cursor === undefined ? undefined : cursorPattern.exec(cursor);
  if (after === null || (after && !isInstant(after[1]!))) {
    const message = 'This page of users does not exist. Start again from the first one.';
    throw new AppError('unprocessable', message, { fields: { cursor: message } });
  }
  const rows = await db.transaction().execute(async (tx) => {
    // Whether the search index or the order of age is the quicker way hangs on how many fit what was typed, so
    // each search is planned for its own words.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
    return tx
      .selectFrom('profiles')
      .select(['userId', 'email', 'fullName', 'roles', 'createdAt'])
      .$if(Boolean(search), (query) =>
        query.where((is) =>
          is.or([is('fullName', 'ilike', containing(search!)), is('email', 'ilike', containing(search!))]),
        ),
      )
      .$if(role !== undefined, (query) => query.where(sql<boolean>`roles @> ${sql.lit(`{${role}}`)}`))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, user_id) < (${after![1]}::timestamptz, ${after![2]}::uuid)`),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('userId', 'desc')
      .limit(limit + 1)
      .execute();
  });
  const users = rows.slice(0, limit);
  const last = rows.length > limit ? users.at(-1) : undefined;
  return { users, nextCursor: last ? `${last.createdAt}_${last.userId}` : null };
}

/** The pattern of `ilike` for a text that stands anywhere, its own wildcards meant literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
