import { sql } from 'kysely';
import { sendEmail } from '#server/notifications/notify.ts';
import { composePasswordChangedMessage } from '#server/notifications/templates/passwords.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { findSessionUser, type User } from '../queries.ts';
import { isConfirmed } from '../sessions/confirm-session.ts';
import { signOut } from '../sessions/sign-out.ts';
import { refuseUnproved } from '../two-step/prove-identity.ts';
import { hashPassword, isPasswordRight } from './password-hash.ts';

/**
 * Sets a person's new password; the caller has already checked its strength. `isProved`: whether the request contained
 * the current password or an authenticator code. Only a session opened from a recovery email within the last hour needs
 * neither. All other sessions and all password reset links stop working, and the person is emailed. Throws
 * `current_password_required` and `same_password`.
 */
export async function changePassword(
  db: Database,
  {
    user: { userId, passwordHash: currentHash },
    sessionId,
    password,
    isProved,
  }: {
    user: User;
    sessionId: string;
    password: string;
    isProved: boolean;
  },
): Promise<User> {
  const before = await findSessionUser(db, sessionId);
  if (!before || !(isProved || isConfirmed(before, ['recovery']))) throw refuseUnproved();
  if (await isPasswordRight(currentHash, password, userId)) {
    throw new AuthRefusal(
      422,
      'same_password',
      'This is already your password. Please choose a different one.',
    );
  }
  const passwordHash = await hashPassword(password, userId);
  return db.transaction().execute(async (tx) => {
    const now = sql<string>`now()`;
    const user = await tx
      .updateTable('users')
      .set({ passwordHash, updatedAt: now })
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    // A session that ended while the new password was being hashed must not set that password.
    const session = await tx
      .updateTable('sessions')
      .set({ method: 'password' })
      .where('sessionId', '=', sessionId)
      .where('endedAt', 'is', null)
      .returning('sessionId')
      .executeTakeFirst();
    if (!session) throw refuseUnproved();
    await signOut(tx, { userId, sessionId }, 'others');
    await tx
      .updateTable('oneTimeTokens')
      .set({ usedAt: now })
      .where('userId', '=', userId)
      .where('purpose', '=', 'recovery')
      .where('usedAt', 'is', null)
      .execute();
    await recordAudit(
      tx,
      { userId },
      { action: 'password.changed', subjectType: 'profile', subjectId: userId },
    );
    await sendEmail(tx, user.email, composePasswordChangedMessage({ brand: await readBrand(tx) }));
    return user;
  });
}
