import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { dummyHash } from '../passwords/password-hash.ts';
import { type Device, hashToken, type OpenSession, openSession } from '../sessions/open-session.ts';

/**
 * Confirms the email address that a link was sent to and opens a session; every other sign-up link sent to
 * the address stops working. The password given at sign-up becomes the account's password. After several
 * sign-ups, the owner may have opened a stranger's link by mistake, so no password is kept and the session is
 * for choosing a new password. Throws `user_already_exists` for a link that was sent to a verified address,
 * and `otp_expired` for an unknown or expired link.
 */
export async function verifySignUp(db: Database, token: string, device: Device): Promise<OpenSession> {
  return db.transaction().execute(async (tx) => {
    const link = await tx
      .updateTable('oneTimeTokens')
      .set({ usedAt: sql<string>`now()` })
      .where('tokenHash', '=', hashToken(token))
      .where('purpose', '=', 'signup')
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', sql<string>`now()`)
      .returning(['userId', 'passwordHash', 'fullName'])
      .executeTakeFirst();
    // Every sign-up hashes its password with its own salt, so the number of distinct hashes is the number of
    // sign-ups.
    const { signUps } = await tx
      .selectFrom('oneTimeTokens')
      .select(sql<number>`count(distinct password_hash)`.as('signUps'))
      .where('userId', '=', link?.userId ?? null)
      .where('purpose', '=', 'signup')
      .executeTakeFirstOrThrow();
    const isCertain = signUps === 1;
    const user =
      link?.passwordHash &&
      (await tx
        .updateTable('users')
        .set({
          passwordHash: isCertain ? link.passwordHash : dummyHash,
          fullName: link.fullName,
          emailConfirmedAt: sql<string>`now()`,
          lastSignInAt: sql<string>`now()`,
          updatedAt: sql<string>`now()`,
        })
        .where('userId', '=', link.userId)
        .where('emailConfirmedAt', 'is', null)
        .returningAll()
        .executeTakeFirst());
    if (!user) throw (await isVerified(tx, token)) ? refuseVerified() : refuseExpired();
    return openSession(tx, user, device, isCertain ? 'password' : 'recovery');
  });
}

/** Whether this link, used or not, was sent to a verified address. Only the owner of the address has the link. */
async function isVerified(tx: Tx, token: string): Promise<boolean> {
  const owner = await tx
    .selectFrom('oneTimeTokens')
    .innerJoin('users', 'users.userId', 'oneTimeTokens.userId')
    .select('users.userId')
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', '=', 'signup')
    .where('emailConfirmedAt', 'is not', null)
    .executeTakeFirst();
  return owner !== undefined;
}

const refuseVerified = () =>
  new AuthRefusal(422, 'user_already_exists', 'Your email address is already verified. Please sign in.');

const refuseExpired = () =>
  new AuthRefusal(
    403,
    'otp_expired',
    'This link has expired or has already been used. Please ask for a new one.',
  );
