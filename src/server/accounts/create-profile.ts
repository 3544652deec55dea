import type { Role } from '#domain/access.ts';
import { newProfileOf } from '#domain/accounts/rules.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { findProfile, type StoredProfile } from './queries.ts';

/** Creates the profile at the first sign-in and returns it, or returns the existing profile. */
export async function createProfile(
  db: Database | Tx,
  userId: string,
  { roles }: { roles?: Role[] } = {},
): Promise<StoredProfile> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'fullName'])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('profiles')
    .values({ userId, ...newProfileOf(user), ...(roles ? { roles } : {}) })
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
  const profile = await findProfile(db, userId);
  if (!profile) throw new Error(`No profile after creating it: ${userId}`);
  return profile;
}
