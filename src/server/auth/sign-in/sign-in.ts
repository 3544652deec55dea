import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { isPasswordRight } from '../passwords/password-hash.ts';
import type { User } from '../queries.ts';
import { type Device, type OpenSession, openSession } from '../sessions/open-session.ts';
import { noteSignIn } from './sign-in-notices.ts';

const refuse = () => new AuthRefusal(400, 'invalid_credentials', 'Invalid login credentials');

/**
 * Opens a session for the account that was found for an email address, if the password is correct, and notifies the
 * owner if the device is new. Throws `invalid_credentials` for both an unknown address (`found` is undefined) and a
 * wrong password, after the same work, and `email_not_confirmed` only if the password is correct.
 */
export async function signIn(
  db: Database,
  found: User | undefined,
  password: string,
  device: Device,
): Promise<OpenSession> {
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
    // If the password changed during the check, the old password no longer signs in.
    const { rows } = await sql<User & { hasApp: boolean }>`
      update users set last_sign_in_at = now()
      where user_id = ${found.userId}::uuid and password_hash = ${found.passwordHash}
      returning *, exists (
        select from factors where factors.user_id = users.user_id and factors.status = 'verified') as has_app`.execute(
      tx,
    );
    if (!rows[0]) throw refuse();
    const { hasApp, ...user } = rows[0];
    const session = await openSession(tx, user, device);
    // If an authenticator code is required, the sign-in is complete only when the code has been entered.
    if (!hasApp) await noteSignIn(tx, user, session.sessionId);
    return session;
  });
}
