import { sql } from 'kysely';
import type { Database } from '#server/platform/db.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { type Device, type OpenSession, openSession } from './open-session.ts';
import { isPasswordRight } from './password-hash.ts';
import { findUserByEmail } from './queries.ts';

/**
 * Opens a session for an address and password. Throws `invalid_credentials` alike, and after the same work,
 * for an unknown address and a wrong password; `email_not_confirmed` only to who knows the password.
 */
export async function signIn(
  db: Database,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<OpenSession> {
  const found = await findUserByEmail(db, email);
  if (!(await isPasswordRight(found?.passwordHash, password)) || !found) {
    throw new AuthRefusal(400, 'invalid_credentials', 'Invalid login credentials');
  }
  if (!found.emailConfirmedAt) {
    throw new AuthRefusal(
      400,
      'email_not_confirmed',
      'Email not confirmed. Please open the link we sent you, or ask for a new one.',
    );
  }
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set({ lastSignInAt: sql<string>`now()` })
      .where('userId', '=', found.userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return openSession(tx, user, device);
  });
}
