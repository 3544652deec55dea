import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { isPasswordRight } from '../passwords/password-hash.ts';
import { findUserByEmail } from '../queries.ts';
import { type Device, type OpenSession, openSession } from '../sessions/open-session.ts';
import { hasVerifiedFactor } from '../two-step/factors.ts';
import { noteSignIn } from './sign-in-notices.ts';

const refuse = () => new AuthRefusal(400, 'invalid_credentials', 'Invalid login credentials');

/**
 * Opens a session for an email address and password, and notifies the owner if the device is new. Throws
 * `invalid_credentials` for both an unknown address and a wrong password, after the same work, and
 * `email_not_confirmed` only if the password is correct.
 */
export async function signIn(
  db: Database,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<OpenSession> {
  const found = await findUserByEmail(db, email);
  const who = keyOfAddress('', device.ipAddress);
  if (!(await isPasswordRight(found?.passwordHash, password, who)) || !found) throw refuse();
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
      // If the password changed during the check, the old password no longer signs in.
      .where('passwordHash', '=', found.passwordHash)
      .returningAll()
      .executeTakeFirst();
    if (!user) throw refuse();
    const session = await openSession(tx, user, device);
    // If an authenticator code is required, the sign-in is complete only when the code has been entered.
    if (!(await hasVerifiedFactor(tx, user.userId))) await noteSignIn(tx, user, session.sessionId);
    return session;
  });
}
