import type { Role } from '#domain/access.ts';
import { createUser } from '#server/accounts/create-user.ts';
import { hashPassword } from '#server/auth/passwords/password-hash.ts';
import { createAccessTokens } from '#server/auth/sessions/access-token.ts';
import { openSession } from '#server/auth/sessions/open-session.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Someone } from './contract-client.test-support.ts';

type Parts = { db: Database; config: Config };

/** The password of everyone added by {@link addPerson}. */
export const commonPassword = 'correct-horse-battery';
// Hashing takes tens of milliseconds of CPU time, so the hash is computed once for everyone.
let commonHash: Promise<string> | undefined;

/** A new person with a confirmed address and a session, as if they had just signed in with the common password. */
export async function addPerson(
  { db, config }: Parts,
  { email, fullName, roles }: { email: string; fullName: string; roles: Role[] },
): Promise<Someone> {
  commonHash ??= hashPassword(commonPassword, commonPassword);
  const person = { email, fullName, roles, passwordHash: await commonHash, isConfirmed: true };
  const { userId } = await createUser({ db, ...person });
  return signInAs({ db, config }, userId);
}

/** Opens a session for an existing person, with the user agent of Node's `fetch`. */
export async function signInAs({ db, config }: Parts, userId: string): Promise<Someone> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  const device = { userAgent: 'node', ipAddress: '127.0.0.1' };
  const session = await db.transaction().execute((tx) => openSession(tx, user, device));
  const { token } = await createAccessTokens(config).sign({ ...user, ...session });
  return { userId, email: user.email, token };
}
