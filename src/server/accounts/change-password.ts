import { sql } from 'kysely';
import { composePasswordChangedMail } from '#server/notifications/password-mails.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { enqueueMail } from '#server/platform/mail.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { isConfirmed } from './confirm-session.ts';
import { hashPassword } from './password-hash.ts';
import { findSessionUser, readBrand, type User } from './queries.ts';
import { signOut } from './sign-out.ts';

const refuse = () =>
  new AuthRefusal(
    401,
    'reauthentication_needed',
    'To choose a new password, enter the one you have now or ask for a link to reset it.',
  );

/**
 * Gives a person a new password that was found strong enough, in a session that was confirmed lately. Every
 * other session and every link to reset the password end with the old one, and its owner is told by mail.
 * Throws `reauthentication_needed`.
 */
export async function changePassword(
  { db, config }: { db: Database; config: Pick<Config, 'publicUrl'> },
  {
    user: { userId },
    sessionId,
    password,
  }: {
    user: User;
    sessionId: string;
    password: string;
  },
): Promise<User> {
  const before = await findSessionUser(db, sessionId);
  if (!before || !isConfirmed(before, ['password', 'recovery'])) throw refuse();
  const passwordHash = await hashPassword(password, userId);
  return db.transaction().execute(async (tx) => {
    const now = sql<string>`now()`;
    const user = await tx
      .updateTable('users')
      .set({ passwordHash, updatedAt: now })
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    // Whoever lost this session while the password was worked out does not get to set it.
    const session = await tx
      .updateTable('sessions')
      .set({ method: 'password' })
      .where('sessionId', '=', sessionId)
      .where('endedAt', 'is', null)
      .returning('sessionId')
      .executeTakeFirst();
    if (!session) throw refuse();
    await signOut(tx, { userId, sessionId }, 'others');
    await tx
      .updateTable('oneTimeTokens')
      .set({ usedAt: now })
      .where('userId', '=', userId)
      .where('purpose', '=', 'recovery')
      .where('usedAt', 'is', null)
      .execute();
    const resetUrl = `${config.publicUrl}/forgot-password`;
    const brand = await readBrand(tx);
    await enqueueMail(tx, composePasswordChangedMail({ to: user.email, resetUrl, brand }));
    return user;
  });
}
