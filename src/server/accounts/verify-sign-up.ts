import { sql } from 'kysely';
import type { Database } from '#server/platform/db.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { type Device, hashToken, type OpenSession, openSession } from './open-session.ts';

/**
 * Confirms the address a link was sent to and opens a session: the password and name of that very sign-up
 * become the account's, and every other link of the address stops working. Throws `otp_expired` for a link
 * that is unknown, used or too old.
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
    const user =
      link?.passwordHash &&
      (await tx
        .updateTable('users')
        .set({
          passwordHash: link.passwordHash,
          fullName: link.fullName,
          emailConfirmedAt: sql<string>`now()`,
          lastSignInAt: sql<string>`now()`,
          updatedAt: sql<string>`now()`,
        })
        .where('userId', '=', link.userId)
        .where('emailConfirmedAt', 'is', null)
        .returningAll()
        .executeTakeFirst());
    if (!user) {
      throw new AuthRefusal(
        403,
        'otp_expired',
        'This link has expired or was already used. If you confirmed your address before, just sign in; otherwise ask for a new link.',
      );
    }
    return openSession(tx, user, device);
  });
}
